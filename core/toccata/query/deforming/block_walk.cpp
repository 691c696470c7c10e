#include "toccata/query/deforming/block_walk.hpp"

#include "toccata/base/parallel_for.hpp"
#include "toccata/base/stopwatch.hpp"

namespace toccata {

template <class Visit>
void BlockWalk::for_each_meeting(PackPair pair, const Visit& visit) {
  const auto& level = tree_.levels[pair.level];
  const MovingBoxes &a = level[pair.a], &b = level[pair.b];
  const float cutoff = tester_.cutoff();
  const unsigned rows = pair.a == pair.b ? 0xffu : meeting(around(b), a, cutoff);
  for_lanes(rows, [&](int i) {
    unsigned mask = meeting(a.get(i), b, cutoff);
    tester_.stats.bv_tests += lanes;
    if (pair.a == pair.b) mask &= 0xffu << i;
    for_lanes(mask, [&](int j) { visit(pair.a * lanes + i, pair.b * lanes + j); });
  });
}

void BlockWalk::expand(PackPair pair, std::vector<PackPair>& out) {
  for_each_meeting(pair, [&](Index a, Index b) { out.push_back({pair.level - 1, a, b}); });
}

void BlockWalk::run(PackPair pair) {
  interruption_point(++steps_);
  for_each_meeting(pair, [&](Index a, Index b) {
    if (pair.level > 0) run({pair.level - 1, a, b});
    else if (a == b) within(a);
    else between(a, b);
  });
}

bool BlockWalk::near(const std::vector<FeaturePack>& packs, PackRange range, const MovingBox& other,
                     Near::Masks& out) {
  unsigned any = 0;
  for (Index p = range.begin; p < range.end; ++p)
    any |= out[p - range.begin] = meeting(other, packs[p].boxes, cutoff_);
  tester_.stats.bv_tests += lanes * (range.end - range.begin);
  return any != 0;
}

bool BlockWalk::near(const Block& block, const MovingBox& other, Near& out) {
  const bool edges = near(tree_.edges, block.edges, other, out.edges);
  const bool vertices = near(tree_.vertices, block.vertices, other, out.vertices);
  const bool faces = near(tree_.faces, block.faces, other, out.faces);
  return edges || vertices || faces;
}

/// Calls visit(id of a, id of b) for features whose boxes meet and that share no vertex; those of a
/// have so many corners.
template <int corners, class Meet, class Visit>
void BlockWalk::match(const Side& a, const Side& b, const Meet& meet, const Visit& visit) {
  for (Index p = a.range.begin; p < a.range.end; ++p)
    for_lanes(a.near[p - a.range.begin], [&](int i) {
      const MovingBox box = a.packs[p].boxes.get(i);
      const auto vertices = a.packs[p].corners_of(i);
      for (Index q = b.range.begin; q < b.range.end; ++q) {
        const unsigned columns = b.near[q - b.range.begin];
        if (columns == 0) continue;
        const FeaturePack& pack = b.packs[q];
        tester_.stats.bv_tests += lanes;
        const unsigned met = columns & meet(box, pack.boxes);
        if (met == 0) continue;
        for_lanes(met & ~sharing<corners>(vertices, pack),
                  [&](int j) { visit(a.packs[p].ids[i], pack.ids[j]); });
      }
    });
}

void BlockWalk::between(Index i, Index j) {
  const Block &a = tree_.blocks[i], &b = tree_.blocks[j];
  Near near_a, near_b;
  cutoff_ = tester_.cutoff();
  if (!near(a, box(j), near_a) || !near(b, box(i), near_b)) return;
  const Side faces_a{tree_.faces, a.faces, near_a.faces},
      faces_b{tree_.faces, b.faces, near_b.faces};
  const Side edges_a{tree_.edges, a.edges, near_a.edges},
      edges_b{tree_.edges, b.edges, near_b.edges};
  const Side vertices_a{tree_.vertices, a.vertices, near_a.vertices};
  const Side vertices_b{tree_.vertices, b.vertices, near_b.vertices};
  const auto meet = [this](const MovingBox& x, const MovingBoxes& y) {
    return meeting(x, y, cutoff_);
  };
  const auto vertex_face = [this](Index v, Index f) { tester_.vertex_face(v, f); };
  match<1>(vertices_a, faces_b, meet, vertex_face);
  match<1>(vertices_b, faces_a, meet, vertex_face);
  match<2>(edges_a, edges_b, meet, [this](Index e, Index f) { tester_.edge_edge(e, f); });
  const auto face_edge = [this](Index f, Index e) { tester_.edge_face(e, f); };
  match<3>(faces_a, edges_b, overlapping_at_start, face_edge);
  match<3>(faces_b, edges_a, overlapping_at_start, face_edge);
}

void BlockWalk::within(Index i) {
  const Block& block = tree_.blocks[i];
  Near near_all;
  cutoff_ = tester_.cutoff();
  near(block, box(i), near_all);
  const Side faces{tree_.faces, block.faces, near_all.faces};
  const Side edges{tree_.edges, block.edges, near_all.edges};
  const Side vertices{tree_.vertices, block.vertices, near_all.vertices};
  const auto meet = [this](const MovingBox& x, const MovingBoxes& y) {
    return meeting(x, y, cutoff_);
  };
  match<1>(vertices, faces, meet, [this](Index v, Index f) { tester_.vertex_face(v, f); });
  match<2>(edges, edges, meet, [this](Index e, Index f) {
    if (e < f) tester_.edge_edge(e, f);
  });
  match<3>(faces, edges, overlapping_at_start,
           [this](Index f, Index e) { tester_.edge_face(e, f); });
}

MovingBox BlockWalk::box(Index block) const {
  return tree_.levels[0][block / lanes].get(block % lanes);
}

namespace {

/// Pairs of packs that together hold all that may touch, enough of them for all threads.
std::vector<PackPair> tasks(const BlockTree& tree, Tester& tester, unsigned threads) {
  std::vector<PackPair> now{{static_cast<Index>(tree.levels.size()) - 1, 0, 0}};
  while (threads > 1 && now.size() < 64 * threads && now[0].level > 0) {
    std::vector<PackPair> next;
    for (const PackPair& pair : now) BlockWalk(tree, tester).expand(pair, next);
    now = std::move(next);
  }
  return now;
}

}  // namespace

StepContacts contacts_by_blocks(const StepProblem& problem, const LocalFrame& local,
                                unsigned threads) {
  Stopwatch watch;
  const BlockTree tree = build_blocks(problem.features, local, threads);
  const double hierarchy = watch.lap();
  std::vector<Tester> testers(threads, Tester(problem));
  const std::vector<PackPair> todo = tasks(tree, testers[0], threads);
  parallel_for(todo.size(), 1, threads, [&](std::size_t i, std::size_t, unsigned worker) {
    BlockWalk(tree, testers[worker]).run(todo[i]);
  });
  StepContacts out = collect(problem, testers);
  out.stats.seconds_hierarchy = hierarchy;
  out.stats.seconds_traversal = watch.lap();
  return out;
}

}  // namespace toccata
