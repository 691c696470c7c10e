// Region growing: growth of a patch around a seed, ring by ring, and the choice of a better seed.
#pragma once

#include <concepts>
#include <optional>

#include "toccata/base/uninitialized_vector.hpp"
#include "toccata/query/deforming/clusters/proof.hpp"

namespace toccata {

/// Interface to the faces of a growing patch, and to the faces that it may take. Copies share their
/// state.
template <class P>
concept GrowingPatch = std::copyable<P> && requires(const P& patch, Index face) {
  { patch.is_inside(face) } -> std::same_as<bool>;
  { patch.may_take(face) } -> std::same_as<bool>;
  patch.take(face);
  // Prefetches the data of a face.
  patch.fetch(face);
};

/// Growth of a patch by faces across the sides of its faces that keep the conditions of its view.
/// Each new face must have a positive area, and its sides must turn around O, unless they cancel a
/// side of the patch.
///
/// Proves that the boundary still turns around O once: if one of its sides cancels, O is beyond
/// that side and not in the image of the face.
class RingGrowth {
 public:
  explicit RingGrowth(const Features& features)
      : f_(features), fetches_(features.faces.size() > 1 << 17) {}

  /// Returns whether the patch takes the seed, which is then the first ring.
  template <GrowingPatch Patch>
  bool start(const StarView& view, Index seed, Patch patch);

  /// Returns whether the patch takes faces around the last ring.
  template <GrowingPatch Patch>
  bool add_ring(const StarView& view, Patch patch);

  /// Returns the faces of all rings.
  std::span<const Index> faces() const { return taken_; }

 private:
  /// The two sides of a face across which it was not reached, from a first corner to the second and
  /// on to the last, with the images of these corners.
  struct Sides {
    std::array<Index, 2> across;
    std::array<Index, 2> ends;  ///< the vertices at their ends
    std::array<ViewPoint, 3> at;
    std::array<Quad, 2> turns;
  };

  /// Data for the growth of a ring, copied because nothing that is written can alias it. The
  /// compiler can therefore keep it in registers.
  template <class Patch>
  struct Means {
    StarView view;
    Patch patch;
    const Face* faces;
    const Features::Three* across;
    bool fetches;

    template <int side>
    bool cross(const Sides& from, Sides& next) const;
    void fetch(Index face) const {
      if (face == Features::none) return;
      patch.fetch(face);
      __builtin_prefetch(&faces[face]);
      __builtin_prefetch(&across[face]);
    }
  };

