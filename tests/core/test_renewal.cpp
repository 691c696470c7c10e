// Clusters of one step serve the next only as far as they are proven again.
#include <set>

#include "check.hpp"
#include "deforming_checks.hpp"
#include "toccata/query/deforming/methods.hpp"

using namespace toccata;

namespace {

using testing::Model;
using testing::Places;

using Frame = std::vector<Vec3d>;

PatchStep step_of(const Features& f, const Frame& start, const Frame& end) {
  const StepFrames frames{start, end};
  return {f, frames, LocalFrame(frames, 0).diagonal};
}

/// Every patch is in one cluster, and patches are counted as faces move from one to another.
void check_leaf_clusters(const Features& f, const Clustering& c) {
  std::vector<Index> sizes(c.patch_sizes.size()), clusters(sizes.size(), Features::none);
  for (Index face = 0; face < static_cast<Index>(f.faces.size()); ++face) {
    Index& cluster = clusters[c.faces->patch(face)];
    CHECK(cluster == Features::none || cluster == c.cluster(face));
    cluster = c.cluster(face);
    ++sizes[c.faces->patch(face)];
  }
  CHECK(sizes == c.patch_sizes);
  CHECK(c.patch_count == std::count_if(sizes.begin(), sizes.end(), [](Index n) { return n > 0; }));
}

/// Every face is in one block of its cluster, no cluster touches itself, and no bridge does.
void check_clusters(const Features& f, const Frame& start, const Frame& end, const Clustering& c) {
  const Model m{start, end, {f.faces.begin(), f.faces.end()}, f.loose};
  std::vector<int> seen(f.faces.size());
  std::vector<std::vector<Index>> clusters(c.seeds.size());
  for (Index block = 0; block < c.tree.count(); ++block)
    c.tree.for_each_element(block, [&](Index face) {
      if (static_cast<std::size_t>(face) >= f.faces.size()) return;
      ++seen[face];
      CHECK(c.blocks[face] == block && c.cluster(face) == c.block_owners[block]);
      clusters[c.block_owners[block]].push_back(face);
    });
  CHECK(std::all_of(seen.begin(), seen.end(), [](int count) { return count == 1; }));
  check_leaf_clusters(f, c);
  for (const auto& faces : clusters) CHECK(testing::contacts_among(m, f, faces) == 0);
  std::set<Index> sides;
  for (std::size_t i = 0; i < c.bridges.size(); ++i) {
    CHECK(sides.insert(c.bridges[i].side).second);
    CHECK(testing::contacts_among(m, f, c.bridges[i].faces) == 0);
    for (const Index face : c.bridges[i].faces) {
      const auto& codes = c.memberships[face].codes;
      const bool full = codes[Membership::most - 1] != Membership::none;
      CHECK(full || std::count(codes, codes + Membership::most,
                               PatchCode::of(c.bridges[i].side, true)) == 1);
    }
  }
}

/// A sheet that is rolled up.
Model rolled(double angle, double wave) {
  Model m;
  testing::add_sheet(m, 24, 8, [&](double u, double v) {
    const Vec3d p{std::sin(angle * u) / angle, v, (1 - std::cos(angle * u)) / angle};
    return Places(p + Vec3d{0, 0, wave * std::sin(20 * u) * std::sin(11 * v)}, p);
  });
  return m;
}

/// Small changes keep most clusters, large ones none; threads change nothing.
void check_renewal() {
  const auto frame = [](int k) { return rolled(4 + 0.04 * k, 0.002 * k).start; };
  const Model m = rolled(4, 0);
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  Clustering one, many;
  const Frame first = frame(0), second = frame(1);
  make_clusters(step_of(f, first, second), 1, one);
  make_clusters(step_of(f, first, second), 3, many);
  std::size_t changed = 0;
  for (int k = 1; k < 6; ++k) {
    const Frame start = frame(k), end = frame(k + 1);
    const PatchStep step = step_of(f, start, end);
    std::vector<Index> before(f.faces.size());
    for (std::size_t face = 0; face < before.size(); ++face)
      before[face] = one.cluster(static_cast<Index>(face));
    CHECK(renew_clusters(step, 1, one) && renew_clusters(step, 3, many));
    check_clusters(f, start, end, one);
    CHECK(one.seeds == many.seeds && one.block_owners == many.block_owners);
    CHECK(std::equal(one.memberships.begin(), one.memberships.end(), many.memberships.begin(),
                     testing::equal));
    for (std::size_t face = 0; face < before.size(); ++face)
      changed += before[face] != one.cluster(static_cast<Index>(face));
  }
  CHECK(changed > 0 && changed < f.faces.size());  // some faces were given to other clusters
  const Frame tight = rolled(40, 0.3).start, wide = rolled(1, 0).start;
  CHECK(!renew_clusters(step_of(f, tight, wide), 1, one));
}

using Steps = std::vector<std::pair<Frame, Frame>>;

/// The steps of a sequence: onwards, back, at rest, and all at once.
Steps sequence(const Model& m, testing::Random& random, double noise) {
  Steps steps;
  for (const double t : {0.0, 0.3, 0.35, 0.7, 0.65, 0.65, 1.0, 0.0}) {
    Frame frame;
    for (std::size_t v = 0; v < m.start.size(); ++v)
      frame.push_back(m.start[v] * (1 - t) + m.end[v] * t + random.point(noise));
    if (!steps.empty()) steps.back().second = frame;
    steps.push_back({frame, frame});
  }
  return steps;
}

bool holds(const Kdop& outer, const Kdop& inner) {
  return bits((outer.lo_0 > inner.lo_0) | (outer.hi_0 < inner.hi_0) | (outer.lo_1 > inner.lo_1) |
              (outer.hi_1 < inner.hi_1)) == 0;
}

/// Whether all that is said of faces below a node is true of one of them.
bool is_true(const Membership& all, const Membership& one) {
  // What is inner is in the patch too.
  const auto implies = [](Index mine, Index other) {
    return mine == other || (mine != Membership::none && mine == (other | 1));
  };
  const auto has = [&](Index bridge) {
    return bridge == Membership::none ||
           std::any_of(one.codes, one.codes + Membership::most,
                       [&](Index own) { return implies(own, bridge); });
  };
  return (all.cluster == Membership::none || implies(one.cluster, all.cluster)) &&
         std::all_of(all.codes, all.codes + Membership::most, has);
}

/// The elements below a node, as far as it has been opened, in this step or in one before. It holds
/// them, and what it says of them is true.
std::vector<Index> check_node(const KdopNodes& nodes, const KdopSource& source, Index node) {
  const KdopLink& link = nodes.links[node];
  std::vector<Index> below;
  if (link.is_leaf()) below.push_back(link.element);
  if (link.left != KdopLink::none)
    for (const Index child : {link.left, link.right})
      for (const Index element : check_node(nodes, source, child)) below.push_back(element);
  for (const Index element : below) {
    CHECK(holds(nodes.volumes[node], source.element(element)));
    CHECK(is_true(nodes.memberships[node], source.membership(element)));
  }
  return below;
}

/// Steps with one memory against all pairs; returns how many of them had a contact.
int check_steps(const Model& m, const Steps& steps, double separation = 0) {
  const Features f = make_features(m.start.size(), m.faces, m.loose, 1);
  const Exceptions none{};
  StepMemory memory;
  int touching = 0;
  std::size_t opened = 0;
  for (const auto& [start, end] : steps) {
    const StepFrames step{start, end};
    const LocalFrame local(step, separation);
    // Contacts within the tolerance are optional: a tolerance like rounding leaves none of them.
    const LinearOptions linear{separation, 1e-12 * local.diagonal, 2'000};
    const StepProblem problem{f, none, step, linear, true, memory};
    const StepContacts truth = testing::all_pairs(problem);
    const unsigned threads = 1 + touching % 3;
    const StepContacts found = contacts_by_kept_clusters(problem, local, threads);
    CHECK(testing::same(found.vertex_face, truth.vertex_face));
    CHECK(testing::same(found.edge_edge, truth.edge_edge));
    CHECK(found.initial_edge_face == truth.initial_edge_face);
    CHECK(found.status == truth.status && found.toc == truth.toc);
    touching += found.status != Status::free;
    UninitializedVector<KdopPoint> points;
    KdopSource source(f, local, points, 1);
    source.memberships = memory.clusters.memberships;
    const ClusterTree& tree = memory.clusters.tree;
    opened += check_node(tree.nodes(), source, tree.root()).size();
  }
  CHECK(opened > 0 || touching == 0);
  return touching;
}

/// Faces around one vertex that lie flat, then wind around it twice, one round through the other.
/// All areas stay positive and the boundary turns forward only.
void check_winding() {
  constexpr Index count = 16;
  const auto fan = [](int turns, double slope) {
    Frame frame{{0, 0, 0}};
    for (Index k = 0; k < count; ++k) {
      const double angle = 2 * turns * std::numbers::pi * (k + 0.3) / count;
      const double r = k < count / 2 ? 1 : 1.5;
      frame.push_back({r * std::cos(angle), r * std::sin(angle), slope * std::sin(angle / 2)});
    }
    return frame;
  };
  Model m;
  m.start = fan(1, 0);
  for (Index k = 0; k < count; ++k) m.faces.push_back({0, 1 + k, 1 + (k + 1) % count});
  const Frame once = fan(1, 0), twice = fan(2, 0.3);
  CHECK(check_steps(m, {{once, once}, {twice, twice}}) == 1);
}

/// A strip that is straight, then bent in its plane until one end passes through the other: all
/// areas stay positive, but the boundary does not turn around any point.
void check_bending() {
  const auto bent = [](double angle, double from) {
    Model strip;
    testing::add_sheet(strip, 30, 2, [&](double u, double v) {
      const double r = 1 / angle + 0.1 * v, at = angle * u + from;
      const Vec3d p{r * std::sin(at), r * std::cos(at), 0.02 * u * (v - 0.3)};
      return Places(p, p);
    });
    return strip;
  };
  for (double from = 0; from < 6; from += 0.7) {
    const Model straight = bent(0.1, from), ring = bent(7, from);
    CHECK(check_steps(ring, {{straight.start, straight.end}, {ring.start, ring.end}}) == 1);
  }
}

/// A flat sheet, then a corner of it that is turned over and passes through the rest: a large one,
/// and one that is so small that the rest of the sheet is kept and asked to take it.
void check_turning_over() {
  for (const double crease : {1.4, 1.7}) {
    const auto sheet = [&](double turn) {
      Model m;
      testing::add_sheet(m, 16, 16, [&](double u, double v) {
        const double over = std::max(0.0, u + v - crease), up = 0.6 * (2 - crease) - over;
        const Vec3d p = Vec3d{u, v, 0} + Vec3d{-over, -over, up * over} * turn;
        return Places(p, p);
      });
      return m;
    };
    const Model flat = sheet(0), turned = sheet(1);
    CHECK(check_steps(flat, {{flat.start, flat.end}, {turned.start, turned.end}}) == 1);
  }
}

/// A flat sheet, then one face at a corner of it that is turned over and strikes through the rest.
/// Its sides still turn around the middle of the sheet.
void check_striking() {
  Model m;
  testing::add_sheet(m, 16, 16, [](double u, double v) { return Places({u, v, 0}, {u, v, 0}); });
  Frame above = m.start, below = m.start;
  const auto corner = std::find_if(m.start.begin(), m.start.end(),
                                   [](const Vec3d& p) { return p.x == 0 && p.y == 1; });
  above[corner - m.start.begin()] = {0.045, 0.955, 0.02};
  below[corner - m.start.begin()] = {0.045, 0.955, -0.02};
  CHECK(check_steps(m, {{m.start, m.start}, {above, below}}) == 1);
}

/// A rolled sheet of several clusters. In turn, a vertex at each seam is turned over and strikes
/// through the faces of a bridge.
void check_seams() {
  const Model m = rolled(4, 0);
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  Clustering c;
  make_clusters(step_of(f, m.start, m.start), 1, c);
  int tried = 0, touching = 0;
  for (const Bridge& bridge : c.bridges) {
    const auto& [v, p, q] = f.faces[bridge.seed()];
    const Vec3d middle = (m.start[p] + m.start[q]) * 0.5, back = middle - m.start[v];
    const Vec3d up = unit(cross(m.start[p] - m.start[v], m.start[q] - m.start[v])) * 0.02;
    Frame above = m.start, below = m.start;
    above[v] = middle + back * 0.7 + up;
    below[v] = middle + back * 0.7 - up;
    touching += check_steps(m, {{m.start, m.start}, {above, below}});
    if (++tried == 8) break;
  }
  CHECK(tried > 0 && touching == tried);
}

/// A sheet shakes for so long that what was kept has to be made anew now and then.
void check_long() {
  const Model m = rolled(4, 0);
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  testing::Random random(19);
  Clustering c;
  Frame start = m.start;
  int made = 0;
  for (int k = 0; k < 120; ++k) {
    Frame end = rolled(5 + 2.5 * std::sin(0.1 * k), 0).start;
    for (Vec3d& p : end) p = p + random.point(0.006);
    const PatchStep step = step_of(f, start, end);
    if (k == 0 || !renew_clusters(step, 2, c)) {
      make_clusters(step, 2, c);
      ++made;
    }
    if (k % 12 == 11) check_clusters(f, start, end, c);
    start = end;
  }
  CHECK(made > 1 && made < 60);
}

/// Other vertices of a sheet are out of place in each step, so few that the rest is kept, until the
/// tree has no room for all the faces that have moved from one cluster to another.
void check_room() {
  Model m;
  testing::add_sheet(m, 24, 24, [](double u, double v) { return Places({u, v, 0}, {u, v, 0}); });
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  testing::Random random(20);
  Clustering c;
  int made = 0;
  for (int k = 0; k < 150; ++k) {
    Frame frame = m.start;
    for (int i = 0; i < 3; ++i) {
      Vec3d& p = frame[random.below(static_cast<int>(frame.size()))];
      p = p + Vec3d{0.045, 0.0125, 0.01};
    }
    const PatchStep step = step_of(f, frame, frame);
    if (k == 0 || !renew_clusters(step, 1, c)) {
      make_clusters(step, 1, c);
      ++made;
    }
    if (k == 149) check_clusters(f, frame, frame, c);
  }
  CHECK(made > 10 && made < 75);
}

}  // namespace

int main() {
  check_room();
  check_renewal();
  check_long();
  check_winding();
  check_bending();
  check_turning_over();
  check_striking();
  check_seams();
  testing::Random random(18);
  for (int kind = 0; kind < testing::model_kinds; ++kind) {
    int touching = 0;
    for (int model = 0; model < 6; ++model) {
      const Model m = testing::random_model(random, kind);
      const double separation = model < 3 ? 0 : random.uniform(0, 0.03);
      touching += check_steps(m, sequence(m, random, model % 3 * 0.005), separation);
    }
    CHECK(touching >= 3);  // or there was nothing to find
  }
}
