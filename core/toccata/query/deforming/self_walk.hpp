// A walk of a binary tree of 16-DOPs against itself, down to pairs of features.
#pragma once

#include "toccata/query/deforming/clusters/cluster_tree.hpp"
#include "toccata/query/deforming/tester.hpp"

namespace toccata {

/// Two nodes, or one twice.
struct KdopPair {
  Index a, b;
};

/// What all threads of one walk share.
struct WalkedTree {
  const KdopSource& source;
  const KdopNodes& nodes;
  ClusterTree* clusters =
      nullptr;  ///< that makes nodes when a walk gets there, if not all are there
};

/// Walks pairs of nodes for one thread. Each pair of elements is met once.
class SelfWalk {
 public:
  SelfWalk(const WalkedTree& data, Tester& tester, unsigned worker)
      : data_(data), tester_(tester), worker_(worker) {}

  /// Visits all that is below a pair.
  void run(KdopPair pair);

  /// Replaces a pair by those below it that may touch; tests it if there is nothing below.
  void expand(KdopPair pair, std::vector<KdopPair>& out);

 private:
  /// Edges that an element owns, all or some.
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

/// Walks the tree below `root` against itself and collects what the threads find.
StepContacts walk_against_itself(const StepProblem& problem, const WalkedTree& data, Index root,
                                 unsigned threads);

}  // namespace toccata
