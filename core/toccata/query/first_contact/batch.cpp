// Distribution of first-contact queries over threads.
#include "toccata/query/first_contact/batch.hpp"

#include <array>

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/query/first_contact/first_contact.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

/// Computes one answer per row, on several threads.
template <class Answer>
Contacts answer_all(std::size_t count, unsigned threads, const Answer& answer) {
  Contacts results(count);
  parallel_for(count, 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) results.set(i, answer(i));
  });
  return results;
}

/// Returns the options without the measurement of times, which a batch does not report.
Options without_clock(const Options& options) {
  Options plain = options;
  plain.timed = false;
  return plain;
}

}  // namespace

void PairMotions::check() const {
  expects(b.size() == 0 || b.size() == a.size(), "start_b", "expected as many poses as start_a");
  a.check("_a");
  b.check("_b");
}

Contacts first_contact_batch(const Mesh& a, const Mesh& b, const PairMotions& motions,
                             const Options& options, unsigned threads) {
  motions.check();
  const Options plain = without_clock(options);
  const Motion still = Motion::fixed({});
  const int exponent = scaling_of(std::array{Body{a, still}, Body{b, still}});
  if (exponent == 0) [[likely]]
    return answer_all(motions.size(), threads, [&](std::size_t i) {
      return first_contact({a, motions.a[i]}, {b, motions.of_b(i)}, plain);
    });
  // The meshes are scaled once for all rows.
  const Mesh small_a = a.scaled(exponent), small_b = b.scaled(exponent);
  const Options own = scaled(plain, exponent);
  return answer_all(motions.size(), threads, [&](std::size_t i) {
    const Motion to_a = motions.a[i].scaled(exponent), to_b = motions.of_b(i).scaled(exponent);
    return scaled_back(first_contact({small_a, to_a}, {small_b, to_b}, own), options, exponent);
  });
}

Contacts first_contact_pairs(const PairMeshes& bodies, const PairMotions& motions,
                             const Options& options, unsigned threads) {
  motions.check();
  const Options plain = without_clock(options);
  return answer_all(motions.size(), threads, [&](std::size_t i) {
    const Mesh &a = *bodies.meshes[bodies.a[i]], &b = *bodies.meshes[bodies.b[i]];
    return first_contact({a, motions.a[i]}, {b, motions.of_b(i)}, plain);
  });
}

}  // namespace toccata
