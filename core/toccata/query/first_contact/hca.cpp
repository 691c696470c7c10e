// method="hca": hierarchical conservative advancement of two rigid bodies (Tang et al. 2013,
// algorithm 3). The traversal is in walk/depth_first.hpp.
#include <array>

#include "toccata/base/of_thread.hpp"
#include "toccata/query/first_contact/methods.hpp"
#include "toccata/walk/depth_first.hpp"
#include "toccata/walk/pair_view.hpp"

namespace toccata {
namespace {

/// Gap beyond the separation, as a share of a node pair's size, above which another advance is
/// worth more than a split. The run time is the same between 0.05 and 0.15, measured on the
/// benchmark's models.
constexpr float promising_gap = 0.1f;

/// Advances the pending siblings that are free until the time of `view` once, from that time. The
/// bounds of the view hold at least until `cutoff`.
void advance_from(PairView& view, const Expansion<VolumeKind::swept>& expansion, double cutoff,
                  TimedSiblings& siblings, Stats& stats) {
  const RelativeState& relative = view.relative(siblings.nodes.of_a);
  const Approach bounds = expansion.bounds(relative);
  const unsigned pending = siblings.time.pending();
  const float separation = static_cast<float>(view.pair().separation());
  unsigned promising = bits(bounds.gap - separation > promising_gap * expansion.reach());
  Pack step = bounds.step;
  if (stats.ca_iterations > many_steps) [[unlikely]] {
    step = expansion.tighten(view.state(), cutoff - view.time(), pending, step);
    promising |= bits(step >= relative.longest_advance);
  }
  unsigned known = 0;
  for (int k = 0; k < 2; ++k) {
    Quad& time = siblings.time.half[k];
    const QuadMask reached = time >= view.time();
    known |= bits(reached) << 4 * k;
    time = select(reached, max(time, view.time() + widened(step, k)), time);
    time = select(time < cutoff, time, quad(LaneTimes::never));
  }
  const unsigned left = siblings.time.pending();
  siblings.promising = left & ((siblings.promising & ~known) | (promising & known));
  ++stats.ca_iterations;
  stats.bv_tests += std::popcount(pending);
  stats.front_nodes += std::popcount(pending & ~left);
}

/// Two bodies with their own motions, as a `DepthSource`.
class Source {
 public:
  using Pair = MovingPair;
  static constexpr int most_steps = 8;
  static constexpr bool stops_short = true;

  /// Bounds hold until `last`.
  Source(const MovingPair& pair, double last)
      : last_(last),
        at_rest_(pair.motion_a().is_fixed() && pair.motion_b().is_fixed()),
        view_(pair, last) {}

  const MovingPair* key() const { return &view_.pair(); }
  const MovingPair& pair() const { return view_.pair(); }
  bool is_at_rest() const { return at_rest_; }
  Span window(double time, double) const { return {time, last_}; }
  const PairState& at(Span window) { return view_.move_to(window.time); }
  void advance(const Expansion<VolumeKind::swept>& expansion, double time, double cutoff,
               TimedSiblings& siblings, Stats& stats) {
    view_.move_to(time);
    advance_from(view_, expansion, cutoff, siblings, stats);
  }

 private:
  double last_;
  bool at_rest_;
  PairView view_;
};

/// Returns the answer of a finished traversal.
Contact found_by(const DepthFirst<Source>& walk) {
  Contact contact = walk.earliest().contact;
  contact.stats = walk.stats();
  double safe = walk.earliest().cutoff;
  for (const DepthTask& task : walk.rest()) safe = std::min(safe, task.time);
  if (walk.exhausted()) contact.give_up(safe);
  return contact;
}

}  // namespace

Contact hca(const MovingPair& pair, double start) {
  auto& walk = of_thread<DepthFirst<Source>>();
  const double cutoff = pair.options().cutoff;
  walk.start(cutoff, pair.options().budget, false);
  // A depth-first traversal never joins a node pair that was split. The motion is therefore divided
  // into windows of about a radian: node pairs that are close once in a turn would otherwise be
  // split for all turns.
  for (double time = start; time < cutoff;) {
    const double step = longest_advance(spin_of(pair.state(time, std::min(cutoff, 1.0))));
    // Time advances however fast the bodies turn.
    const double end = std::min(cutoff, std::max(time + step, std::nextafter(time, 2.0)));
    Source source(pair, std::min(end, 1.0));
    walk.set_earliest({end});
    walk.switch_to(source, std::array{DepthTask{time, root_pair(), 0}});
    walk.run({});
    if (walk.earliest().contact.status != Status::free || walk.exhausted()) return found_by(walk);
    if (walk.is_clear()) break;
    time = end;
  }
  Contact contact;
  contact.stats = walk.stats();
  return contact;
}

}  // namespace toccata
