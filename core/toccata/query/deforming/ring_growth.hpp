// The growth of a patch around a seed, ring by ring.
#pragma once

#include <concepts>

#include "toccata/query/deforming/star_view.hpp"

namespace toccata {

/// What knows which faces a patch has, and which it may take. Copies know the same.
template <class P>
concept GrowingPatch = std::copyable<P> && requires(const P& patch, Index face) {
  { patch.is_inside(face) } -> std::same_as<bool>;
  { patch.may_take(face) } -> std::same_as<bool>;
  patch.take(face);
  patch.fetch(face);  // into the cache
};

/// Adds faces across the sides of those that a patch has, as long as they keep the conditions of
/// its view: the face has a positive area, and its sides turn around O unless they cancel one of
/// the patch. If there is such a side, O is beyond it and not in the image of the face, so the
/// boundary still turns around O once.
class RingGrowth {
 public:
  explicit RingGrowth(const Features& features)
      : f_(features), fetches_(features.faces.size() > 1 << 17) {}

  /// Whether the patch takes the seed, which is then the first ring.
  template <GrowingPatch Patch>
  bool start(const StarView& view, Index seed, Patch patch);

  /// Whether there are faces around the last ring that the patch takes.
  template <GrowingPatch Patch>
  bool add_ring(const StarView& view, Patch patch);

  /// Those of all rings.
  std::span<const Index> faces() const { return taken_; }

 private:
  /// The two sides of a face that it was not reached across, from a first corner to the next and
  /// on to the last one, with the images of these corners.
  struct Sides {
    std::array<Index, 2> across;
    std::array<Index, 2> ends;  ///< the vertices at which they end
    std::array<ViewPoint, 3> at;
    std::array<Quad, 2> turns;
  };

  /// What a ring is made with, in copies that nothing that is written is part of: the compiler can
  /// keep them in registers.
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
  /// In a large mesh what is known of a face is seldom in the cache: it is asked for a ring ahead.
  bool fetches_;
  UninitializedVector<Sides> ring_, next_;
  UninitializedVector<Index> taken_;
};

template <GrowingPatch Patch>
bool RingGrowth::start(const StarView& view, Index seed, Patch patch) {
  const auto& [a, b, c] = f_.faces[seed];
  const auto& across = f_.across[seed];
  const ViewPoint p = view(a), q = view(b), r = view(c);
  const Quad pq = turn(p, q), qr = turn(q, r), rp = turn(r, p);
  ring_.clear();
  taken_.clear();
  if (!view.positive(pq + qr + rp) || !view.positive(pq) || !view.positive(qr) ||
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
  const Means<Patch> means{view, patch, f_.faces.data(), f_.across.data(), fetches_};
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

/// Whether the patch takes the face across a side.
template <class Patch>
template <int side>
[[gnu::always_inline]] inline bool RingGrowth::Means<Patch>::cross(const Sides& from,
                                                                   Sides& next) const {
  const Index face = from.across[side];
  if (face == Features::none || !patch.may_take(face)) return false;
  const Index begin = from.ends[side];
  const Face& corners = faces[face];
  const Features::Three& beyond = across[face];
  // All three corners differ: otherwise the face would be across none of its sides.
  const int k = (corners[1] == begin) + 2 * (corners[2] == begin);
  static constexpr int after[] = {1, 2, 0, 1};
  const int second = after[k], third = after[k + 1];
  const ViewPoint r = view(corners[third]);
  const Quad qr = turn(from.at[side], r), rp = -turn(from.at[side + 1], r);
  // The side that both have turns the other way.
  if (!view.positive(qr + rp - from.turns[side])) return false;
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

}  // namespace toccata
