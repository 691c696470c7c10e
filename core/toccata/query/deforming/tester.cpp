// Elementary tests with ignored pairs, cracks and budgets, and merging of results.
#include "toccata/query/deforming/tester.hpp"

#include <algorithm>
#include <bit>

#include "toccata/base/counting_sort.hpp"
#include "toccata/geometry/predicates.hpp"
#include "toccata/narrow/linear/contact.hpp"
#include "toccata/query/deforming/elementary.hpp"
#include "toccata/query/deforming/witness.hpp"

namespace toccata {
namespace {

LinearPair points_of(const StepFrames& frames, const std::array<Index, 4>& v) {
  const auto at = [&v](std::span<const Vec3d> p) {
    return std::array{p[v[0]], p[v[1]], p[v[2]], p[v[3]]};
  };
  return {at(frames.start), at(frames.end)};
}

std::array<Index, 4> vertex_face_points(const Features& f, Index vertex, Index face) {
  const Face& t = f.faces[face];
  return {vertex, t[0], t[1], t[2]};
}
std::array<Index, 4> edge_edge_points(const Features& f, Index a, Index b) {
  return {f.edges[a][0], f.edges[a][1], f.edges[b][0], f.edges[b][1]};
}

bool earlier(const PairContact& x, const PairContact& y) {
  if (x.contact.time != y.contact.time) return x.contact.time < y.contact.time;
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}
/// Combines both ids of a pair into one number that sorts by the first id.
std::uint64_t key_of(Index a, Index b) {
  return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b);
}
std::uint64_t key_of(const PairContact& pair) { return key_of(pair.a, pair.b); }
std::uint64_t key_of(const std::array<Index, 2>& pair) { return key_of(pair[0], pair[1]); }

/// Returns whether segment pq passes through the inside of triangle abc. If one of the volumes is
/// zero, any contact is one of a vertex and a face or of two edges, which their own tests find.
bool pierces(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  // Most segments are on one side of the plane.
  if (orientation(p, a, b, c) * orientation(q, a, b, c) >= 0) return false;
  const int side = orientation(p, q, a, b);
  return side != 0 && orientation(p, q, b, c) == side && orientation(p, q, c, a) == side;
}

bool same(const Vec3d& p, const Vec3d& q) { return p.x == q.x && p.y == q.y && p.z == q.z; }

}  // namespace

/// Returns whether two vertices coincide at the start.
bool Tester::are_one(Index v, Index w) const {
  const auto& identity = problem_.exceptions.identity;
  return v == w || (!identity.empty() && identity[v] == identity[w]);
}

/// Features with a common vertex are joined if that vertex stays common during the step. Otherwise
/// a crack opens between them.
Tester::Meeting Tester::meeting(std::span<const Index> a, std::span<const Index> b) const {
  Meeting found = Meeting::none;
  for (const Index v : a)
    for (const Index w : b) {
      if (!are_one(v, w)) continue;
      if (v == w || same(problem_.frames.end[v], problem_.frames.end[w])) return Meeting::joined;
      found = Meeting::open;
    }
  return found;
}

bool Tester::ignored(std::span<const Index> a, std::span<const Index> b) const {
  const Exceptions& e = problem_.exceptions;
  if (e.ignored.empty()) return false;
  return std::all_of(a.begin(), a.end(), [&](Index v) {
    return std::all_of(b.begin(), b.end(),
                       [&](Index w) { return e.ignored[e.group[v] * e.group_count + e.group[w]]; });
  });
}

/// Returns the options of the next test. If the budget is spent, the test gets one plane, from
/// which it knows until when the pair is safe.
LinearOptions Tester::affordable() const {
  LinearOptions options = problem_.linear;
  options.budget = std::clamp<Count>(problem_.budget - trace_.planes, 1, options.budget);
  return options;
}

template <PairKind kind>
LinearContact Tester::contact_of(const std::array<Index, 4>& points, double cutoff) {
  constexpr std::size_t split = kind == PairKind::vertex_face ? 1 : 2;
  const auto a = std::span(points).first(split), b = std::span(points).subspan(split);
  const Meeting meets = meeting(a, b);
  if (meets == Meeting::joined || ignored(a, b)) return {};
  ++stats.elementary_tests;
  const LinearPair pair = points_of(problem_.frames, points);
  return meets == Meeting::open ? contact_after_start<kind>(pair, affordable(), cutoff, &trace_)
                                : first_contact<kind>(pair, affordable(), cutoff, &trace_);
}

template <PairKind kind>
void Tester::test(const std::array<Index, 4>& points, Index a, Index b, PairContacts& found) {
  const double cutoff = problem_.cutoff.load(std::memory_order_relaxed);
  const LinearContact contact = contact_of<kind>(points, cutoff);
  if (contact.outcome == Outcome::free) return;
  const PairContact pair{a, b, contact};
  if (problem_.all_contacts) {
    found.push_back(pair);
    return;
  }
  if (found.empty()) found.push_back(pair);
  else if (earlier(pair, found[0])) found[0] = pair;
  double seen = cutoff;
  while (contact.time < seen &&
         !problem_.cutoff.compare_exchange_weak(seen, contact.time, std::memory_order_relaxed)) {
  }
}

void Tester::vertex_face(Index vertex, Index face) {
  test<PairKind::vertex_face>(vertex_face_points(problem_.features, vertex, face), vertex, face,
                              found_vertex_face);
}

void Tester::edge_edge(Index a, Index b) {
  if (a > b) std::swap(a, b);
  test<PairKind::edge_edge>(edge_edge_points(problem_.features, a, b), a, b, found_edge_edge);
}

