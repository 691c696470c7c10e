// The walk of method="interval": pairs of nodes, each with the window of time in which its boxes
// may overlap; earlier halves and earlier children first.
//
// When a pair is looked at in a window, nothing below it touches from `start` up to that window:
// earlier parts were excluded, or searched before. A contact found there has become the cutoff, and
// windows behind the cutoff are not looked at.
#include "toccata/query/first_contact/interval.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "toccata/narrow/interval/boxes.hpp"
#include "toccata/query/first_contact/interval_front.hpp"
#include "toccata/query/first_contact/interval_leaf.hpp"

namespace toccata {
namespace {

// The paper's k: a window is halved when its path exceeds this share of the boxes' extent along it.
// As printed, the test adds the extent of one box to the path: boxes of like size would be halved
// for ever. Here both extents are on the other side.
constexpr float halving_share = 0.2f;
// The paper first tests both ends of the window, and descends at once where boxes overlap there.
// Here the one packed test tells: no axis cuts that end off. If the boxes move by more than their
// extent, its bounds are too weak to mean overlap, and the window is halved all the same.
constexpr float overlapping_share = 1.0f;

// Beyond this, boxes are looked at before a window is halved again: parts of it that are free need
// no halves, and flat or thin boxes, whose share never becomes small, would be halved down to the
// tolerance all over the window.
constexpr float most_excess = 16.0f;

struct Task {
  NodePair nodes;
  Interval window;
  FrontRecord::Home home;  // none once the window is halved
  float excess = 0;        // above 1, the window is halved before the pair is descended
  float distance = 0;      // of the boxes' centers
};

/// The stack hands out its last task first: earlier and nearer ones belong there.
bool later(const Task& s, const Task& t) {
  return s.window.lo > t.window.lo || (s.window.lo == t.window.lo && s.distance > t.distance);
}

/// A window with the relative motion in its middle.
struct WindowView {
  Interval window;
  double middle;
  RelativeTaylor<float> motion;
  BoxWindow box;
};

class IntervalWalk {
 public:
  IntervalWalk(const MovingPair& pair, double start, Coherence* coherence)
      : pair_(pair),
        view_(pair, start),
        start_(start),
        cutoff_(pair.options().cutoff),
        tolerance_(static_cast<float>(pair.tolerance())),
        work_{pair.options().budget, {}},
        coherence_(coherence),
        front_(coherence, 8 * (pair.mesh_a().faces().size() + pair.mesh_b().faces().size())) {
    stack_.clear();
  }

  Contact run() {
    if (coherence_) seed();
    bool finished = open_front();
    while (finished && !stack_.empty()) {
      Task task = stack_.back();
      stack_.pop_back();
      finished = visit(task);
      if (!finished) stack_.push_back(task);
    }
    if (!finished) give_up();
    if (coherence_) remember();
    contact_.stats = work_.stats;
    return contact_;
  }

 private:
  /// Tries the triangles of the last contact first: if they touch again, all windows are cut.
  void seed() {
    if (coherence_->mesh_a != &pair_.mesh_a() || coherence_->mesh_b != &pair_.mesh_b())
      *coherence_ = {};
    const Index a = coherence_->element_a, b = coherence_->element_b;
    if (a < 0) return;
    const LeafSearch found = first_touch(view_, a, b, {start_, end()}, work_);
    if (found.outcome == LeafSearch::Outcome::touch) keep(found, a, b);
  }

  /// Looks at the remembered front, or at the roots.
  bool open_front() {
    const FrontSiblings roots[] = {{{0, Bvh::root(), true}, 1}};
    std::span<const FrontSiblings> rest = roots;
    if (coherence_ && !coherence_->front.empty()) rest = coherence_->front;
    const WindowView now = window_view({start_, end()});
    for (; !rest.empty(); rest = rest.subspan(1)) {
      if (!work_.spend()) return leave_unseen(rest, now.window), false;
      look_at(rest.front(), now, front_.add(rest.front().nodes));
    }
    std::sort(stack_.begin(), stack_.end(), later);
    return true;
  }

  void leave_unseen(std::span<const FrontSiblings> rest, const Interval& window) {
    for (const auto& [siblings, open] : rest) {
      const auto home = front_.add(siblings);
      for_lanes(open, [&, pairs = siblings](int lane) {
        stack_.push_back({pairs.child(lane), window, home});
      });
    }
  }

  /// Tests the boxes of some pairs of a siblings, and puts those that may meet on the stack.
  void look_at(const FrontSiblings& pairs, const WindowView& now, FrontRecord::Home home) {
    const Siblings& siblings = pairs.nodes;
    const Bvh &a = pair_.mesh_a().bvh(), &b = pair_.mesh_b().bvh();
    const BoxLanes split = all_lanes((siblings.of_a ? a : b).nodes[siblings.parent]);
    const BoxLanes other =
        one_lane((siblings.of_a ? b : a).nodes[siblings.other.node()], siblings.other.lane());
    const BoxLanes &boxes_a = siblings.of_a ? split : other,
                   &boxes_b = siblings.of_a ? other : split;
    const BoxMeeting meeting =
        meet(view_.x_of(boxes_a, boxes_b), view_.y_of(boxes_a, boxes_b), now.motion, now.box);
    work_.stats.bv_tests += std::popcount(pairs.lanes);
    for_lanes(pairs.lanes, [&](int lane) {
      admit({siblings.child(lane), now.window, home}, now, meeting, lane);
    });
  }

