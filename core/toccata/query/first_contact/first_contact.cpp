// Choice of the method, and completion of the answer.
#include "toccata/query/first_contact/first_contact.hpp"

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/first_contact/methods.hpp"
#include "toccata/query/setting/scaling.hpp"
#include "toccata/walk/one_pair.hpp"
#include "toccata/walk/overlap.hpp"

namespace toccata {
namespace {

Contact run(const MovingPair& pair, Coherence* coherence) {
  if (pair.is_unclear()) return undecided_at_start();
  // Curved surfaces lack the vertices, edges and faces of the interval method's equations.
  const bool curved = pair.mesh_a().surface() || pair.mesh_b().surface();
  if (curved && pair.options().method == Method::interval) return walk_pair(pair, 0);
  switch (pair.options().method) {
    case Method::hca:
      return hca(pair, 0);
    case Method::c2a:
      return c2a(pair, 0);
    case Method::interval:
      return interval(pair, 0, coherence);
    case Method::automatic:
    case Method::adaptive:  // for robots only
      break;
  }
  return walk_pair(pair, 0);
}

}  // namespace

Contact first_contact(const Body& a, const Body& b, const Options& options, Coherence* coherence) {
  Stopwatch watch(options.timed);
  const Claim<Coherence> claim(coherence);
  return in_ordinary_lengths(TwoBodies{a, b, options}, [&](const TwoBodies& bodies, int exponent) {
    const MovingPair pair(bodies.a, bodies.b, bodies.options);
    const double setup = watch.lap();
    Contact contact = run(pair, exponent == 0 ? claim.get() : nullptr);
    contact.stats.seconds_setup = setup;
    contact.stats.seconds_walk = watch.lap() - contact.stats.seconds_elementary;
    test_inside(contact, pair);
    contact.stats.seconds_inside = watch.lap();
    return contact;
  });
}

void test_inside(Contact& contact, const MovingPair& pair) {
  classify_start(contact);
  if (contact.status != Status::initial_overlap && starts_inside(pair, contact.safe_until))
    contact = inside_at_start(contact.stats);
  contact.tolerance = pair.stated_tolerance();
}

}  // namespace toccata
