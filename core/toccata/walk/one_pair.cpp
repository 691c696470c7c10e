// Best-first traversal of a single pair.
#include "toccata/walk/one_pair.hpp"

#include "toccata/base/of_thread.hpp"
#include "toccata/walk/earliest_first.hpp"
#include "toccata/walk/rigid_view.hpp"

namespace toccata {
namespace {

/// The only pair of a traversal.
struct OnePair {
  using Bodies = RigidView;
  RigidView view;

  Index open(Index) const { return 0; }
  RigidView& operator[](Index) { return view; }
};

Contact& run(EarliestFirst<OnePair>& walk, Contact& contact) {
  while (!walk.is_over() && contact.status == Status::free) walk.step(contact);
  return contact;
}

}  // namespace

Contact walk_pair(const MovingPair& pair, double start) {
  auto& walk = of_thread<EarliestFirst<OnePair>>();
  OnePair pairs{RigidView(pair)};
  Contact contact;
  walk.start(pairs, pair.options().cutoff, pair.options().budget, start);
  walk.add(0, start);
  return run(walk, contact);
}

Contact walk_front(const MovingPair& pair, std::span<const FrontSiblings> front) {
  auto& walk = of_thread<EarliestFirst<OnePair>>();
  OnePair pairs{RigidView(pair)};
  Contact contact;
  walk.start(pairs, pair.options().cutoff, pair.options().budget);
  for (const FrontSiblings& siblings : front) walk.add(0, siblings, 0, contact.stats);
  return run(walk, contact);
}

}  // namespace toccata
