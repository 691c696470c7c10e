// First contact, after the start, of two features that touch at the start because a crack separates
// their elements.
#include "toccata/narrow/linear/contact.hpp"

#include <algorithm>

#include "toccata/narrow/linear/separation.hpp"

namespace toccata {
namespace {

constexpr LinearContact at_once{Outcome::contact, 0};

bool is_zero(const Vec3d& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/// Calls visit(direction) for directions that may have positive components along all of some unit
/// vectors. These are the sums of two vectors, which suffice if all are in a plane, and the
/// directions with equal components along three vectors.
template <std::size_t count, class Visit>
void for_each_direction(const std::array<Vec3d, count>& along, const Visit& visit) {
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3d &a = along[i], &b = along[j];
      visit(a + b);
      for (std::size_t k = 0; k < j; ++k) {
        const Vec3d n = cross(a, b) + cross(b, along[k]) + cross(along[k], a);
        visit(dot(n, a) < 0 ? -n : n);
      }
    }
}

/// Two edges that coincide at the start. The first goes from p to p + Q(t), and the displacements
/// between its ends and the ends of the other are t d and t e. The edges meet at a time t > 0 only
/// if (1 - s) d + s e is parallel to Q(t) for some s in [0, 1]. An object describes a range of t
/// and s: Q changes from q0 to q1, and the displacement from d to e.
struct Twins {
  Vec3d q0, q1, d, e;

  /// Returns whether some vector has positive components along Q x d and Q x e at both ends of the
  /// range. These components are linear in t and in s, so they are zero nowhere in between.
  bool come_apart() const {
    const std::array turned{cross(q0, d), cross(q0, e), cross(q1, d), cross(q1, e)};
    std::array<Vec3d, 4> along;
    std::transform(turned.begin(), turned.end(), along.begin(), unit_or_zero);
    // Exceeds the rounding of differences and products, 2^-46, and underflow. Computed without
    // squares, because the squares of small vectors underflow.
    const double size = std::max(norm1(q0), norm1(q1)) * std::max(norm1(d), norm1(e));
    bool found = false;
    for_each_direction(along, [&](const Vec3d& m) {
      const double slack = 0x1p-40 * norm(m) * size + tiny;
      found = found || std::all_of(turned.begin(), turned.end(),
                                   [&](const Vec3d& n) { return dot(m, n) > slack; });
    });
    return found;
  }

  /// Returns the same, and halves the range up to `depth` times if necessary.
  bool come_apart(int depth) const {
    if (come_apart()) return true;
    if (depth == 0) return false;
    Twins lower = *this, upper = *this;
    if (depth % 2) lower.q1 = upper.q0 = (q0 + q1) * 0.5;
    else lower.e = upper.d = (d + e) * 0.5;
    return lower.come_apart(depth - 1) && upper.come_apart(depth - 1);
  }
};

LinearContact contact_of_twins(const LinearPair& pair, const Vec3d& d, const Vec3d& e) {
  constexpr int depth = 8;
  const auto& [start, end] = pair;
  const Twins twins{start[1] - start[0], end[1] - end[0], d, e};
  return twins.come_apart(depth) ? LinearContact{} : at_once;
}

}  // namespace

// Two features with a common point at the start separate immediately if, along some direction,
// their common points move apart and the rest does not overlap at the start. Such a direction
// exists unless the point moves into the other feature. `advance` continues from the time until
// which the direction proves the separation.
template <PairKind kind>
LinearContact contact_after_start(const LinearPair& pair, const LinearOptions& options,
                                  double cutoff, Trace* trace) {
  const Differences<kind> differences(pair);
  std::array<Vec3d, kind == PairKind::vertex_face ? 3 : 4> away;
  std::array<bool, away.size()> common;
  for (std::size_t k = 0; k < away.size(); ++k) {
    const int at = static_cast<int>(k);
    common[k] = is_zero(lane(differences.start, at));
    away[k] = unit_or_zero(lane(common[k] ? differences.end : differences.start, at));
  }
  if constexpr (kind == PairKind::edge_edge) {
    const auto end = [&](int k) { return lane(differences.end, k); };
    if (common[0] && common[3]) return contact_of_twins(pair, end(0), end(3));
    if (common[1] && common[2]) return contact_of_twins(pair, end(1), end(2));
  }
  double time = 0;
  for_each_direction(away, [&](const Vec3d& direction) {
    time = std::max(time, separated_from_start(differences, direction));
  });
  if (time > cutoff) return {};
  if (time <= 0) return at_once;
  return advance(differences, {0, options.tolerance, options.budget}, cutoff, time, trace);
}

template LinearContact contact_after_start<PairKind::vertex_face>(const LinearPair&,
                                                                  const LinearOptions&, double,
                                                                  Trace*);
template LinearContact contact_after_start<PairKind::edge_edge>(const LinearPair&,
                                                                const LinearOptions&, double,
                                                                Trace*);

}  // namespace toccata
