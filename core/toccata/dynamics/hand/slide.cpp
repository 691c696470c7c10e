// Linearized constraints of a body moved by hand, and the projection onto them.
#include "toccata/dynamics/hand/slide.hpp"

#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

Vec3d edge_of(const Mesh& mesh, const Face& ids, const Mat3d& rotation) {
  return rotation * (mesh.vertices()[ids[1]] - mesh.vertices()[ids[0]]);
}

/// Returns a separating direction of two features after the body has turned: the lines or planes of
/// the features are at least as far apart as their distance along it.
Vec3d normal_after(const Slider& slider, const Proximity& p, const Mat3d& turn) {
  const Carried& other = slider.others[p.body_b];
  if (p.kind == Feature::face_vertex || p.kind == Feature::edge_vertex) return turn * p.normal;
  if (p.kind != Feature::edge_edge) return other.turned(p.normal);
  const Vec3d a = turn * edge_of(slider.mesh, p.vertices_a, slider.pose.rotation);
  const Vec3d b = edge_of(*other.mesh, p.vertices_b, other.after.rotation);
  const Vec3d across = cross(a, b);
  const double size = norm(across);
  if (!(size > 1e-3 * norm(a) * norm(b))) return p.normal;  // nearly parallel
  return across * ((dot(across, p.normal) < 0 ? -1 : 1) / size);
}

double row_times(const double* row, const Displacement& d) {
  return dot(Vec3d{row[0], row[1], row[2]}, d.linear) +
         dot(Vec3d{row[3], row[4], row[5]}, d.angular);
}

bool has_normal(const Proximity& p) { return p.normal.x == p.normal.x; }

}  // namespace

double SlideLimits::part_of(const Displacement& d) const {
  return std::min(translation / std::max(norm(d.linear), translation),
                  angle / std::max(norm(d.angular), angle));
}

void Slide::set_metric(const Mat3d& inertia) {
  const std::array<Vec3d, 3> columns{inertia.x, inertia.y, inertia.z};
  for (std::size_t i = 0; i < 3; ++i) {
    metric_[7 * i] = 1;
    double* row = &metric_[6 * (i + 3) + 3];
    row[0] = columns[i].x, row[1] = columns[i].y, row[2] = columns[i].z;
  }
}

/// Linearizes distances: a row times a displacement is the change of a distance to first order.
/// Distances may shrink to the shell, and smaller ones must grow towards it. Displacements of
/// others change the bounds.
void Slide::set_rows(const Slider& slider, std::span<const Proximity> proximities,
                     const SlideLimits& limits) {
  rows_.clear();
  bounds_.clear();
  pushes_.clear();
  for (const Proximity& p : proximities) {
    if (!has_normal(p)) continue;
    const Carried& other = slider.others[p.body_b];
    const Vec3d arm = cross(p.point_a - slider.center, p.normal);
    for (const double x : {p.normal.x, p.normal.y, p.normal.z, arm.x, arm.y, arm.z})
      rows_.push_back(x);
    pushes_.push_back(other.moves ? dot(p.normal, other.moved(p.point_b) - p.point_b) : 0);
    bounds_.push_back(std::min(limits.shell - p.distance, limits.recovery) + pushes_.back());
  }
}

/// Adds the linearization errors at a displacement to the bounds.
void Slide::correct(const Slider& slider, std::span<const Proximity> proximities,
                    const Displacement& by) {
  const Mat3d turn = to_matrix(exp_rotation(by.angular));
  corrected_.clear();
  for (const Proximity& p : proximities) {
    if (!has_normal(p)) continue;
    const std::size_t i = corrected_.size();
    const Vec3d moved = slider.center + by.linear + turn * (p.point_a - slider.center);
    const Vec3d other = slider.others[p.body_b].moved(p.point_b);
    const double after = dot(normal_after(slider, p, turn), moved - other);
    const double linear = p.distance + row_times(&rows_[6 * i], by) - pushes_[i];
    corrected_.push_back(bounds_[i] + linear - after);
  }
}

