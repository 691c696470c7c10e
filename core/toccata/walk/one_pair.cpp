#include "toccata/walk/one_pair.hpp"

#include "toccata/walk/earliest_first.hpp"

namespace toccata {
namespace {

/// A state this much older will do to look at volumes: what they gain by a newer one is less than
/// the state costs. Measured: half of the states go, and one test in 200 is added.
constexpr double recent = 1e-3;

/// Two bodies by themselves.
class OnePair {
 public:
  explicit OnePair(const MovingPair& pair)
      : last_(std::min(pair.options().cutoff, 1.0)),
        at_rest_(pair.motion_a().is_fixed() && pair.motion_b().is_fixed()),
        view_(pair, last_) {}

  Index open(Index) { return 0; }
  const MovingPair& pair(Index) const { return view_.pair(); }
  bool is_at_rest(Index) const { return at_rest_; }
  Span window(double time) const { return {time, last_}; }
  const PairState& at(Index, Span window) { return view_.move_to(window.time); }
  const RelativeState& relative(Index, Span window, bool a_fills_lanes) {
    view_.move_to(window.time);
    return view_.relative(a_fills_lanes);
  }
  double volume_time(Index, double now) const {
    return view_.time() <= now && now <= view_.time() + recent ? view_.time() : now;
  }
  double again_time(Index, double now) const { return now; }
  double leaf_time(Index, double now) const { return now; }
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                            float separation) {
    return bits(bounds.gap - separation > settled_gap * expansion.reach());
  }
  /// Of fine meshes the first triangles that come up are mostly those that touch.
  static constexpr bool packs_triangles = false;

 private:
  double last_;
  bool at_rest_;
  PairView view_;
};

/// Keeps its memory from query to query. Not inlined, so that the walk finds it once and not with
/// every access.
[[gnu::noinline]] EarliestFirst<OnePair>& walk_of_thread() {
  thread_local EarliestFirst<OnePair> walk;
  return walk;
}

}  // namespace

Contact first_touch(const MovingPair& pair, double start) {
  EarliestFirst<OnePair>& walk = walk_of_thread();
  OnePair pairs(pair);
  Contact contact;
  walk.start(pairs, pair.options().cutoff, pair.options().budget);
  walk.add(0, start);
  while (!walk.is_over() && contact.status == Status::free) walk.step(contact);
  return contact;
}

}  // namespace toccata
