#include "toccata/query/rigid/scene.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <vector>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/rigid/scaled.hpp"

namespace toccata {
namespace {

constexpr int slabs = 16;  // of time: a box per slab follows a path better than one for all

struct SweptBody {
  std::array<Box, slabs> slab;
  Box whole;
};

SweptBody sweep(const Body& body) {
  SweptBody swept;
  for (int k = 0; k < slabs; ++k) {
    const Interval window{static_cast<double>(k) / slabs, static_cast<double>(k + 1) / slabs};
    swept.slab[k] = swept_box(body.motion, body.mesh.center(), body.mesh.radius(), window);
    extend(swept.whole, swept.slab[k].lo);
    extend(swept.whole, swept.slab[k].hi);
  }
  return swept;
}

struct Candidate {
  double earliest;  // the pair cannot touch before
  Index a, b;
};

/// Pairs whose boxes meet in some slab, by sorting along x, in the order of their first slab.
std::vector<Candidate> candidates(std::span<const SweptBody> swept, double distance,
                                  std::span<const std::pair<Index, Index>> ignored) {
  std::vector<Index> order(swept.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    const double x = swept[i].whole.lo.x, y = swept[j].whole.lo.x;
    return x < y || (x == y && i < j);
  });
  std::vector<Candidate> found;
  for (std::size_t p = 0; p < order.size(); ++p) {
    const Index i = order[p];
    for (std::size_t q = p + 1; q < order.size(); ++q) {
      const Index j = order[q];
      if (swept[j].whole.lo.x - distance > swept[i].whole.hi.x) break;
      if (!near(swept[i].whole, swept[j].whole, distance)) continue;
      const std::pair<Index, Index> key = std::minmax(i, j);
      if (std::binary_search(ignored.begin(), ignored.end(), key)) continue;
      for (int k = 0; k < slabs; ++k)
        if (near(swept[i].slab[k], swept[j].slab[k], distance)) {
          found.push_back({static_cast<double>(k) / slabs, key.first, key.second});
          break;
        }
    }
  }
  std::sort(found.begin(), found.end(), [](const Candidate& s, const Candidate& t) {
    return std::tuple(s.earliest, s.a, s.b) < std::tuple(t.earliest, t.a, t.b);
  });
  return found;
}

SceneContact first_contact_scaled(std::span<const Body> bodies,
                                  std::span<const std::pair<Index, Index>> ignored,
                                  const Options& options, int exponent) {
  const std::vector<ScaledBody> copies = [&] {
    std::vector<ScaledBody> result;
    result.reserve(bodies.size());
    for (const Body& body : bodies) result.emplace_back(body, exponent);
    return result;
  }();
  const std::vector<Body> scaled_bodies(copies.begin(), copies.end());
  SceneContact found = first_contact(scaled_bodies, ignored, scaled(options, exponent));
  found.contact = scaled_back(found.contact, options, exponent);
  return found;
}

}  // namespace

SceneContact first_contact(std::span<const Body> bodies,
                           std::span<const std::pair<Index, Index>> ignored,
                           const Options& options) {
  if (const int exponent = scaling_of(bodies)) [[unlikely]]
    return first_contact_scaled(bodies, ignored, options, exponent);
  Stopwatch watch(options.timed);
  std::vector<SweptBody> swept;
  swept.reserve(bodies.size());
  for (const Body& body : bodies) swept.push_back(sweep(body));
  SceneContact best;
  best.contact.tolerance = options.tolerance;
  Options rest = options;
  const std::vector<Candidate> pairs =
      candidates(swept, options.separation + options.tolerance, ignored);
  best.contact.stats.seconds_broad_phase = watch.lap();
  for (const Candidate& pair : pairs) {
    if (pair.earliest >= rest.cutoff) break;
    ++best.pairs_tested;
    Contact contact = first_contact(bodies[pair.a], bodies[pair.b], rest);
    contact.stats += best.contact.stats;
    best.contact.stats = contact.stats;
    best.contact.tolerance = std::max(best.contact.tolerance, contact.tolerance);
    if (contact.status == Status::free) continue;
    // What is undecided from a time on makes everything undecided from there on: later contacts
    // of other pairs do not count, earlier ones do.
    best.contact = contact;
    best.body_a = pair.a, best.body_b = pair.b;
    rest.cutoff = contact.toc;
    if (contact.toc <= 0) break;
  }
  if (best.contact.tolerance == 0)  // no pair was looked at: what the largest body would choose
    for (const Body& body : bodies)
      best.contact.tolerance = std::max(best.contact.tolerance, 1e-6 * body.mesh.radius());
  return best;
}

}  // namespace toccata
