// Gathering of the patches of one cluster, with the view of its first patch or one from a point.
#pragma once

#include <algorithm>
#include <atomic>

#include "toccata/query/deforming/clusters/patches.hpp"

namespace toccata {

using Taken = std::vector<std::atomic<bool>>;  // by patch: it is in a cluster

/// A cluster as it was gathered at some time.
struct Plan {
  std::vector<Index> patches;  ///< the members, the seed first, then all candidates
  std::size_t members = 0;
  bool from_point = false;  ///< the view is from a point
  std::atomic<bool> done{false};

  std::span<const Index> cluster() const { return std::span(patches).first(members); }
  /// Returns the candidates. Without one of them the cluster may be different.
  std::span<const Index> candidates() const { return std::span(patches).subspan(members); }
};

/// Gathering of clusters for one thread, from patches that are in no cluster.
class Gathering {
 public:
  Gathering(const PatchStep& step, const Patches& patches, const PatchBoundaries& boundaries,
            const Taken& taken)
      : step_(step),
        f_(step.features),
        patches_(patches),
        boundaries_(boundaries),
        taken_(taken),
        marks_(patches.faces.count()) {}

  /// Gathers a cluster with the view of its seed. Then tries a view from a point inside it, and
  /// keeps the larger of the two clusters.
  void gather(Index seed, Plan& plan) {
    all_candidates_.clear();
    plan.from_point = std::holds_alternative<PointView>(patches_.views[seed]);
    std::visit([&](const auto& view) { gather_rings(view, seed); }, patches_.views[seed]);
    const std::size_t faces = face_count();
    if (const auto view = inner_view(faces)) {
      const std::vector<Index> before = members_;
      if (gather_all(*view, seed, faces)) plan.from_point = true;
      else members_ = before;
    }
    plan.members = members_.size();
    plan.patches.clear();
    plan.patches.reserve(members_.size() + all_candidates_.size());
    plan.patches.insert(plan.patches.end(), members_.begin(), members_.end());
    plan.patches.insert(plan.patches.end(), all_candidates_.begin(), all_candidates_.end());
  }

 private:
  static constexpr std::size_t samples = 16;
  static constexpr std::size_t most_growth = 64;  ///< bounds the work of all clusters together
  static constexpr std::size_t few = 64;          ///< smaller clusters do not look for another view

  /// Adds rings of patches to a seed as long as some patches of a ring can stay.
  template <class V>
  void gather_rings(const V& view, Index seed) {
    begin(seed);
    if (patches_.faces.part(seed).size() == 1 &&
        !(turns_well(view, seed) && faces_well(view, seed)))
      return;
    while (add_ring(view)) {
    }
    if (members_.size() > 1 && !is_proven(view)) members_ = {seed};
  }

  void begin(Index seed) {
    members_ = {seed};
    ++mark_;
    marks_[seed] = mark_;
  }

  /// Adds all adjacent patches together, because a single one rarely leaves a boundary that turns
  /// around O. Then removes patches with sides that do not turn, until all others can stay. Returns
  /// whether some stay.
  template <class V>
  bool add_ring(const V& view) {
    find_candidates();
    all_candidates_.insert(all_candidates_.end(), candidates_.begin(), candidates_.end());
    const auto turning = [&](Index c) { return turns_well(view, c); };
    while (keep_if(turning)) {
    }
    // The faces of a patch are valid or not independently of other patches.
    if (keep_if([&](Index c) { return faces_well(view, c); }))
      while (keep_if(turning)) {
      }
    members_.insert(members_.end(), candidates_.begin(), candidates_.end());
    return !candidates_.empty();
  }

  /// Removes candidates that may not stay. Returns whether there were any.
  template <class May>
  bool keep_if(const May& may) {
    return std::erase_if(candidates_, [&](Index c) {
             if (may(c)) return false;
             marks_[c] = 0;
             return true;
           }) > 0;
  }

  void find_candidates() {
    candidates_.clear();
    for (const Index c : members_)
      for (const BoundarySide& side : boundaries_.of(c))
        if (side.across != Features::none && !is_inside(side) && !is_taken(side.across)) {
          marks_[side.across] = mark_;
          candidates_.push_back(side.across);
        }
  }

  /// Returns a view from inside the members if they are curved, and if the cluster is likely to
  /// grow by much with it: judging by some faces of the patches around it.
  std::optional<PointView> inner_view(std::size_t count) {
    find_around();
    const std::size_t around = size_of_candidates([](Index) { return true; });
    if (count < few || 2 * around < count) return std::nullopt;
    sample_.clear();
    std::size_t skip = 0;
    for (const Index c : members_) {
      const auto faces = patches_.faces.part(c);
      for (; skip < faces.size(); skip += 1 + count / samples) sample_.push_back(faces[skip]);
      skip -= faces.size();
    }
    if (!is_curved()) return std::nullopt;
    auto view = view_from_inside(step_, sample_);
    if (!view) return std::nullopt;
    const std::size_t seen = size_of_candidates([&](Index c) { return is_seen(*view, c); });
    return 2 * seen < count || 4 * seen < 3 * around ? std::nullopt : view;
  }

  /// Keeps the last candidates that are not members, once each.
  void find_around() {
    candidates_.clear();
    for (const Index c : all_candidates_)
      if (!is_visited(c)) {
        marks_[c] = -mark_;
        candidates_.push_back(c);
      }
  }

  /// Returns the number of faces of the candidates that `counts` accepts.
  template <class Counts>
  std::size_t size_of_candidates(const Counts& counts) const {
    std::size_t sum = 0;
    for (const Index c : candidates_)
      if (counts(c)) sum += patches_.faces.part(c).size();
    return sum;
  }

