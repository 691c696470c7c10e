#include "toccata/query/rigid/batch.hpp"

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/query/rigid/first_contact.hpp"

namespace toccata {
namespace {

Motion path(const Pose& start, const Pose& end, PathKind kind) {
  return kind == PathKind::screw ? Twist::screw(start, end) : Twist::linear(start, end, {0, 0, 0});
}

}  // namespace

void first_contact_batch(const Mesh& a, const Mesh& b, const PosePaths& paths,
                         const Options& options, unsigned threads, std::span<Contact> results) {
  const std::size_t count = results.size();
  expects(paths.start_a.size() == count && paths.end_a.size() == count, "end_a",
          "expected as many poses as start_a");
  const bool b_moves = !paths.start_b.empty();
  expects(!b_moves || (paths.start_b.size() == count && paths.end_b.size() == count), "end_b",
          "expected as many poses as start_a");
  const Motion fixed = Motion::fixed({});
  parallel_for(count, 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t i = begin; i < end; ++i) {
      const Motion motion_a = path(paths.start_a[i], paths.end_a[i], paths.kind);
      const Motion motion_b =
          b_moves ? path(paths.start_b[i], paths.end_b[i], paths.kind) : fixed;
      results[i] = first_contact({a, motion_a}, {b, motion_b}, options);
    }
  });
}

}  // namespace toccata
