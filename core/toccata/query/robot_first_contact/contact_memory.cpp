#include "toccata/query/robot_first_contact/contact_memory.hpp"

namespace toccata {
namespace {

bool has(const Mesh& mesh, Index element) {
  const std::size_t count = mesh.surface() ? mesh.cells().size() : mesh.faces().size();
  return static_cast<std::size_t>(element) < count;
}

}  // namespace

std::optional<ElementPair> ContactMemory::recall(const RobotInWorld& setting,
                                                 const Candidate& candidate) const {
  if (known_.empty()) return std::nullopt;
  const bool is_link = candidate.links >= 0;
  const auto found =
      known_.find({candidate.a, is_link ? candidate.b : -1, is_link ? -1 : candidate.b});
  if (found == known_.end()) return std::nullopt;
  const ElementPair known = found->second;
  if (!has(setting.mesh_a(candidate), known.a) || !has(setting.mesh_b(candidate), known.b))
    return std::nullopt;
  return known;
}

}  // namespace toccata