/// Projects a displacement onto the rows. Without recovery and pushes by others, rest is allowed,
/// so a solution always exists.
Displacement Slide::project(const Displacement& wanted) {
  const Vec3d &v = wanted.linear, &w = wanted.angular;
  const std::array target{v.x, v.y, v.z, w.x, w.y, w.z};
  const auto is_solved = [&] {
    return projector_.solve({metric_, target, rows_, corrected_}) != ProjectionStatus::infeasible;
  };
  if (!is_solved()) {
    for (std::size_t i = 0; i < corrected_.size(); ++i)
      corrected_[i] = std::min(corrected_[i] - pushes_[i], 0.0) + pushes_[i];
    if (!is_solved()) {
      is_crushed_ = true;
      for (double& bound : corrected_) bound = std::min(bound, 0.0);
      is_solved();
    }
  }
  const std::span<const double> x = projector_.x();
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}

void Slide::find_wrench() {
  wrench_ = {};
  const std::span<const double> pulls = projector_.multipliers();
  for (std::size_t k = 0; k < pulls.size(); ++k) {
    const double* row = &rows_[6 * static_cast<std::size_t>(projector_.active()[k])];
    wrench_.linear = wrench_.linear + Vec3d{row[0], row[1], row[2]} * pulls[k];
    wrench_.angular = wrench_.angular + Vec3d{row[3], row[4], row[5]} * pulls[k];
  }
}

/// Returns the damping of a displacement that reverses the previous one: the portion at which it
/// vanishes, if it changes linearly along the step (Aitken's rule).
double Slide::damping(const Mat3d& inertia, const Displacement& whole) const {
  const auto product = [&](const Displacement& a, const Displacement& b) {
    return dot(a.linear, b.linear) + dot(a.angular, inertia * b.angular);
  };
  if (!has_last_ || product(last_whole_, whole) >= 0) return 1;
  const Displacement change{last_whole_.linear - whole.linear, last_whole_.angular - whole.angular};
  return std::clamp(product(last_step_, change) / product(change, change), 0x1p-6, 1.0);
}

/// Solves twice: the first solution has any length; a portion of it within the limits is then
/// corrected for linearization errors.
Displacement Slide::solve(const Slider& slider, std::span<const Proximity> proximities,
                          const Displacement& wanted, const SlideLimits& limits) {
  is_crushed_ = false;
  set_metric(slider.inertia);
  set_rows(slider, proximities, limits);
  corrected_ = bounds_;
  const Displacement whole = project(wanted);
  find_wrench();
  const Displacement part = whole * std::min(limits.part_of(whole), damping(slider.inertia, whole));
  last_whole_ = whole, has_last_ = false;
  correct(slider, proximities, part);
  const Displacement by = project(part);
  share_ = limits.part_of(by);
  return by * share_;
}

void Slide::set_rows_of_contacts(const Slider& slider, std::span<const Proximity> proximities) {
  constexpr SlideLimits none{0, 0, 0, 0};
  set_metric(slider.inertia);
  set_rows(slider, proximities, none);
  is_crushed_ = false;
}

Displacement Slide::stop(const Slider& slider, std::span<const Proximity> proximities,
                         const Displacement& velocity, double duration) {
  set_rows_of_contacts(slider, proximities);
  corrected_.resize(pushes_.size());
  for (std::size_t i = 0; i < pushes_.size(); ++i) corrected_[i] = pushes_[i] /= duration;
  return project(velocity);
}

Displacement Slide::hold(const Slider& slider, std::span<const Proximity> proximities,
                         const Displacement& velocity, const Displacement& acceleration,
                         double least) {
  set_rows_of_contacts(slider, proximities);
  std::size_t count = 0;
  for (std::size_t i = 0; 6 * i < rows_.size(); ++i)
    if (!(row_times(&rows_[6 * i], velocity) > least))
      std::copy_n(&rows_[6 * i], 6, &rows_[6 * count++]);
  rows_.resize(6 * count);
  pushes_.assign(count, 0);
  corrected_.assign(count, 0);
  const Displacement held = project(acceleration);
  find_wrench();
  return held;
}

}  // namespace toccata
