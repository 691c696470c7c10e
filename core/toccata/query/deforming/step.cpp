#include "toccata/query/deforming/step.hpp"

#include <string>

#include "toccata/base/expects.hpp"
#include "toccata/query/deforming/block_walk.hpp"
#include "toccata/query/deforming/contacts_by_bvh.hpp"
#include "toccata/query/deforming/contacts_by_clusters.hpp"

namespace toccata {
namespace {

void check_frame(std::span<const Vec3d> frame, std::size_t count, const char* argument) {
  expects(frame.size() == count, argument, "expected a row for each vertex",
          static_cast<double>(frame.size()));
  for (std::size_t i = 0; i < frame.size(); ++i)
    if (!is_finite(frame[i]))
      throw std::invalid_argument(std::string(argument) + ": row " + std::to_string(i) +
                                  " is not finite");
}

}  // namespace

StepContacts step_contacts(const Features& features, const Exceptions& exceptions,
                           const StepFrames& frames, const StepOptions& options) {
  check_frame(frames.start, features.vertex_count, "v0");
  check_frame(frames.end, features.vertex_count, "v1");
  const LocalFrame local(frames, options.separation);
  LinearOptions linear{options.separation, options.tolerance, options.budget};
  if (linear.tolerance == 0) linear.tolerance = 1e-6 * local.diagonal;
  if (linear.tolerance == 0) linear.tolerance = 1e-6;  // all vertices at one point
  if (features.element_count() == 0) {
    StepContacts nothing;
    nothing.tolerance = linear.tolerance;
    return nothing;
  }
  const StepProblem problem{features, exceptions, frames, linear, options.all_contacts};
  switch (options.method) {
    case StepMethod::bvh: return contacts_by_bvh(problem, local, options.threads);
    case StepMethod::clusters: return contacts_by_clusters(problem, local, options.threads);
    case StepMethod::automatic: break;
  }
  // Clusters skip what is proven free of contact, which says nothing about a separation.
  const bool clustered = options.separation == 0 && !features.faces.empty();
  return clustered ? contacts_by_clusters(problem, local, options.threads)
                   : contacts_by_blocks(problem, local, options.threads);
}

}  // namespace toccata
