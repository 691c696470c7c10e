// Trees of boxes over the links of a group in their order, in which neighbors are close.
#include "toccata/dynamics/articulated/link_boxes.hpp"

namespace toccata {

void LinkBoxes::build(const LinkTree& tree, std::span<const Index> links,
                      std::span<const SimulatedBody> bodies) {
  nodes_.clear(), roots_.clear();
  std::vector<std::vector<Index>> members(tree.groups().size());
  std::vector<Box> boxes(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    const SimulatedBody& body = bodies[links[i]];
    if (!body.is_link()) continue;
    const LinkSite& site = tree.links()[i];
    members[site.joint + 1].push_back(static_cast<Index>(i));
    boxes[i] = box_at(site.offset, body.middle, body.half);
  }
  for (std::size_t g = 0; g < members.size(); ++g)
    if (!members[g].empty()) roots_.push_back(add(static_cast<Index>(g), members[g], boxes));
}

Index LinkBoxes::add(Index group, std::span<const Index> links, std::span<const Box> boxes) {
  const auto index = static_cast<Index>(nodes_.size());
  nodes_.push_back({boxes[links[0]], links[0], -1, group});
  if (links.size() == 1) return index;
  const std::size_t half = links.size() / 2;
  add(group, links.first(half), boxes);
  const Index right = add(group, links.subspan(half), boxes);
  Node& node = nodes_[index];
  node.link = -1, node.right = right;
  node.box = nodes_[index + 1].box;
  extend(node.box, nodes_[right].box);
  return index;
}

}  // namespace toccata
