// Entry point of a step: validation, scaling, defaults and choice of the method.
#include "toccata/query/deforming/step.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/query/deforming/methods.hpp"

namespace toccata {
namespace {

/// Limit of coordinates and separations, far below the value for empty boxes in single precision.
constexpr double largest_input = 1e15;

bool is_inside(const Vec3d& p) { return is_finite(p) && largest(p) <= largest_input; }

[[noreturn]] void reject(const char* argument, std::size_t row, const Vec3d& p) {
  for (const double x : {p.x, p.y, p.z})
    if (!std::isfinite(x)) reject_not_finite(argument, x, row);
  throw std::invalid_argument(std::string(argument) + ": row " + std::to_string(row) +
                              " has a coordinate beyond 1e15, expected less");
}

/// Returns whether some vertices of a frame are too small for the arithmetic of the methods: see
/// math/scale.hpp.
bool is_small(std::span<const Vec3d> part) {
  return std::all_of(part.begin(), part.end(), [](const Vec3d& p) { return largest(p) < 0x1p-32; });
}

/// Returns whether all coordinates are small.
bool check_frame(std::span<const Vec3d> frame, std::size_t count, const char* argument,
                 unsigned threads) {
  expects(frame.size() == count, argument, "expected a row for each vertex",
          static_cast<double>(frame.size()));
  std::atomic<bool> good = true, small = true;
  parallel_for(count, 1 << 10, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    const auto part = frame.subspan(begin, end - begin);
    if (!std::all_of(part.begin(), part.end(), is_inside)) good = false;
    if (!is_small(part)) small = false;
  });
  if (good) return small;
  const auto bad = std::find_if_not(frame.begin(), frame.end(), is_inside);
  reject(argument, static_cast<std::size_t>(bad - frame.begin()), *bad);
}

/// Returns the exponent of the power of two by which small frames are scaled.
int scaling_of(const StepFrames& frames) {
  double extent = 0;
  for (const auto& frame : {frames.start, frames.end})
    for (const Vec3d& p : frame) extent = std::max(extent, largest(p));
  return scaling_for(extent);
}

std::vector<Vec3d> scaled_frame(std::span<const Vec3d> frame, int exponent) {
  std::vector<Vec3d> result;
  result.reserve(frame.size());
  for (const Vec3d& p : frame) result.push_back(scaled(p, exponent));
  return result;
}

StepContacts contacts_of(const Features& features, const Exceptions& exceptions,
                         const StepFrames& frames, const StepOptions& options,
                         StepMemory& workspace) {
  const LocalFrame local(frames, options.separation, options.threads);
  LinearOptions linear{options.separation, options.tolerance};
  if (linear.tolerance == 0) linear.tolerance = 1e-6 * local.diagonal;
  if (linear.tolerance == 0) linear.tolerance = 1e-6;  // all vertices at one point
  if (features.element_count() == 0) {
    StepContacts nothing;
    nothing.tolerance = linear.tolerance;
    return nothing;
  }
  const StepProblem problem{features,  exceptions,    frames, linear, options.all_contacts,
                            workspace, options.budget};
  switch (options.method) {
    case StepMethod::bvh:
      return contacts_by_bvh(problem, local, options.threads);
    case StepMethod::clusters:
      return contacts_by_clusters(problem, local, options.threads);
    case StepMethod::automatic:
      break;
  }
  return contacts_by_the_fastest(problem, local, options.threads);
}

/// Scales frames and distances, and scales the answer back.
StepContacts contacts_scaled(const Features& features, const Exceptions& exceptions,
                             const StepFrames& frames, const StepOptions& asked,
                             StepMemory& workspace) {
  const int exponent = scaling_of(frames);
  const std::vector<Vec3d> start = scaled_frame(frames.start, exponent);
  const std::vector<Vec3d> end = scaled_frame(frames.end, exponent);
  StepOptions options = asked;
  options.separation = scaled_distance(asked.separation, exponent);
  options.tolerance = scaled_distance(asked.tolerance, exponent);
  StepContacts found = contacts_of(features, exceptions, {start, end}, options, workspace);
  found.tolerance = asked.tolerance > 0 ? asked.tolerance : scaled(found.tolerance, -exponent);
  found.point_a = scaled(found.point_a, -exponent);
  found.point_b = scaled(found.point_b, -exponent);
  return found;
}

}  // namespace

StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options,
                           StepMemory& workspace) {
  const std::unique_lock lock(workspace.in_use, std::try_to_lock);
  if (!lock) return step_contacts(features, exceptions, frames, options);
  const bool small_start = check_frame(frames.start, features.vertex_count, "v0", options.threads);
  const bool small_end = check_frame(frames.end, features.vertex_count, "v1", options.threads);
  expects(options.separation >= 0 && options.separation <= largest_input, "separation",
          "expected a number from 0 to 1e15", options.separation);
  expects(options.tolerance >= 0 && std::isfinite(options.tolerance), "tolerance",
          "expected a finite number > 0", options.tolerance);
  const bool small = small_start && small_end;
  return (small ? contacts_scaled : contacts_of)(features, exceptions, frames, options, workspace);
}

StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options) {
  StepMemory workspace;
  return step_contacts(features, exceptions, frames, options, workspace);
}

}  // namespace toccata
