// Lists of links and joints by frame and coordinate, and boxes around the links of each frame.
#include "toccata/robot/assembly.hpp"

#include <algorithm>

namespace toccata {
namespace {

Box box_of(const Mesh& mesh) {
  Box box;
  for (const Vec3d& p : mesh.vertices()) extend(box, p);
  return box;
}

OrientedBox oriented(const Box& box) {
  const Vec3d half = extent(box) * 0.5;
  return {center(box), {{half.x, 0, 0}, {0, half.y, 0}, {0, 0, half.z}}};
}

OrientedBox oriented_box_of(const Mesh& mesh) {
  const Volume v = volume<VolumeKind::box>(mesh.bvh().nodes[0], 0);
  return {mesh.center() + to_double(v.center),
          {to_double(v.axes.x) * v.half.x, to_double(v.axes.y) * v.half.y,
           to_double(v.axes.z) * v.half.z}};
}

}  // namespace

Assembly::Assembly(std::span<const Joint> joints, std::span<const Link> links, Index coordinates)
    : tree_(joints),
      boxes_(joints.size() + 1),
      oriented_(joints.size() + 1),
      reaches_(joints.size() + 1, 0) {
  const auto listed = [](std::size_t count, std::size_t items, const auto& for_each) {
    Lists lists;
    lists.begin.assign(count + 1, 0);
    for (std::size_t i = 0; i < items; ++i) for_each(i, [&](Index key) { ++lists.begin[key + 1]; });
    for (std::size_t k = 0; k < count; ++k) lists.begin[k + 1] += lists.begin[k];
    lists.all.resize(lists.begin[count]);
    std::vector<Index> next = lists.begin;
    for (std::size_t i = 0; i < items; ++i)
      for_each(i, [&](Index key) { lists.all[next[key]++] = static_cast<Index>(i); });
    return lists;
  };
  links_ = listed(joints.size() + 1, links.size(),
                  [&](std::size_t i, const auto& add) { add(links[i].joint + 1); });
  joints_ = listed(coordinates, joints.size(), [&](std::size_t j, const auto& add) {
    for (Index k = 0; k < coordinate_count(joints[j].kind); ++k) add(joints[j].coordinate + k);
  });
  for (const Link& link : links) {
    const Index frame = link.joint + 1;
    extend(boxes_[frame], box_of(*link.mesh));
    reaches_[frame] = std::max(reaches_[frame], link.mesh->reach());
  }
  for (Index f = 0; f < static_cast<Index>(boxes_.size()); ++f) {
    const std::span<const Index> own = this->links(f);
    if (!own.empty()) frames_.push_back(f);
    if (own.size() == 1) oriented_[f] = oriented_box_of(*links[own[0]].mesh);
    else if (!own.empty()) oriented_[f] = oriented(boxes_[f]);
  }
}

}  // namespace toccata
