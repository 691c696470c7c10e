#include "toccata/query/world.hpp"

#include <cmath>

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

}  // namespace

World::World(std::vector<const Mesh*> meshes, std::vector<Motion> motions)
    : meshes_(std::move(meshes)), motions_(std::move(motions)) {
  expects(meshes_.size() == motions_.size(), "motions", "expected as many as meshes");
  find_boxes(nullptr);
}

World World::part(const Interval& window) const {
  World result;
  result.meshes_ = meshes_;
  for (const Motion& motion : motions_) result.motions_.push_back(motion.part(window));
  result.find_boxes(this);
  return result;
}

/// `known` has the same bodies at rest: their boxes need not be made again.
void World::find_boxes(const World* known) {
  for (Index i = 0; i < static_cast<Index>(size()); ++i) {
    first_box_.push_back(static_cast<Index>(boxes_.size()));
    moves_ = moves_ || !is_fixed(i);
    if (is_fixed(i))
      boxes_.push_back(known ? known->box(i, {0, 1}) : box_at_rest(*meshes_[i], motions_[i]));
    for (int k = 0; k < windows && !is_fixed(i); ++k) {
      const Interval window{static_cast<double>(k) / windows, static_cast<double>(k + 1) / windows};
      boxes_.push_back(swept_box(motions_[i], meshes_[i]->center(), meshes_[i]->radius(), window));
    }
    append(packs_, i, outward(box(i, {0, 1})));
    radius_ = std::max(radius_, meshes_[i]->radius());
    extent_ = std::max({extent_, meshes_[i]->extent(), motions_[i].extent()});
  }
}

Box World::box(Index i, const Interval& window) const {
  if (is_fixed(i)) return boxes_[first_box_[i]];
  Box box;
  const int first = std::min(static_cast<int>(window.lo * windows), windows - 1);
  const int last = std::max(static_cast<int>(std::ceil(window.hi * windows)), first + 1);
  for (int k = first; k < last; ++k) extend(box, boxes_[first_box_[i] + k]);
  return box;
}

}  // namespace toccata