  /// Returns whether the mean of the normals is short, as for half a ball or half a tube. The
  /// test is cheap, and few parts of a cloth pass it.
  bool is_curved() const {
    Vec3d sum{0, 0, 0};
    for (const Index face : sample_) {
      const auto& [a, b, c] = f_.oriented()[face];
      const auto& p = step_.frames.start;
      sum = sum + unit_or_zero(cross(p[b] - p[a], p[c] - p[a]));
    }
    return norm(sum) < 0.97 * static_cast<double>(sample_.size());
  }

  /// Returns whether two faces of a patch satisfy the conditions of a view.
  bool is_seen(const PointView& view, Index c) const {
    const auto faces = patches_.faces.part(c);
    return view.accepts(image_of(view, f_.oriented()[faces[0]])) &&
           view.accepts(image_of(view, f_.oriented()[faces[faces.size() / 2]]));
  }

  /// Gathers connected patches that a view from a point seems to certify, then removes those with
  /// sides that do not turn. Unlike rings, this closes balls. Returns whether the result is
  /// proven and has more than `count` faces. All faces are tested only if it may be.
  bool gather_all(const PointView& view, Index seed, std::size_t count) {
    begin(seed);
    std::size_t visited = 0;
    for (std::size_t i = 0; i < members_.size() && visited < most_growth * count; ++i)
      for (const BoundarySide& side : boundaries_.of(members_[i])) {
        if (side.across == Features::none || is_visited(side.across) || is_taken(side.across))
          continue;
        const bool seen = is_seen(view, side.across);
        marks_[side.across] = seen ? mark_ : -mark_;
        if (!seen) continue;
        visited += patches_.faces.part(side.across).size();
        members_.push_back(side.across);
        all_candidates_.push_back(side.across);
      }
    do {
      if (!keep_turning(view, seed) || face_count() <= count) return false;
    } while (remove_unseen(view));
    return is_proven(view);
  }

  /// Removes members with faces that do not satisfy the conditions of a view. Returns whether there
  /// were any.
  bool remove_unseen(const PointView& view) {
    return std::erase_if(members_, [&](Index c) {
             if (faces_well(view, c)) return false;
             marks_[c] = 0;
             return true;
           }) > 0;
  }

  /// Removes members with sides that do not turn until there are none. Then keeps the patches that
  /// are connected to the seed. Returns whether the seed stays.
  bool keep_turning(const PointView& view, Index seed) {
    candidates_ = members_;
    while (!candidates_.empty()) {
      const Index c = candidates_.back();
      candidates_.pop_back();
      if (marks_[c] != mark_ || turns_well(view, c)) continue;
      marks_[c] = 0;
      for (const BoundarySide& side : boundaries_.of(c))
        if (is_inside(side)) candidates_.push_back(side.across);
    }
    if (marks_[seed] != mark_) return false;
    const Index kept = mark_;
    begin(seed);
    for (std::size_t i = 0; i < members_.size(); ++i)
      for (const BoundarySide& side : boundaries_.of(members_[i]))
        if (side.across != Features::none && marks_[side.across] == kept) {
          marks_[side.across] = mark_;
          members_.push_back(side.across);
        }
    return true;
  }

  std::size_t face_count() const {
    std::size_t count = 0;
    for (const Index c : members_) count += patches_.faces.part(c).size();
    return count;
  }

  bool is_visited(Index c) const { return marks_[c] == mark_ || marks_[c] == -mark_; }
  bool is_taken(Index c) const { return taken_[c].load(std::memory_order_relaxed); }
  bool is_inside(const BoundarySide& side) const {
    return side.across != Features::none && marks_[side.across] == mark_;
  }

  /// Returns whether the sides of a patch that are on the boundary of the cluster turn around O.
  template <class V>
  bool turns_well(const V& view, Index c) const {
    const auto sides = boundaries_.of(c);
    return std::all_of(sides.begin(), sides.end(), [&](const BoundarySide& side) {
      return is_inside(side) || view.positive(turn(view(side.p), view(side.q)));
    });
  }

  /// Returns whether all faces of a patch satisfy the conditions of a view.
  template <class V>
  bool faces_well(const V& view, Index c) const {
    const auto faces = patches_.faces.part(c);
    return std::all_of(faces.begin(), faces.end(), [&](Index face) {
      return view.accepts(image_of(view, f_.oriented()[face]));
    });
  }

  /// Returns whether the members satisfy condition (iii) of a view, given the other conditions.
  template <class V>
  bool is_proven(const V& view) const {
    Census census;
    for (const Index c : members_)
      for (const BoundarySide& side : boundaries_.of(c))
        if (!is_inside(side)) census.add_side(view(side.p), view(side.q));
    if constexpr (std::is_same_v<V, PointView>) {
      const auto for_each_face = [&](const auto& visit) {
        for (const Index c : members_)
          for (const Index face : patches_.faces.part(c)) visit(face);
      };
      if (census.sides == 0)
        return covers_once(view, step_, patches_.faces.part(members_[0])[0], for_each_face);
      if (census.turns == 1)
        for_each_face(
            [&](Index face) { census.add_face(view, image_of(view, f_.oriented()[face])); });
    }
    return census.turns_once();
  }

  const PatchStep& step_;
  const Features& f_;
  const Patches& patches_;
  const PatchBoundaries& boundaries_;
  const Taken& taken_;
  std::vector<Index> marks_;  ///< by patch: last cluster with it as a candidate; not > 0 if removed
  Index mark_ = 0;
  std::vector<Index> members_, candidates_, all_candidates_;
  std::vector<Index> sample_;  ///< faces of the members
};

}  // namespace toccata
