#include "toccata/query/deforming/leaf_clusters.hpp"

namespace toccata {
namespace {

class Cut {
 public:
  Cut(const FaceLinks& links, const Patches& patches, const Partition& groups, Index most)
      : links_(links), patches_(patches), groups_(groups), most_(most),
        group_(groups.order.size()), piece_(links.across.size(), FaceLinks::none) {
    for (Index g = 0; g < groups.count(); ++g)
      for (const Index patch : groups.part(g)) group_[patch] = g;
  }

  LeafClusters run() {
    for (Index g = 0; g < groups_.count(); ++g) {
      const Index begin = static_cast<Index>(sizes_.size());
      order_.clear();
      for (const Index patch : groups_.part(g))
        for (const Index face : patches_.faces.part(patch))
          if (piece_[face] == FaceLinks::none) add_piece(face);
      join_small(begin);
      finish_group(begin);
    }
    return std::move(out_);
  }

 private:
  /// Rings around a seed, inside its group.
  void add_piece(Index seed) {
    const Index piece = static_cast<Index>(sizes_.size()), begin = size(), g = group_of(seed);
    const auto take = [&](Index face) {
      piece_[face] = piece;
      order_.push_back(face);
    };
    take(seed);
    for (Index next = begin; next < size() && size() - begin < most_; ++next)
      for (const Index face : links_.across[order_[next]])
        if (face != FaceLinks::none && piece_[face] == FaceLinks::none && group_of(face) == g)
          take(face);
    sizes_.push_back(size() - begin);
    into_.push_back(piece);
  }

  /// Small pieces are left between large ones: the first one across takes them.
  void join_small(Index begin) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Index piece = piece_[order_[i]];
      if (into_[piece] != piece || sizes_[piece] > most_ / 8) continue;
      for (const Index face : links_.across[order_[i]]) {
        if (face == FaceLinks::none || piece_[face] < begin) continue;
        const Index other = piece_[face];
        if (other == piece || sizes_[other] <= most_ / 8) continue;
        into_[piece] = other;
        sizes_[other] += sizes_[piece];
        break;
      }
    }
  }

  /// Writes the pieces that are left one after the other.
  void finish_group(Index begin) {
    std::vector<Index>& next = places_;
    next.assign(sizes_.size() - begin, 0);
    Partition& faces = out_.faces;
    for (Index piece = begin; piece < static_cast<Index>(sizes_.size()); ++piece)
      if (into_[piece] == piece) {
        next[piece - begin] = static_cast<Index>(faces.order.size());
        faces.order.resize(faces.order.size() + sizes_[piece]);
        faces.close_part();
      }
    for (const Index face : order_) faces.order[next[into_[piece_[face]] - begin]++] = face;
    out_.first.push_back(faces.count());
  }

  Index group_of(Index face) const { return group_[patches_.owner[face]]; }
  Index size() const { return static_cast<Index>(order_.size()); }

  const FaceLinks& links_;
  const Patches& patches_;
  const Partition& groups_;
  Index most_;
  std::vector<Index> group_;         ///< of each patch
  std::vector<Index> piece_;         ///< of each face
  std::vector<Index> sizes_, into_;  ///< of each piece: its faces, and the piece that took it
  std::vector<Index> order_;         ///< faces of the current group, piece by piece
  std::vector<Index> places_;
  LeafClusters out_;
};

}  // namespace

LeafClusters cut_clusters(const FaceLinks& links, const Patches& patches, const Partition& groups,
                          Index most) {
  return Cut(links, patches, groups, most).run();
}

}  // namespace toccata
