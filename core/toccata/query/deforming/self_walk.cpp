// Traversal of node pairs, and tests of the features of two elements.
#include "toccata/query/deforming/self_walk.hpp"

#include "toccata/base/parallel_for.hpp"

namespace toccata {
namespace {

bool has(const Face& face, Index v) { return face[0] == v || face[1] == v || face[2] == v; }

bool share(const Edge& a, const Edge& b) {
  return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

}  // namespace

bool SelfWalk::is_face(Index element) const {
  return static_cast<std::size_t>(element) < data_.source.features.faces.size();
}

inline bool SelfWalk::meet(const Kdop& a, const Kdop& b) {
  ++tester_.stats.bv_tests;
  return meeting(a, b, tester_.cutoff());
}

/// Returns the link of a node, after making its children if necessary.
const KdopLink& SelfWalk::enter(Index node) {
  const KdopLink& link = data_.nodes.links[node];
  if (data_.clusters && !link.is_leaf()) data_.clusters->expand(node, worker_);
  return link;
}

/// Calls visit(pair) for the pairs one level below. The volumes of the two nodes are known to meet.
template <class Visit>
void SelfWalk::for_each_below(KdopPair pair, const Visit& visit) {
  const KdopLink* links = data_.nodes.links.data();
  const Kdop* volumes = data_.nodes.volumes.data();
  const Membership* memberships = data_.nodes.has_memberships() ? data_.nodes.memberships.data()
                                                                : nullptr;
  const auto offer = [&](Index a, Index b) {
    if (memberships &&
        (clustered(memberships[a], memberships[b]) || bridged(memberships[a], memberships[b])))
      return;
    if (meet(volumes[a], volumes[b])) visit(KdopPair{a, b});
  };
  if (pair.a == pair.b) {
    // An element does not touch itself, because all its features share vertices.
    if (links[pair.a].count == 1 ||
        (memberships && clustered(memberships[pair.a], memberships[pair.a])))
      return;
    const KdopLink& link = enter(pair.a);
    visit({link.left, link.left});
    visit({link.right, link.right});
    offer(link.left, link.right);
    return;
  }
  if (links[pair.a].count < links[pair.b].count) std::swap(pair.a, pair.b);
  const KdopLink& link = enter(pair.a);
  // The other node is a leaf too.
  if (link.is_leaf()) return elements(pair.a, pair.b);
  offer(link.left, pair.b);
  offer(link.right, pair.b);
}

void SelfWalk::expand(KdopPair pair, std::vector<KdopPair>& out) {
  for_each_below(pair, [&](KdopPair below) { out.push_back(below); });
}

void SelfWalk::run(KdopPair pair) {
  interruption_point(++steps_);
  for_each_below(pair, [this](KdopPair below) { run(below); });
}

/// Tests all pairs of features of two elements, one feature of each.
void SelfWalk::elements(Index a, Index b) {
  const Index element_a = data_.nodes.links[a].element, element_b = data_.nodes.links[b].element;
  const Features& f = data_.source.features;
  const ApartFor apart =
      tester_.are_apart(f.corners(element_a), f.corners(element_b), data_.source.diagonal);
  if (apart == ApartFor::lastingly) return;
  const Kdop &volume_a = data_.nodes.volumes[a], &volume_b = data_.nodes.volumes[b];
  if (is_face(element_b)) vertices_face(element_a, element_b, volume_b);
  if (is_face(element_a)) vertices_face(element_b, element_a, volume_a);
  // If the elements are apart at the start, no edge pierces a face then, and edges need only be
  // tested against edges.
  const bool overlap = apart == ApartFor::no && overlapping_at_start(volume_a, volume_b);
  const OwnedEdges edges_a = overlap ? near_edges(element_a, volume_b) : owned_edges(element_a);
  const OwnedEdges edges_b = overlap ? near_edges(element_b, volume_a) : owned_edges(element_b);
  edges_edges(edges_a, edges_b);
  if (overlap && is_face(element_b)) edges_face(edges_a, element_b, volume_b);
  if (overlap && is_face(element_a)) edges_face(edges_b, element_a, volume_a);
}

void SelfWalk::vertices_face(Index element, Index face, const Kdop& volume) {
  const Features& f = data_.source.features;
  for (const Index v : f.owned_vertices[element]) {
    if (v != Features::none && !has(f.faces[face], v) &&
        meet(data_.source.around(std::array{v}), volume))
      tester_.vertex_face(v, face);
  }
}

SelfWalk::OwnedEdges SelfWalk::owned_edges(Index element) const {
  const Features& f = data_.source.features;
  OwnedEdges owned;
  for (const Index e : f.owned_edges[element])
    if (e != Features::none) owned.add(e, data_.source.around(f.edges[e]));
  return owned;
}

SelfWalk::OwnedEdges SelfWalk::near_edges(Index element, const Kdop& volume) {
  const OwnedEdges owned = owned_edges(element);
  OwnedEdges near;
  for (int i = 0; i < owned.count; ++i)
    if (meet(owned.volumes[i], volume)) near.add(owned.ids[i], owned.volumes[i]);
  return near;
}

void SelfWalk::edges_edges(const OwnedEdges& a, const OwnedEdges& b) {
  const auto& edges = data_.source.features.edges;
  for (int i = 0; i < a.count; ++i)
    for (int j = 0; j < b.count; ++j)
      if (!share(edges[a.ids[i]], edges[b.ids[j]]) && meet(a.volumes[i], b.volumes[j]))
        tester_.edge_edge(a.ids[i], b.ids[j]);
}

void SelfWalk::edges_face(const OwnedEdges& near, Index face, const Kdop& volume) {
  for (int i = 0; i < near.count; ++i)
    if (overlapping_at_start(near.volumes[i], volume)) tester_.edge_face(near.ids[i], face);
}

namespace {

/// Returns pairs of nodes that together contain all candidate pairs, enough of them for all
/// threads.
std::vector<KdopPair> tasks(const WalkedTree& data, Tester& tester, Index root, unsigned threads) {
  std::vector<KdopPair> now{{root, root}};
  while (threads > 1 && !now.empty() && now.size() < 64 * threads) {
    std::vector<KdopPair> next;
    for (const KdopPair& pair : now) SelfWalk(data, tester, 0).expand(pair, next);
    now = std::move(next);
  }
  return now;
}

}  // namespace

StepContacts walk_against_itself(const StepProblem& problem, const WalkedTree& data, Index root,
                                 unsigned threads) {
  if (problem.has_budget()) threads = 1;
  std::vector<Tester> testers(threads, Tester(problem));
  const std::vector<KdopPair> todo = tasks(data, testers[0], root, threads);
  parallel_for(todo.size(), 1, threads, [&](std::size_t i, std::size_t, unsigned worker) {
    SelfWalk(data, testers[worker], worker).run(todo[i]);
  });
  return collect(problem, testers);
}

}  // namespace toccata
