#include "toccata/walk/one_pair.hpp"

#include "toccata/base/of_thread.hpp"
#include "toccata/walk/earliest_first.hpp"
#include "toccata/walk/rigid_view.hpp"

namespace toccata {
namespace {

/// Two bodies by themselves.
struct OnePair {
  RigidView view;

  Index open(Index) const { return 0; }
  const MovingPair& pair(Index) const { return view.pair(); }
  bool is_at_rest(Index) const { return view.is_at_rest(); }
  Span window(double time) const { return view.window(time); }
  double reopens_at(Index, double now) { return view.reopens_at(now); }
  const PairState& at(Index, Span window) { return view.at(window.time); }
  const RelativeState& relative(Index, Span window, bool a_fills_lanes) {
    return view.relative(window.time, a_fills_lanes);
  }
  double volume_time(Index, double now) const { return view.volume_time(now); }
  double again_time(Index, double now) const { return now; }
  double leaf_time(Index, double now) const { return now; }
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                            float separation) {
    return RigidView::promising(bounds, expansion, separation);
  }
  static constexpr bool packs_triangles = RigidView::packs_triangles;
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

Contact walk_front(const MovingPair& pair, std::span<const FrontFamily> front) {
  auto& walk = of_thread<EarliestFirst<OnePair>>();
  OnePair pairs{RigidView(pair)};
  Contact contact;
  walk.start(pairs, pair.options().cutoff, pair.options().budget);
  for (const FrontFamily& family : front) walk.add(0, family, 0, contact.stats);
  return run(walk, contact);
}

}  // namespace toccata