  const Features& f_;
  /// True for large meshes, where data of a face is rarely in the cache and is prefetched one ring
  /// ahead.
  bool fetches_;
  UninitializedVector<Sides> ring_, next_;
  UninitializedVector<Index> taken_;
};

template <GrowingPatch Patch>
bool RingGrowth::start(const StarView& view, Index seed, Patch patch) {
  const auto& [a, b, c] = f_.oriented()[seed];
  const auto& across = f_.across[seed];
  const ViewPoint p = view(a), q = view(b), r = view(c);
  const Quad pq = turn(p, q), qr = turn(q, r), rp = turn(r, p);
  ring_.clear();
  taken_.clear();
  if (!view.accepts({{p, q, r}, {pq, qr, rp}}) || !view.positive(pq) || !view.positive(qr) ||
      !view.positive(rp))
    return false;
  patch.take(seed);
  taken_.push_back(seed);
  ring_.push_back({{across[0], across[1]}, {b, c}, {p, q, r}, {pq, qr}});
  ring_.push_back({{across[2], Features::none}, {a, b}, {r, p, q}, {rp, pq}});
  return true;
}

template <GrowingPatch Patch>
bool RingGrowth::add_ring(const StarView& view, Patch patch) {
  const Means<Patch> means{view, patch, f_.oriented().data(), f_.across.data(), fetches_};
  const std::size_t before = taken_.size(), most = 2 * ring_.size();
  renew(next_, most);
  taken_.resize(before + most);
  Sides* next = next_.data();
  Index* taken = taken_.data() + before;
  for (const Sides& from : ring_) {
    if (means.template cross<0>(from, *next)) {
      ++next;
      *taken++ = from.across[0];
    }
    if (means.template cross<1>(from, *next)) {
      ++next;
      *taken++ = from.across[1];
    }
  }
  next_.resize(static_cast<std::size_t>(next - next_.data()));
  taken_.resize(before + next_.size());
  ring_.swap(next_);
  return !ring_.empty();
}

/// Takes the face across a side, if possible. Returns whether it was taken.
template <class Patch>
template <int side>
[[gnu::always_inline]] inline bool RingGrowth::Means<Patch>::cross(const Sides& from,
                                                                   Sides& next) const {
  const Index face = from.across[side];
  if (face == Features::none || !patch.may_take(face)) return false;
  const Index begin = from.ends[side];
  const Face& corners = faces[face];
  const Features::Three& beyond = across[face];
  // All three corners differ; otherwise the face would not be across any of its sides.
  const int k = (corners[1] == begin) + 2 * (corners[2] == begin);
  static constexpr int after[] = {1, 2, 0, 1};
  const int second = after[k], third = after[k + 1];
  const ViewPoint r = view(corners[third]);
  const Quad qr = turn(from.at[side], r), rp = -turn(from.at[side + 1], r);
  // The common side has the opposite direction in the new face.
  if (!view.accepts({{from.at[side], r, from.at[side + 1]}, {qr, rp, -from.turns[side]}}))
    return false;
  const auto cancels = [&](Index other) {
    return other != Features::none && patch.is_inside(other);
  };
  if (!view.positive(qr) && !cancels(beyond[second])) return false;
  if (!view.positive(rp) && !cancels(beyond[third])) return false;
  patch.take(face);
  next = {{beyond[second], beyond[third]},
          {corners[third], begin},
          {from.at[side], r, from.at[side + 1]},
          {qr, rp}};
  if (fetches)
    for (const Index other : next.across) fetch(other);
  return true;
}

/// Returns the owner of unassigned faces. It differs between cells, so threads that work in other
/// cells see that the face is not theirs, whether it has been taken or not.
inline Index free_in(Index cell) { return -1 - 2 * cell; }
/// Returns the owner of faces in the patch that grows.
inline Index taken_in(Index cell) { return -2 - 2 * cell; }

/// Returns every n-th of some faces, at most about `most` of them.
inline std::span<const Index> sample_of(std::span<const Index> faces, std::size_t most,
                                        std::vector<Index>& out) {
  out.clear();
  for (std::size_t i = 0; i < faces.size(); i += 1 + faces.size() / most) out.push_back(faces[i]);
  return out;
}

/// Growth of patches for one thread, among the unassigned faces of a cell.
class PatchGrowth {
 public:
  PatchGrowth(const PatchStep& step, AtomicIndices& owners)
      : step_(step), f_(step.features), owners_(owners), rings_(f_) {}

  /// Grows a patch around a face, or from a better start if that makes the patch larger. The seed
  /// is often at the edge of the unassigned faces. A large patch is not tried again.
  StarView grow(Index seed, Index cell);

  /// Returns the faces of the last patch.
  std::span<const Index> faces() const { return faces_; }

  /// A seed, and the direction against which the patch is viewed.
  struct Start {
    Index seed;
    Vec3d normal;  ///< the length is arbitrary
  };

  /// Returns the view of a start. O moves with the middle of the seed.
  StarView view_of(const Start& start) const;
  /// Returns the sum of the normals of a face and the adjacent faces, halfway through the step. The
  /// normal of a single face is unreliable if the surface is not smooth.
  Vec3d normal_around(Index face) const;
  /// Returns the sum of the normals of a sample of the faces, halfway through the step.
  Vec3d normal_of(std::span<const Index> faces) const;
  /// Grows a patch around a seed among the faces with owner `free`. The seed is its first face.
  /// During growth, its faces have the owner `taken`.
  StarView grow(const Start& start, Index free, Index taken, std::vector<Index>& faces);

 private:
  // Patches of these sizes or beyond get no second start.
  static constexpr std::size_t small = 2, large = 1024;
  static constexpr std::size_t samples = 32;

  /// Position of a face halfway through the step.
  struct FaceGeometry {
    Vec3d center, normal;  ///< three times the center, and a normal of any length
  };

  std::optional<Start> better_start();
  FaceGeometry geometry_of(Index face) const;

  const PatchStep& step_;
  const Features& f_;
  AtomicIndices& owners_;
  RingGrowth rings_;
  std::vector<Index> faces_, other_faces_;
  std::vector<Vec3d> from_seed_;  ///< offsets of sampled faces from the seed
};

}  // namespace toccata
