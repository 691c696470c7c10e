#include "toccata/query/deforming/elementary.hpp"

#include <string>

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

void check_points(std::span<const std::array<Vec3d, 4>> pairs, const char* argument) {
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (const Vec3d& p : pairs[i])
      if (!is_finite(p))
        throw std::invalid_argument(std::string(argument) + ": row " + std::to_string(i) +
                                    " is not finite");
}

template <PairKind kind>
void solve(std::span<const std::array<Vec3d, 4>> start, std::span<const std::array<Vec3d, 4>> end,
           const LinearOptions& options, unsigned threads, ElementaryContacts& out) {
  parallel_for(start.size(), 1024, threads, [&](std::size_t first, std::size_t last, unsigned) {
    for (std::size_t i = first; i < last; ++i) {
      const LinearContact c = first_contact(Differences<kind>({start[i], end[i]}), options);
      out.status[i] = status_of(c);
      out.toc[i] = c.time;
    }
  });
}

}  // namespace

Status status_of(const LinearContact& contact) {
  switch (contact.outcome) {
    case Outcome::free: return Status::free;
    case Outcome::undecided: return Status::undecided;
    case Outcome::contact: break;
  }
  return contact.time > 0 ? Status::contact : Status::initial_overlap;
}

ElementaryContacts first_contacts(PairKind kind, std::span<const std::array<Vec3d, 4>> start,
                                  std::span<const std::array<Vec3d, 4>> end,
                                  const LinearOptions& options, unsigned threads) {
  expects(start.size() == end.size(), "end", "expected as many rows as start",
          static_cast<double>(end.size()));
  expects(options.separation >= 0 && std::isfinite(options.separation), "separation",
          "expected a finite number >= 0", options.separation);
  expects(options.tolerance > 0 && std::isfinite(options.tolerance), "tolerance",
          "expected a finite number > 0", options.tolerance);
  expects(options.budget > 0, "budget", "expected a number > 0",
          static_cast<double>(options.budget));
  check_points(start, "start");
  check_points(end, "end");
  ElementaryContacts out{std::vector<Status>(start.size()), std::vector<double>(start.size())};
  if (kind == PairKind::vertex_face)
    solve<PairKind::vertex_face>(start, end, options, threads, out);
  else
    solve<PairKind::edge_edge>(start, end, options, threads, out);
  return out;
}

}  // namespace toccata