  /// Does one task. Returns false when the budget ran out, with the time reached in the task.
  bool visit(Task& task) {
    if (task.window.lo >= cutoff_) return close(task), true;
    task.window.hi = std::min(task.window.hi, end());
    if (are_leaves(pair_, task.nodes)) return search(task);
    if (!work_.spend()) return false;
    if (task.excess > 1) halve(task);
    else descend(task);
    return true;
  }

  bool search(Task& task) {
    const Index a = element(pair_.mesh_a().bvh().child(task.nodes.a));
    const Index b = element(pair_.mesh_b().bvh().child(task.nodes.b));
    const LeafSearch found = first_touch(view_, a, b, task.window, work_);
    task.window.lo = found.time;
    if (found.outcome == LeafSearch::Outcome::stalled && work_.budget < 0) return false;
    keep(found, a, b);
    close(task);
    return true;
  }

  /// Takes over what is earlier than all that was found before.
  void keep(const LeafSearch& found, Index a, Index b) {
    if (found.outcome == LeafSearch::Outcome::free || !(found.time < cutoff_)) return;
    cutoff_ = found.time;
    if (found.outcome == LeafSearch::Outcome::touch)
      record(contact_, found.time, a, b, found.triangles);
    else leave_undecided(found.time);
  }

  void halve(Task task) {
    ++work_.stats.subdivisions;
    front_.keep(task.home, task.nodes);
    task.home = FrontRecord::none;
    task.excess /= 2;
    const Interval window = task.window;
    task.window = {middle(window), window.hi};
    stack_.push_back(task);
    task.window = {window.lo, middle(window)};
    stack_.push_back(task);
  }

  void descend(const Task& task) {
    const Expansion<VolumeKind::box> expansion(pair_, task.nodes);
    const auto first = static_cast<std::ptrdiff_t>(stack_.size());
    const bool whole = task.home != FrontRecord::none;
    look_at({expansion.siblings(), expansion.used()}, window_view(task.window),
            whole ? front_.add(expansion.siblings()) : FrontRecord::none);
    std::sort(stack_.begin() + first, stack_.end(), later);
  }

  WindowView window_view(const Interval& window) const {
    const double middle = toccata::middle(window);
    const double half = std::max(window.hi - middle, middle - window.lo);
    const RelativeTaylor<double> motion = view_.at(middle, window);
    return {window, middle, to_float(motion),
            box_window(motion, half, pair_.separation(), pair_.error(), view_.mesh_x().radius(),
                       view_.mesh_y().radius())};
  }

  /// Puts a pair on the stack with what is left of its window, or closes it if nothing is.
  void admit(Task task, const WindowView& now, const BoxMeeting& meeting, int lane) {
    const float from = meeting.from[lane], to = meeting.to[lane];
    if (from > to) return close(task);
    const double half = now.box.half;
    task.window.lo = std::max(now.window.lo, now.middle + half * from);
    task.window.hi = std::max(task.window.lo, std::min(now.window.hi, now.middle + half * to));
    const float left = (to - from) / 2, share = meeting.share[lane] * left;
    const bool overlap_at_end = from < -1 || to > 1;
    // What moves less than the tolerance, or than boxes resolve, is not worth halving, however thin
    // it is.
    const float resolved = std::max(tolerance_, 8 * now.box.slack);
    if (!overlap_at_end || share > overlapping_share)
      task.excess =
          std::min({share / halving_share, meeting.path[lane] * left / resolved, most_excess});
    task.distance = meeting.distance[lane];
    stack_.push_back(task);
  }

  void close(const Task& task) {
    ++work_.stats.front_nodes;
    front_.keep(task.home, task.nodes);
  }

  void leave_undecided(double time) {
    contact_ = {};
    contact_.status = Status::undecided;
    contact_.toc = contact_.safe_until = time;
  }

  /// The budget ran out. Of the tasks on the stack nothing is known beyond their windows' starts.
  void give_up() {
    double safe = cutoff_;
    for (const Task& open : stack_) safe = std::min(safe, open.window.lo);
    leave_undecided(safe);
    for (const Task& open : stack_) front_.keep(open.home, open.nodes);
  }

  void remember() {
    coherence_->mesh_a = &pair_.mesh_a(), coherence_->mesh_b = &pair_.mesh_b();
    if (contact_.status == Status::contact)
      coherence_->element_a = contact_.element_a, coherence_->element_b = contact_.element_b;
    front_.store();
  }

  /// A contact counts only if it is earlier than the cutoff.
  double end() const { return std::min(std::nextafter(cutoff_, 0.0), 1.0); }

  const MovingPair& pair_;
  const IntervalView view_;
  const double start_;
  double cutoff_;  // of all windows: the earliest contact so far
  const float tolerance_;
  Work work_;
  Coherence* coherence_;
  FrontRecord front_;
  Contact contact_;
  // Kept from query to query for its coherence.
  inline static thread_local std::vector<Task> stack_;
};

}  // namespace

Contact interval(const MovingPair& pair, double start, Coherence* coherence) {
  return IntervalWalk(pair, start, coherence).run();
}

}  // namespace toccata
