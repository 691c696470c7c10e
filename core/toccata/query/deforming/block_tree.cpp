#include "toccata/query/deforming/block_tree.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/spatial_order.hpp"

namespace toccata {
namespace {

constexpr std::size_t chunk = 1 << 10;  // blocks or packs that a thread takes at once

/// Calls visit(feature) for the features that the elements of a block own.
template <class Visit>
void for_each_owned(std::span<const Features::Three> owned, std::span<const Index> elements,
                    const Visit& visit) {
  for (const Index e : elements)
    for (const Index feature : owned[e])
      if (feature != Features::none) visit(feature);
}

/// Fills lanes of consecutive packs.
class Filler {
 public:
  Filler(std::vector<FeaturePack>& to, PackRange range) : to_(to), next_(range.begin * lanes) {}
  void add(Index id, const MovingBox& box, const std::array<Index, 3>& corners) {
    FeaturePack& pack = to_[next_ / lanes];
    const int lane = next_++ % lanes;
    pack.boxes.set(lane, box);
    pack.ids[lane] = id;
    for (int k = 0; k < 3; ++k) pack.corners[k].set(lane, corners[k]);
  }

 private:
  std::vector<FeaturePack>& to_;
  Index next_;
};

class Builder {
 public:
  Builder(const Features& features, const LocalFrame& local, unsigned threads)
      : f_(features),
        local_(local),
        threads_(threads),
        order_(spatial_order(features, local, BlockTree::block_size, threads)) {}

  BlockTree build() {
    lay_out();
    tree_.levels.push_back(std::vector<MovingBoxes>((tree_.blocks.size() + lanes - 1) / lanes));
    each(tree_.blocks.size(), [this](std::size_t i) { fill(i); });
    while (tree_.levels.back().size() > 1) add_level();
    return std::move(tree_);
  }

 private:
  template <class Body>
  void each(std::size_t count, const Body& body) const {
    parallel_for(count, chunk, threads_, [&](std::size_t begin, std::size_t end, unsigned) {
      for (std::size_t i = begin; i < end; ++i) body(i);
    });
  }

  std::span<const Index> elements(std::size_t block) const {
    const std::size_t begin = block * BlockTree::block_size;
    return std::span(order_).subspan(
        begin, std::min<std::size_t>(BlockTree::block_size, order_.size() - begin));
  }

  bool is_face(Index element) const { return static_cast<std::size_t>(element) < f_.faces.size(); }

  /// Gives each block its packs.
  void lay_out() {
    tree_.blocks.resize((order_.size() + BlockTree::block_size - 1) / BlockTree::block_size);
    PackRange faces{0, 0}, edges{0, 0}, vertices{0, 0};
    const auto take = [](PackRange& range, Index count) {
      range = {range.end, range.end + (count + lanes - 1) / lanes};
      return range;
    };
    for (std::size_t i = 0; i < tree_.blocks.size(); ++i) {
      Index face_count = 0, edge_count = 0, vertex_count = 0;
      for (const Index e : elements(i)) face_count += is_face(e);
      for_each_owned(f_.owned_edges, elements(i), [&](Index) { ++edge_count; });
      for_each_owned(f_.owned_vertices, elements(i), [&](Index) { ++vertex_count; });
      tree_.blocks[i] = {take(faces, face_count), take(edges, edge_count),
                         take(vertices, vertex_count)};
    }
    tree_.faces.resize(faces.end);
    tree_.edges.resize(edges.end);
    tree_.vertices.resize(vertices.end);
  }

  void fill(std::size_t i) {
    const Block& block = tree_.blocks[i];
    Filler faces(tree_.faces, block.faces), edges(tree_.edges, block.edges),
        vertices(tree_.vertices, block.vertices);
    MovingBox around;
    for (const Index e : elements(i)) {
      const Face corners = f_.corners(e);
      for (const Index v : corners) extend(around, local_.start(v), local_.end(v));
      if (is_face(e)) faces.add(e, local_.box(corners), corners);
    }
    for_each_owned(f_.owned_edges, elements(i), [&](Index e) {
      const auto [a, b] = f_.edges[e];
      edges.add(e, local_.box(f_.edges[e]), {a, b, b});
    });
    for_each_owned(f_.owned_vertices, elements(i),
                   [&](Index v) { vertices.add(v, local_.box(std::array{v}), {v, v, v}); });
    tree_.levels[0][i / lanes].set(static_cast<int>(i % lanes), grown(around, local_.margin));
  }

  void add_level() {
    const std::vector<MovingBoxes>& below = tree_.levels.back();
    std::vector<MovingBoxes> level((below.size() + lanes - 1) / lanes);
    for (std::size_t i = 0; i < below.size(); ++i)
      level[i / lanes].set(static_cast<int>(i % lanes), around(below[i]));
    tree_.levels.push_back(std::move(level));
  }

  const Features& f_;
  const LocalFrame& local_;
  unsigned threads_;
  std::vector<Index> order_;
  BlockTree tree_;
};

}  // namespace

BlockTree build_blocks(const Features& features, const LocalFrame& local, unsigned threads) {
  return Builder(features, local, threads).build();
}

}  // namespace toccata
