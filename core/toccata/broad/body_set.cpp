// Boxes of bodies: exact boxes of fixed bodies, and Taylor expansions in each window of a moving
// body.
#include "toccata/broad/body_set.hpp"

#include <atomic>
#include <cmath>
#include <utility>

#include "toccata/base/expects.hpp"

namespace toccata {
namespace {

Box box_at_rest(const Mesh& mesh, const Motion& motion) {
  if (mesh.surface()) return swept_box(motion, mesh.center(), mesh.radius(), {0, 1});
  const Pose pose = motion.pose(0);
  Box box;
  for (const Face& face : mesh.faces())
    for (const Index v : face) extend(box, pose * mesh.vertices()[v]);
  return grown(box, motion.error(mesh.reach()));
}

Box window_box(const Body& body, int k) {
  const Interval window{static_cast<double>(k) / BodySet::windows,
                        static_cast<double>(k + 1) / BodySet::windows};
  return swept_box(body.motion, body.mesh.center(), body.mesh.radius(), window);
}

/// Returns the box of a motion at constant rates.
///
/// It contains the boxes of all windows: these are Taylor expansions about other times, with the
/// same bound of the acceleration. An expansion about the middle of a window encloses all that such
/// an expansion encloses over a part of the window. Rounding differs by less than 2^-48 of the
/// coordinates.
Box box_of_twist(const Body& body) {
  const Box box = swept_box(body.motion, body.mesh.center(), body.mesh.radius(), {0, 1});
  return grown(box, 0x1p-40 * (norm1(box.lo) + norm1(box.hi)));
}

/// Returns whether one expansion for the whole motion is about as tight as one per window.
bool bends_little(const Body& body) {
  const MotionState state = body.motion.state(0, 1);
  const double arm = norm(body.mesh.center() - state.pivot);
  const double bend = state.acceleration + state.spin_speed * state.spin_speed * arm;
  return bend <= 8 * body.mesh.radius();
}

Count next_id() {
  static std::atomic<Count> last{0};
  return ++last;
}

bool is_same(const Pose& a, const Pose& b) {
  const auto equal = [](const Vec3d& u, const Vec3d& v) {
    return u.x == v.x && u.y == v.y && u.z == v.z;
  };
  return equal(a.translation, b.translation) && equal(a.rotation.x, b.rotation.x) &&
         equal(a.rotation.y, b.rotation.y) && equal(a.rotation.z, b.rotation.z);
}

/// Returns whether a mesh keeps its pose and its rounding error.
bool stays(const Mesh& mesh, const Motion& before, const Motion& now) {
  return before.is_fixed() && now.is_fixed() && is_same(before.pose(0), now.pose(0)) &&
         before.error(mesh.reach()) == now.error(mesh.reach());
}

}  // namespace

Box BodySet::Sweep::over(const Body& body, int first, int last) {
  State unknown = State::unknown;
  if (state_.load(std::memory_order_relaxed) == unknown &&
      state_.compare_exchange_strong(unknown, State::in_work, std::memory_order_acquire))
    make(body);
  const bool known = state_.load(std::memory_order_acquire) == State::known;
  Box box;
  for (int k = first; k < last; ++k) extend(box, known ? boxes_[k] : window_box(body, k));
  return box;
}

void BodySet::Sweep::make(const Body& body) {
  for (int k = 0; k < windows; ++k) boxes_[k] = window_box(body, k);
  state_.store(State::known, std::memory_order_release);
}

BodySet::BodySet(std::vector<const Mesh*> meshes, std::vector<Motion> motions)
    : id_(next_id()),
      meshes_(std::move(meshes)),
      motions_(std::move(motions)),
      boxes_(meshes_.size()),
      sweep_(meshes_.size(), -1),
      is_moved_(meshes_.size()) {
  expects(meshes_.size() == motions_.size(), "motions", "expected as many as meshes");
  sweeps_.reserve(meshes_.size());
  for (Index i = 0; i < static_cast<Index>(size()); ++i) find_box(i);
  for (Index i = 0; i < static_cast<Index>(size()); ++i) append(packs_, i, outward(boxes_[i]));
  find_extent();
}

BodySet BodySet::part(const Interval& window) const {
  BodySet result = *this;
  for (Index i = 0; i < static_cast<Index>(size()); ++i)
    if (!is_fixed(i)) result.move(i, motions_[i].part(window));
  result.update();
  return result;
}

void BodySet::move(Index i, const Motion& motion) {
  if (stays(*meshes_[i], motions_[i], motion)) return;
  rest_changed_ = rest_changed_ || is_fixed(i) || motion.is_fixed();
  motions_[i] = motion;
  if (is_moved_[i]) return;
  is_moved_[i] = true;
  moved_.push_back(i);
}

bool BodySet::update() {
  if (moved_.empty()) return false;
  if (rest_changed_) id_ = next_id();
  for (const Index i : moved_) {
    find_box(i);
    set_lane(packs_[i / lanes], i % lanes, outward(boxes_[i]));
    is_moved_[i] = false;
  }
  moved_.clear();
  find_extent();
  return std::exchange(rest_changed_, false);
}

void BodySet::find_box(Index i) {
  const Body body = this->body(i);
  if (is_fixed(i)) {
    boxes_[i] = box_at_rest(body.mesh, body.motion);
    return;
  }
  if (sweep_[i] < 0) {
    sweep_[i] = static_cast<Index>(sweeps_.size());
    sweeps_.emplace_back();
  }
  sweeps_[sweep_[i]].forget();
  boxes_[i] = body.motion.is_twist() && bends_little(body) ? box_of_twist(body)
                                                           : sweep_of(i, 0, windows);
}

void BodySet::find_extent() {
  radii_ = {};
  extent_ = 0;
  moves_ = false;
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    radii_.add(meshes_[i]->radius());
    extent_ = std::max({extent_, meshes_[i]->extent(), motions_[i].extent()});
    moves_ = moves_ || !is_fixed(i);
  }
}

double BodySet::error() const {
  double error = 0;
  for (Index i = 0; i < static_cast<Index>(size()); ++i)
    error = std::max(error, rounding_error(body(i)));
  return error;
}

Box BodySet::box(Index i, const Interval& window) const {
  if (is_fixed(i)) return boxes_[i];
  const int first = std::min(static_cast<int>(window.lo * windows), windows - 1);
  return sweep_of(i, first, std::max(static_cast<int>(std::ceil(window.hi * windows)), first + 1));
}

}  // namespace toccata
