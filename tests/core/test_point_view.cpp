// Views from a point prove only what is true: whatever patch, point and axis are chosen, faces of a
// proven patch do not touch, and inner faces keep the separation.
#include "check.hpp"
#include "deforming_checks.hpp"
#include "toccata/query/deforming/clusters/small_part.hpp"

using namespace toccata;
using testing::add_ball;
using testing::BallShape;
using testing::Model;
using testing::on_sphere;
using testing::Places;
using testing::Random;

namespace {

struct Tally {
  std::size_t proven = 0, touching = 0, cases = 0;
};

/// A patch of a model, seen from a point.
struct Case {
  const Model& model;
  std::vector<Index> faces;
  MovingPoint o;
  Vec3d axis;
};

PatchStep step_of(const Model& m, const Features& f, double separation = 0) {
  const StepFrames frames{m.start, m.end};
  return {f, frames, LocalFrame(frames, separation).diagonal, separation};
}

bool is_proven(const Case& c, const Features& f) {
  const std::set<Index> all(c.faces.begin(), c.faces.end());
  const PatchStep step = step_of(c.model, f);
  const auto inside = [&](Index face) { return all.contains(face); };
  return is_star(PointView(step, c.o, c.axis, 0), step, c.faces, inside);
}

/// A proven patch does not touch itself.
void check(const Case& c, Tally& tally) {
  const Features f = make_features(c.model.start.size(), c.model.faces, {}, 1);
  ++tally.cases;
  const bool proven = is_proven(c, f);
  // It is enough to know that some of the others touch.
  if (!proven && tally.touching > 20) return;
  const bool touches = testing::contacts_among(c.model, f, c.faces) > 0;
  CHECK(!(proven && touches));
  tally.proven += proven;
  tally.touching += touches;
}

std::vector<Index> all_faces(const Model& m) {
  std::vector<Index> all(m.faces.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Returns faces that are connected with a face, all or fewer.
std::vector<Index> random_patch(const Model& m, Random& random, std::size_t limit = 1000) {
  if (limit == 1000 && random.below(3) == 0) return all_faces(m);
  const Features f = make_features(m.start.size(), m.faces, {}, 1);
  const std::size_t most = 1 + random.below(static_cast<int>(std::min(limit, m.faces.size())));
  std::vector<Index> patch{random.below(static_cast<int>(m.faces.size()))};
  std::set<Index> seen(patch.begin(), patch.end());
  for (std::size_t i = 0; i < patch.size() && patch.size() < most; ++i)
    for (const Index other : f.across[patch[i]])
      if (other != Features::none && seen.insert(other).second) patch.push_back(other);
  return patch;
}

Vec3d scaled(const Vec3d& p, double scale) { return p * scale; }

Vec3d mean(std::span<const Vec3d> frame) {
  Vec3d sum{0, 0, 0};
  for (const Vec3d& p : frame) sum = sum + p;
  return sum * (1 / static_cast<double>(frame.size()));
}

/// Returns an axis at random, or through a face of a patch.
Vec3d random_axis(const Model& m, std::span<const Index> patch, const MovingPoint& o,
                  Random& random) {
  const Face& face = m.faces[patch[0]];
  return random.below(3) == 0 ? random.point(1) : m.start[face[0]] - o.start;
}

/// A ball with points at all kinds of places: inside, moving along the surface, through it, or out;
/// and shapes that turn inside out.
void check_balls(Random& random, int count) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const double scale = std::exp2(random.below(3) == 0 ? random.uniform(-30, 30) : 0);
    Model m;
    const double wave = random.uniform(0, 0.4), noise = random.uniform(0, 0.1);
    const double flat = random.uniform(-1, 1.2);
    const BallShape shape{4 + random.below(3), 5 + random.below(5), 1, random.below(2) == 0};
    add_ball(m, shape, [&](double polar, double azimuth) {
      const Vec3d p = on_sphere(polar, azimuth) * (1 + wave * std::cos(2 * polar - azimuth));
      const Vec3d q{p.x, p.y * flat, p.z};
      return Places(scaled(p + random.point(noise), scale), scaled(q + random.point(noise), scale));
    });
    const double reach = random.below(4) == 0 ? 2 : 0.2;
    const MovingPoint o{random.point(reach * scale), random.point(reach * scale)};
    const std::vector<Index> patch = random_patch(m, random);
    check({m, patch, o, random_axis(m, patch, o, random)}, tally);
  }
  CHECK(tally.proven * 15 > tally.cases && tally.touching > 3);
}

/// Surfaces that cover the sphere several times are never proven as a whole, whether they touch
/// themselves or not, and whatever is cut out of one layer. Their parts are.
void check_covers(Random& random, int count) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const Model m = testing::covers(random);
    const MovingPoint o{mean(m.start) + random.point(0.05), mean(m.end) + random.point(0.05)};
    const Features f = make_features(m.start.size(), m.faces, {}, 1);
    const Case whole{m, all_faces(m), {{0, 0, 0}, {0, 0, 0}}, random.point(1)};
    Model still = m;
    still.end = still.start;
    CHECK(!is_proven({still, whole.faces, whole.o, whole.axis}, f));
    check(whole, tally);
    const std::vector<Index> patch = random_patch(m, random, 30);
    check({m, patch, o, random_axis(m, patch, o, random)}, tally);
  }
  CHECK(tally.proven * 50 > tally.cases && tally.touching > 3);
}

