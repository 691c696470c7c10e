// Traversal of a binary tree of 16-DOPs against itself, down to pairs of features.
#pragma once

#include "toccata/query/deforming/clusters/cluster_tree.hpp"
#include "toccata/query/deforming/tester.hpp"

namespace toccata {

/// Two nodes, or one node twice.
struct KdopPair {
  Index a, b;
};

/// Data that all threads of one traversal share.
struct WalkedTree {
  const KdopSource& source;
  const KdopNodes& nodes;
  /// If not null: makes nodes when the traversal needs them.
  ClusterTree* clusters = nullptr;
};

/// Traversal for one thread. Visits each pair of elements once.
class SelfWalk {
 public:
  SelfWalk(const WalkedTree& data, Tester& tester, unsigned worker)
      : data_(data), tester_(tester), worker_(worker) {}

  /// Visits everything below a pair.
  void run(KdopPair pair);

  /// Replaces a pair by the pairs below it that may touch, or tests it if it is a pair of leaves.
  void expand(KdopPair pair, std::vector<KdopPair>& out);

 private:
  /// Some or all edges that an element owns.
  struct OwnedEdges {
    std::array<Index, 3> ids;
    std::array<Kdop, 3> volumes;
    int count = 0;

    void add(Index id, const Kdop& volume) {
      ids[count] = id;
      volumes[count++] = volume;
    }
  };

  template <class Visit>
  void for_each_below(KdopPair pair, const Visit& visit);
  const KdopLink& enter(Index node);
  bool meet(const Kdop& a, const Kdop& b);
  void elements(Index a, Index b);
  void vertices_face(Index element, Index face, const Kdop& volume);
  OwnedEdges owned_edges(Index element) const;
  OwnedEdges near_edges(Index element, const Kdop& volume);
  void edges_edges(const OwnedEdges& a, const OwnedEdges& b);
  void edges_face(const OwnedEdges& edges, Index face, const Kdop& volume);
  bool is_face(Index element) const;

  const WalkedTree& data_;
  Tester& tester_;
  unsigned worker_;
  Count steps_ = 0;
};

/// Traverses the tree below `root` against itself and collects the results of all threads.
StepContacts walk_against_itself(const StepProblem& problem, const WalkedTree& data, Index root,
                                 unsigned threads);

}  // namespace toccata
