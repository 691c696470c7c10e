// The traversal of method="interval": node pairs, each with the window in which its boxes may
// overlap. Earlier halves of windows and earlier children come first.
//
// Invariant: when a node pair is visited in a window, its elements do not touch between `start` and
// that window, because earlier windows were excluded or searched before. The time of a contact
// becomes the cutoff, and later windows are skipped.
#include "toccata/query/first_contact/methods.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "toccata/narrow/interval/boxes.hpp"
#include "toccata/query/first_contact/interval_front.hpp"
#include "toccata/query/first_contact/interval_leaf.hpp"

namespace toccata {
namespace {

// The paper's k: a window is halved if the relative path of the boxes exceeds this share of their
// extents along the path. As printed, the test adds the extent of one box to the path, so boxes of
// similar size would be halved for ever. Here, both extents are on the other side.
constexpr float halving_share = 0.2f;
// The paper first tests the boxes at both ends of the window, and descends if they overlap. Here,
// an overlap follows from the packed test: no axis separates the boxes at that end. For boxes that
// move by more than this share of their extents, the test is too weak, and the window is halved
// anyway.
constexpr float overlapping_share = 1.0f;

// Largest excess: a window is halved at most four times before the boxes are tested again, because
// the test may exclude a part of it. Flat or thin boxes never reach a small share, and would
// otherwise be halved down to the tolerance in the whole window.
constexpr float most_excess = 16.0f;

/// A node pair on the stack, with its window.
struct Task {
  NodePair nodes;
  Interval window;
  FrontRecord::Home home;  // entry in the front; none after the window was halved
  float excess = 0;        // the window is halved while this is above 1
  float distance = 0;      // distance of the boxes' centers
};

/// Orders tasks for the stack: earlier and then nearer tasks go on top.
bool later(const Task& s, const Task& t) {
  return s.window.lo > t.window.lo || (s.window.lo == t.window.lo && s.distance > t.distance);
}

/// A window with the relative motion about its middle.
struct WindowView {
  Interval window;
  double middle;
  RelativeTaylor<float> motion;
  BoxWindow box;
};

/// The traversal for one query.
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
  /// Tests the triangles of the last contact first. If they touch again, their time is the cutoff.
  void seed() {
    if (coherence_->mesh_a != &pair_.mesh_a() || coherence_->mesh_b != &pair_.mesh_b())
      *coherence_ = {};
    const Index a = coherence_->element_a, b = coherence_->element_b;
    if (a < 0) return;
    const LeafSearch found = first_touch(view_, a, b, {start_, end()}, work_);
    if (found.outcome == LeafSearch::Outcome::touch) keep(found, a, b);
  }

  /// Tests the front of the last query, or the roots. Returns false when the budget runs out.
  bool open_front() {
    const FrontSiblings roots[] = {{{0, Bvh::root(), true}, 1}};
    std::span<const FrontSiblings> rest = roots;
    if (coherence_ && !coherence_->front.empty()) rest = coherence_->front;
    const WindowView now = window_view({start_, end()});
    for (; !rest.empty(); rest = rest.subspan(1)) {
      if (!work_.spend()) return leave_unseen(rest, now.window), false;
      test(rest.front(), now, front_.add(rest.front().nodes));
    }
    std::sort(stack_.begin(), stack_.end(), later);
    return true;
  }

  /// Pushes the rest of the front without a test.
  void leave_unseen(std::span<const FrontSiblings> rest, const Interval& window) {
    for (const auto& [siblings, pending] : rest) {
      const auto home = front_.add(siblings);
      for_lanes(pending, [&, pairs = siblings](int lane) {
        stack_.push_back({pairs.child(lane), window, home});
      });
    }
  }

  /// Tests the boxes of siblings, and pushes the node pairs that may touch.
  void test(const FrontSiblings& pairs, const WindowView& now, FrontRecord::Home home) {
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

  /// Does one task. Returns false when the budget runs out; `task` then holds the reached time.
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

  /// Records a contact or an undecided time if it is the earliest so far.
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
    test({expansion.siblings(), expansion.used()}, window_view(task.window),
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

  /// Pushes a node pair with the rest of its window, or closes it if the window is empty.
  void admit(Task task, const WindowView& now, const BoxMeeting& meeting, int lane) {
    const float from = meeting.from[lane], to = meeting.to[lane];
    if (from > to) return close(task);
    const double half = now.box.half;
    task.window.lo = std::max(now.window.lo, now.middle + half * from);
    task.window.hi = std::max(task.window.lo, std::min(now.window.hi, now.middle + half * to));
    const float left = (to - from) / 2, share = meeting.share[lane] * left;
    const bool overlap_at_end = from < -1 || to > 1;
    // Boxes that move less than the tolerance or their rounding error gain nothing from halving.
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

  /// Makes the answer undecided after the budget ran out: from the earliest window on the stack on.
  void give_up() {
    double safe = cutoff_;
    for (const Task& task : stack_) safe = std::min(safe, task.window.lo);
    leave_undecided(safe);
    for (const Task& task : stack_) front_.keep(task.home, task.nodes);
  }

  void remember() {
    coherence_->mesh_a = &pair_.mesh_a(), coherence_->mesh_b = &pair_.mesh_b();
    if (contact_.status == Status::contact)
      coherence_->element_a = contact_.element_a, coherence_->element_b = contact_.element_b;
    front_.store();
  }

  /// Returns the end of the searched window: a contact must be earlier than the cutoff.
  double end() const { return std::min(std::nextafter(cutoff_, 0.0), 1.0); }

  const MovingPair& pair_;
  const IntervalView view_;
  const double start_;
  double cutoff_;  // earliest contact so far
  const float tolerance_;
  Work work_;
  Coherence* coherence_;
  FrontRecord front_;
  Contact contact_;
  // A buffer that is reused across queries.
  inline static thread_local std::vector<Task> stack_;
};

}  // namespace

Contact interval(const MovingPair& pair, double start, Coherence* coherence) {
  return IntervalWalk(pair, start, coherence).run();
}

}  // namespace toccata
