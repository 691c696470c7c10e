// The two steps of the broad phase: boxes of whole motions, then boxes of windows.
#include "toccata/broad/robot_broad.hpp"

#include <algorithm>
#include <bit>

namespace toccata {
namespace {

/// Returns the number of windows for a motion with this largest rotation, in radians. It is 1 for a
/// few degrees, and grows because the box of a rotating link grows with the square of the angle. A
/// power of two, like the number of windows of the world.
int window_count(double turn) {
  const double wanted = std::min(turn / 0.4, static_cast<double>(BodySet::windows));
  return static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::max(wanted, 1.0))));
}

}  // namespace

std::span<Candidate> BroadPhase::start(const Robot& robot, const BodySet& world, LinkPoses& poses,
                                       const BroadQuery& query) {
  robot_ = &robot, poses_ = &poses;
  boxes_.start(robot, world, poses, query);
  found_.clear();
  by_tree_ = false;
  packs_.clear();
  for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i)
    append(packs_, i, outward(boxes_.in_world(i, whole_motion)));
  against_world();
  if (query.self_contact) against_itself();
  return found_;
}

std::span<Candidate> BroadPhase::start(const AssemblyWalk::Setting& setting,
                                       const BroadQuery& query) {
  robot_ = &setting.robot, poses_ = &setting.poses;
  boxes_.start(setting.robot, setting.world, setting.poses, query);
  found_.clear();
  by_tree_ = true;
  walk_.run(setting, boxes_, found_);
  return found_;
}

std::span<Candidate> BroadPhase::refine() {
  // Polynomial motions are curved even without rotation.
  const int finest = std::max(window_count(poses_->largest_turn()), poses_->is_curved() ? 8 : 1);
  // With a single window, the tree has already made the same comparisons, except with separations
  // of pairs.
  if (by_tree_ && finest == 1 && !boxes_.query().separations) return found_;
  for (int count = finest > 4 ? finest / 4 : finest; count <= finest; count *= 4) cut(count);
  return found_;
}

void BroadPhase::against_world() {
  for (std::size_t i = 0; i < robot_->links().size(); ++i)
    boxes_.list_bodies(box_of(packs_, i), static_cast<Index>(i), false, found_);
}

void BroadPhase::against_itself() {
  for (std::size_t a = 0; a < robot_->links().size(); ++a) {
    const Boxf box = box_of(packs_, a);
    unsigned later = ~1u << a % lanes;  // links of the pack that come after a
    for (std::size_t p = a / lanes; p < packs_.size(); ++p, later = ~0u)
      for (unsigned bits = later & meets(packs_[p], box); bits; bits &= bits - 1) {
        const std::size_t b = p * lanes + std::countr_zero(bits);
        const Index pair = robot_->pair(static_cast<Index>(a), static_cast<Index>(b));
        if (pair >= 0 && boxes_.balls_meet(robot_->pairs()[pair], whole_motion))
          found_.push_back({0, static_cast<Index>(a), static_cast<Index>(b), pair});
      }
  }
}

/// Finds the first of `count` windows in which each pair may touch, and drops pairs without such a
/// window. Iterates over windows first, because poses are cached for one time.
void BroadPhase::cut(int count) {
  waiting_.swap(found_);
  found_.clear();
  for (int k = 0; k < count && !waiting_.empty(); ++k) {
    const Window window{(k + 0.5) / count, 0.5 / count};
    std::size_t left = 0;
    for (Candidate& candidate : waiting_) {
      if (candidate.earliest >= window.end() || !boxes_.meet(candidate, window)) {
        waiting_[left++] = candidate;
        continue;
      }
      candidate.earliest = std::max(candidate.earliest, window.start());
      candidate.windows = windows_from(candidate.earliest);
      found_.push_back(candidate);
    }
    waiting_.resize(left);
  }
}

}  // namespace toccata
