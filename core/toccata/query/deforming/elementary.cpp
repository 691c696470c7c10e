// Batches of elementary tests: filters four pairs at a time, then tests the rest one by one.
#include "toccata/query/deforming/elementary.hpp"

#include <atomic>

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/math/scale.hpp"
#include "toccata/narrow/linear/filter.hpp"

namespace toccata {
namespace {

using Points = std::array<Vec3d, 4>;

/// A batch of pairs, with references to its results.
struct Batch {
  std::span<const Points> start, end;
  const LinearOptions& options;
  ElementaryContacts& out;
  std::atomic<bool>& finite;
};

/// Loads the points of rows `i`, coordinate by coordinate. Rows beyond the last repeat it.
std::array<Vec3q, 4> four_of(std::span<const Points> rows, const std::array<std::size_t, 4>& i) {
  std::array<Vec3q, 4> p;
  const auto part = [&](int k, Quad& a, Quad& b, Quad& c, Quad& d) {
    const auto row = [&](int lane) { return load(&rows[i[lane]][0].x + 4 * k); };
    a = row(0), b = row(1), c = row(2), d = row(3);
    transpose(a, b, c, d);
  };
  part(0, p[0].x, p[0].y, p[0].z, p[1].x);
  part(1, p[1].y, p[1].z, p[2].x, p[2].y);
  part(2, p[2].z, p[3].x, p[3].y, p[3].z);
  return p;
}

Quad sum_of(const std::array<Vec3q, 4>& p) {
  const Vec3q sum = (p[0] + p[1]) + (p[2] + p[3]);
  return sum.x + sum.y + sum.z;
}

bool is_finite(const Points& points) {
  return is_finite(points[0]) && is_finite(points[1]) && is_finite(points[2]) &&
         is_finite(points[3]);
}

/// Returns whether all coordinates are finite. They are if their sum is, which seldom overflows.
bool are_finite(const PairOf<Quad>& four, const Batch& batch,
                const std::array<std::size_t, 4>& rows) {
  const Quad sum = sum_of(four.start) + sum_of(four.end);
  if (all(sum - sum == Quad{})) return true;
  return std::all_of(rows.begin(), rows.end(), [&](std::size_t i) {
    return is_finite(batch.start[i]) && is_finite(batch.end[i]);
  });
}

/// Computes the contact of one row. Scales lengths that are too small or too large: see
/// math/scale.hpp.
template <PairKind kind>
LinearContact contact_of(LinearPair pair, const LinearOptions& options) {
  double extent = 0;
  for (int k = 0; k < 4; ++k)
    extent = std::max({extent, largest(pair.start[k]), largest(pair.end[k])});
  const int exponent = scaling_for(extent);
  if (exponent == 0) [[likely]]
    return advance(Differences<kind>(pair), options);
  for (int k = 0; k < 4; ++k) {
    pair.start[k] = scaled(pair.start[k], exponent);
    pair.end[k] = scaled(pair.end[k], exponent);
  }
  const LinearOptions own{scaled_distance(options.separation, exponent),
                          scaled_distance(options.tolerance, exponent), options.budget};
  // The filters before this one have lost digits.
  if (never_coplanar<kind>(pair, own.separation)) return {};
  return first_contact<kind>(pair, own);
}

template <PairKind kind>
void solve_row(const Batch& batch, std::size_t i) {
  const LinearContact c = contact_of<kind>({batch.start[i], batch.end[i]}, batch.options);
  batch.out.status[i] = static_cast<std::uint8_t>(status_of(c));
  batch.out.toc[i] = c.time;
}

/// Filters rows four at a time. The result of a row does not depend on other rows.
template <PairKind kind>
void solve(const Batch& batch, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; i += 4) {
    const std::array rows{i, std::min(i + 1, last - 1), std::min(i + 2, last - 1),
                          std::min(i + 3, last - 1)};
    const PairOf<Quad> four{four_of(batch.start, rows), four_of(batch.end, rows)};
    if (!are_finite(four, batch, rows)) batch.finite = false;
    if (!batch.finite) return;
    unsigned free = bits(apart_along_axis<kind>(four, batch.options.separation));
    if (free != 0b1111) free |= bits(never_coplanar<kind>(four, batch.options.separation));
    for (std::size_t k = 0; k < 4 && i + k < last; ++k)
      if (free >> k & 1) {
        batch.out.status[i + k] = static_cast<std::uint8_t>(Status::free);
        batch.out.toc[i + k] = LinearContact{}.time;
      } else {
        solve_row<kind>(batch, i + k);
      }
  }
}

void check_points(std::span<const Points> pairs, const char* argument) {
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const Vec3d& p : pairs[i])
      for (const double x : {p.x, p.y, p.z})
        if (!std::isfinite(x)) reject_not_finite(argument, x, i);
}

void check_options(const LinearOptions& options) {
  expects(options.separation >= 0 && std::isfinite(options.separation), "separation",
          "expected a finite number >= 0", options.separation);
  expects(options.tolerance > 0 && std::isfinite(options.tolerance), "tolerance",
          "expected a finite number > 0", options.tolerance);
  expects(options.budget > 0, "budget", "expected a number > 0",
          static_cast<double>(options.budget));
}

}  // namespace

Status status_of(const LinearContact& contact) {
  switch (contact.outcome) {
    case Outcome::free:
      return Status::free;
    case Outcome::undecided:
      return Status::undecided;
    case Outcome::contact:
      break;
  }
  return contact.time > 0 ? Status::contact : Status::initial_overlap;
}

ElementaryContacts first_contacts(PairKind kind, std::span<const Points> start,
                                  std::span<const Points> end, const LinearOptions& options,
                                  unsigned threads) {
  expects(start.size() == end.size(), "end", "expected as many rows as start",
          static_cast<double>(end.size()));
  check_options(options);
  const std::size_t count = start.size();
  ElementaryContacts out{std::vector<std::uint8_t>(count), std::vector<double>(count)};
  std::atomic<bool> finite = true;
  const Batch batch{start, end, options, out, finite};
  parallel_for(count, 1024, threads, [&](std::size_t first, std::size_t last, unsigned) {
    if (kind == PairKind::vertex_face) solve<PairKind::vertex_face>(batch, first, last);
    else solve<PairKind::edge_edge>(batch, first, last);
  });
  // A row was found to be invalid. Finds the first one.
  if (!finite) {
    check_points(start, "start");
    check_points(end, "end");
  }
  return out;
}

}  // namespace toccata