/// The hole of a double cover lies in the direction -z: its boundary turns around the axis once,
/// but the other layer covers -z.
void check_hidden_cover() {
  Model m;
  add_ball(m, {8, 24, 2, true}, [](double polar, double azimuth) {
    const Vec3d p = on_sphere(polar, azimuth) * (1 + 0.1 * std::sin(polar) * std::cos(azimuth / 2));
    return Places(p, p);
  });
  const Features whole = make_features(m.start.size(), m.faces, {}, 1);
  std::vector<Index> rest;
  const Index removed = 60;
  for (const Index face : all_faces(m))
    if (face != removed) rest.push_back(face);
  const Face& hole = m.faces[removed];
  const Vec3d middle = (m.start[hole[0]] + m.start[hole[1]] + m.start[hole[2]]) * (1.0 / 3);
  const Case seen{m, rest, {{0, 0, 0}, {0, 0, 0}}, -middle};
  CHECK(!is_proven(seen, whole));
  CHECK(testing::contacts_among(m, whole, rest) > 0);
  // The same hole in a sphere that is covered once.
  Model once;
  add_ball(once, {8, 12, 1, true}, [](double polar, double azimuth) {
    const Vec3d p = on_sphere(polar, azimuth);
    return Places(p, p);
  });
  const Features f = make_features(once.start.size(), once.faces, {}, 1);
  std::vector<Index> others = all_faces(once);
  const Face gap = once.faces[40];
  others.erase(others.begin() + 40);
  const Vec3d out = (once.start[gap[0]] + once.start[gap[1]] + once.start[gap[2]]) * (1.0 / 3);
  CHECK(is_proven({once, others, {{0, 0, 0}, {0, 0, 0}}, -out}, f));
  CHECK(!is_proven({once, others, {{0, 0, 0}, {0, 0, 0}}, out}, f));
  CHECK(is_proven({once, all_faces(once), {{0, 0, 0}, {0, 0, 0}}, out}, f));
}

/// Random models, and soups with degenerate, repeated and reversed faces.
void check_models(Random& random, int count) {
  Tally tally;
  for (int i = 0; i < count; ++i) {
    const Model m = testing::random_model(random, i % testing::model_kinds);
    if (m.faces.empty()) continue;
    const std::vector<Index> patch = random_patch(m, random, 30);
    const Face& face = m.faces[patch[0]];
    const Vec3d down =
        cross(m.start[face[1]] - m.start[face[0]], m.start[face[2]] - m.start[face[0]]);
    const Vec3d below = down * (random.uniform(0, 2) / (norm(down) + 1e-12));
    const MovingPoint o{m.start[face[0]] - below, m.end[face[0]] - below};
    const Vec3d middle = (m.start[face[0]] + m.start[face[1]] + m.start[face[2]]) * (1.0 / 3);
    check({m, patch, o, random.below(4) ? middle - o.start : random.point(1)}, tally);
  }
  CHECK(tally.proven > 0 && tally.touching > 3);
}

