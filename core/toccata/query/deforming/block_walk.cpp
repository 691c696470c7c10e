#include "toccata/query/deforming/block_walk.hpp"

#include <bit>

#include "toccata/base/parallel_for.hpp"
#include "toccata/query/deforming/stopwatch.hpp"

namespace toccata {
namespace {

/// Calls visit(k) for the bits that are set.
template <class Visit>
void for_each_bit(unsigned mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

}  // namespace

template <class Visit>
void BlockWalk::for_each_meeting(PackPair pair, const Visit& visit) {
  const auto& level = tree_.levels[pair.level];
  const MovingBoxes &a = level[pair.a], &b = level[pair.b];
  const float cutoff = tester_.cutoff();
  const unsigned rows = pair.a == pair.b ? 0xffu : meeting(around(b), a, cutoff);
  for_each_bit(rows, [&](int i) {
    unsigned mask = meeting(a.get(i), b, cutoff);
    tester_.stats.bv_tests += lanes;
    if (pair.a == pair.b) mask &= 0xffu << i;
    for_each_bit(mask, [&](int j) { visit(pair.a * lanes + i, pair.b * lanes + j); });
  });
}

void BlockWalk::expand(PackPair pair, std::vector<PackPair>& out) {
  for_each_meeting(pair, [&](Index a, Index b) { out.push_back({pair.level - 1, a, b}); });
}

void BlockWalk::run(PackPair pair) {
  for_each_meeting(pair, [&](Index a, Index b) {
    if (pair.level > 0)
      run({pair.level - 1, a, b});
    else if (a == b)
      block(side(a));
    else
      blocks(side(a), side(b));
  });
}

BlockWalk::Side BlockWalk::side(Index block) const {
  return {tree_.blocks[block], tree_.levels[0][block / lanes].get(block % lanes)};
}

/// Calls visit(id of a, id of b) for features of two ranges whose boxes meet. The boxes around all
/// of a and all of b leave out most of them at once.
template <class Meet, class Visit>
void BlockWalk::match(const FeatureBoxes& a, PackRange range_a, const MovingBox& box_a,
                      const FeatureBoxes& b, PackRange range_b, const MovingBox& box_b,
                      const Meet& meet, const Visit& visit) {
  for (Index p = range_a.begin; p < range_a.end; ++p) {
    const unsigned rows = meet(box_b, a.boxes[p]);
    tester_.stats.bv_tests += lanes;
    if (rows == 0) continue;
    for (Index q = range_b.begin; q < range_b.end; ++q) {
      const unsigned columns = meet(box_a, b.boxes[q]);
      if (columns == 0) continue;
      for_each_bit(rows, [&](int i) {
        tester_.stats.bv_tests += lanes;
        const unsigned mask = columns & meet(a.boxes[p].get(i), b.boxes[q]);
        for_each_bit(mask, [&](int j) { visit(a.ids[p][i], b.ids[q][j]); });
      });
    }
  }
}

void BlockWalk::blocks(const Side& a, const Side& b) {
  const auto meet = [cutoff = tester_.cutoff()](const MovingBox& x, const MovingBoxes& y) {
    return meeting(x, y, cutoff);
  };
  const auto vertex_face = [this](Index v, Index f) { tester_.vertex_face(v, f); };
  match(tree_.vertices, a.block.vertices, a.box, tree_.faces, b.block.faces, b.box, meet,
        vertex_face);
  match(tree_.vertices, b.block.vertices, b.box, tree_.faces, a.block.faces, a.box, meet,
        vertex_face);
  match(tree_.edges, a.block.edges, a.box, tree_.edges, b.block.edges, b.box, meet,
        [this](Index e, Index f) { tester_.edge_edge(e, f); });
  const auto edge_face = [this](Index e, Index f) { tester_.edge_face(e, f); };
  match(tree_.edges, a.block.edges, a.box, tree_.faces, b.block.faces, b.box, overlapping_at_start,
        edge_face);
  match(tree_.edges, b.block.edges, b.box, tree_.faces, a.block.faces, a.box, overlapping_at_start,
        edge_face);
}

void BlockWalk::block(const Side& a) {
  const auto meet = [cutoff = tester_.cutoff()](const MovingBox& x, const MovingBoxes& y) {
    return meeting(x, y, cutoff);
  };
  match(tree_.vertices, a.block.vertices, a.box, tree_.faces, a.block.faces, a.box, meet,
        [this](Index v, Index f) { tester_.vertex_face(v, f); });
  match(tree_.edges, a.block.edges, a.box, tree_.edges, a.block.edges, a.box, meet,
        [this](Index e, Index f) {
          if (e < f) tester_.edge_edge(e, f);
        });
  match(tree_.edges, a.block.edges, a.box, tree_.faces, a.block.faces, a.box, overlapping_at_start,
        [this](Index e, Index f) { tester_.edge_face(e, f); });
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