void Tester::edge_face(Index edge, Index face) {
  const Features& f = problem_.features;
  const Edge& e = f.edges[edge];
  const Face& t = f.faces[face];
  const Meeting meets = meeting(e, t);
  if (meets == Meeting::joined || ignored(e, t)) return;
  const auto p = meets == Meeting::open ? problem_.frames.end : problem_.frames.start;
  if (pierces(p[e[0]], p[e[1]], p[t[0]], p[t[1]], p[t[2]]) &&
      (meets == Meeting::none || !touch_later(e, t)))
    pierced.push_back({edge, face});
}

/// Returns whether an edge and a face between which a crack opens touch after the start. If they do
/// not, and the edge passes through the face at the end, then it has passed through it since the
/// start.
bool Tester::touch_later(const Edge& e, const Face& t) {
  const auto touch = [](const LinearContact& contact) { return contact.outcome != Outcome::free; };
  for (const Index v : e)
    if (touch(contact_of<PairKind::vertex_face>({v, t[0], t[1], t[2]}, 1))) return true;
  for (int k = 0; k < 3; ++k)
    if (touch(contact_of<PairKind::edge_edge>({e[0], e[1], t[k], t[(k + 1) % 3]}, 1))) return true;
  return false;
}

namespace {

template <class Pairs>
Pairs joined(std::span<Tester> testers, Pairs Tester::* part) {
  std::size_t count = 0;
  for (const Tester& t : testers) count += (t.*part).size();
  Pairs all = std::move(testers[0].*part);
  all.reserve(count);
  for (Tester& t : testers.subspan(1)) {
    const Pairs& more = t.*part;
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

template <class Pair>
void sort_by_ids(std::span<Pair> pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const Pair& x, const Pair& y) { return key_of(x) < key_of(y); });
}

/// Returns the results of all threads, sorted by ids. Distributes many pairs over buckets first, by
/// their first id.
template <class Pairs>
Pairs sorted(std::span<Tester> testers, Pairs Tester::* part) {
  using Pair = typename Pairs::value_type;
  constexpr std::size_t few = 512;
  Pairs all = joined(testers, part);
  if (all.size() <= few) {
    sort_by_ids(std::span(all));
    return all;
  }
  std::uint64_t most = 0;
  for (const Pair& pair : all) most = std::max(most, key_of(pair));
  const int shift = std::max(32, static_cast<int>(std::bit_width(most)) - 10);
  const std::size_t buckets = (most >> shift) + 1;
  const unsigned threads = static_cast<unsigned>(testers.size());
  Pairs out(all.size());
  const std::vector<std::size_t> first = counting_sort(
      all.size(), buckets, threads,
      [&](std::size_t i, const auto& visit) { visit(all[i], key_of(all[i]) >> shift); },
      [&](const Pair& pair, std::size_t position) { out[position] = pair; });
  parallel_for(buckets, 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    for (std::size_t b = begin; b < end; ++b)
      sort_by_ids(std::span(out).subspan(first[b], first[b + 1] - first[b]));
  });
  return out;
}

template <PairKind kind>
void locate(const StepProblem& problem, const std::array<Index, 4>& points, StepContacts& out) {
  const Witness found =
      witness_of<kind>(points_of(problem.frames, points), out.earliest.contact.time);
  out.point_a = found.point_a;
  out.point_b = found.point_b;
  out.normal = found.normal;
}

void find_earliest(const StepProblem& problem, StepContacts& out) {
  const auto offer = [&](const PairContacts& pairs, Feature feature) {
    const auto first = std::min_element(pairs.begin(), pairs.end(), earlier);
    if (first == pairs.end() ||
        (out.feature != Feature::none && out.earliest.contact.time <= first->contact.time))
      return;
    out.feature = feature;
    out.earliest = *first;
  };
  offer(out.vertex_face, Feature::vertex_face);
  offer(out.edge_edge, Feature::edge_edge);
  if (out.feature == Feature::none) return;
  out.status = status_of(out.earliest.contact);
  out.toc = out.safe_until = out.earliest.contact.time;
  const auto [a, b, contact] = out.earliest;
  if (out.feature == Feature::vertex_face)
    locate<PairKind::vertex_face>(problem, vertex_face_points(problem.features, a, b), out);
  else locate<PairKind::edge_edge>(problem, edge_edge_points(problem.features, a, b), out);
}

/// Keeps only the earliest contact, because the order of work decides which others were found.
void keep_earliest(StepContacts& out) {
  const auto keep = [&](PairContacts& pairs, Feature feature) {
    pairs.clear();
    if (out.feature == feature) pairs.push_back(out.earliest);
  };
  keep(out.vertex_face, Feature::vertex_face);
  keep(out.edge_edge, Feature::edge_edge);
}

}  // namespace

StepContacts collect(const StepProblem& problem, std::span<Tester> testers) {
  StepContacts out;
  out.tolerance = problem.linear.tolerance;
  out.vertex_face = sorted(testers, &Tester::found_vertex_face);
  out.edge_edge = sorted(testers, &Tester::found_edge_edge);
  out.initial_edge_face = sorted(testers, &Tester::pierced);
  for (const Tester& t : testers) {
    out.stats.bv_tests += t.stats.bv_tests;
    out.stats.elementary_tests += t.stats.elementary_tests;
  }
  find_earliest(problem, out);
  if (!problem.all_contacts) keep_earliest(out);
  if (out.feature == Feature::none && !out.initial_edge_face.empty()) {
    out.status = Status::initial_overlap;
    out.toc = out.safe_until = 0;
  }
  return out;
}

}  // namespace toccata