/// An edge with three faces, and one whose faces have the same direction there, are in no patch of
/// several faces.
void check_joints() {
  Model fan;
  fan.start = {{0, 0, 1}, {0.2, 0, 1}, {0, 0.2, 1}, {0, -0.2, 1}, {0.2, 0.1, 1.1}};
  fan.end = fan.start;
  fan.faces = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
  const Features f = make_features(fan.start.size(), fan.faces, {}, 1);
  const Case all{fan, {0, 1, 2}, {{0, 0, 0}, {0, 0, 0}}, {0.3, 0.2, 1}};
  CHECK(!is_proven(all, f));
  const Case two{fan, {0, 1}, {{0, 0, 0}, {0, 0, 0}}, {0.05, 0.01, 1}};
  CHECK(!is_proven(two, f));  // not across, because the edge has three faces
}

/// Inner faces of proven clusters keep the separation, from coarse to fine.
void check_separation(Random& random, int count) {
  int proven = 0;
  for (int i = 0; i < count; ++i) {
    Model m;
    const double wave = random.uniform(0, 0.3), squeeze = random.uniform(0.2, 1);
    const Vec3d motion = random.point(0.5);
    const BallShape shape{3 + random.below(4), 4 + random.below(5), 1, random.below(3) > 0};
    add_ball(m, shape, [&](double polar, double azimuth) {
      const Vec3d p = on_sphere(polar, azimuth) * (1 + wave * std::cos(3 * polar + 2 * azimuth));
      return Places(p + random.point(0.02), Vec3d{p.x, p.y, p.z * squeeze} + motion);
    });
    const double separation = std::exp2(random.uniform(-8, 0));
    const Features f = make_features(m.start.size(), m.faces, {}, 1);
    const PatchStep step = step_of(m, f, separation);
    SmallPart part;
    CHECK(part.visit(f, 0));
    const auto inside = [](Index) { return true; };
    const PointView view = view_from_middle(step, part.faces());
    if (!is_star(view, step, part.faces(), inside)) continue;
    ++proven;
    const Exceptions none{};
    StepMemory memory;
    const LinearOptions linear{separation, 1e-12 * step.diagonal, 2'000};
    const StepProblem problem{f, none, step.frames, linear, true, memory};
    const StepContacts found = testing::all_pairs(problem);
    std::set<Index> outer;
    for (const Index face : part.faces())
      for (int k = 0; k < 3; ++k)
        if (f.across[face][k] == Features::none)
          outer.insert({f.faces[face][k], f.faces[face][(k + 1) % 3]});
    const auto is_outer = [&](Index v) { return outer.contains(v); };
    const auto is_inner_face = [&](const Face& t) {
      return std::none_of(t.begin(), t.end(), is_outer);
    };
    for (const PairContact& pair : found.vertex_face)
      CHECK(is_outer(pair.a) && !is_inner_face(f.faces[pair.b]));
    for (const PairContact& pair : found.edge_edge)
      for (const Index edge : {pair.a, pair.b})
        CHECK(is_outer(f.edges[edge][0]) || is_outer(f.edges[edge][1]));
  }
  CHECK(proven * 10 > count);
}

/// Smooth balls, bulges and convex parts are single clusters.
void check_counts() {
  for (const double separation : {0.0, 1e-3}) {
    Model m;
    add_ball(m, {40, 60, 1, true}, [](double polar, double azimuth) {
      const Vec3d p = on_sphere(polar, azimuth);
      return Places(p, Vec3d{p.x, 1.2 * p.y, 0.8 * p.z} + Vec3d{1, 2, 3});
    });
    const Features f = make_features(m.start.size(), m.faces, {}, 1);
    Clustering clusters;
    make_clusters(step_of(m, f, separation), 2, clusters);
    CHECK(clusters.seeds.size() == 1 && clusters.bridges.empty());
    CHECK(renew_clusters(step_of(m, f, separation), 2, clusters));
    CHECK(clusters.seeds.size() == 1 && clusters.from_point[0]);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check_counts();
  check_joints();
  check_hidden_cover();
  Random random(31);
  const int count = static_cast<int>(testing::cases(argc, argv, 120));
  check_balls(random, 4 * count);
  check_covers(random, count);
  check_models(random, 2 * count);
  check_separation(random, 2 * count);
}
