// method="auto" for robots: one earliest-first walk over all pairs of bodies.
//
// The first two triangles to come up while touching are the first contact of the whole robot. Times
// come up in rising order, so that the places of the links, computed at few times (Tang et al.
// 2013, section 5.3.2), serve all pairs.
#pragma once

#include <optional>

#include "toccata/base/slots.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/first_contact.hpp"
#include "toccata/query/articulated/probe.hpp"
#include "toccata/query/articulated/robot_pair.hpp"
#include "toccata/query/articulated/swept_cull.hpp"
#include "toccata/walk/earliest_first.hpp"

namespace toccata {

/// The pairs of bodies of one motion of a robot, and where they are. Keeps its memory.
class RobotPairs {
 public:
  /// Starts a motion, with no candidate open. The query stays where it is.
  void start(const RobotQuery& query);
  void set_candidates(const std::vector<Candidate>& candidates,
                      const std::vector<PendingCandidate>& pending) {
    candidates_ = &candidates, pending_ = &pending;
  }

  Index open(Index pending);
  RobotPair& operator[](Index i) { return opened_[i]; }
  const RobotPair& operator[](Index i) const { return opened_[i]; }
  Index size() const { return opened_.size(); }

  const MovingPair& pair(Index i) const { return opened_[i].pair(); }
  bool is_at_rest(Index i) const { return opened_[i].is_at_rest(); }
  Span window(double time) const { return {time, std::min(last_, time + horizon_)}; }
  static double reopens_at(Index, double) { return infinity; }
  const PairState& at(Index i, Span window) { return opened_[i].at(window, query_->poses); }
  const RelativeState& relative(Index i, Span window, bool a_fills_lanes) {
    return opened_[i].relative(window, a_fills_lanes, query_->poses);
  }
  /// Where the two were last asked for, if that is not long ago; or a time that many pairs share.
  double volume_time(Index i, double now) const { return known_time(i, now, snapped(now)); }
  double again_time(Index i, double now) const { return volume_time(i, now); }
  double leaf_time(Index i, double now) const { return known_time(i, now, now); }
  /// By what will be left of the gap, and by the volume that can be split and not by both, since a
  /// long thin triangle of a wire is large however finely the link beside it is split. Measured on
  /// arms among pipes and wires.
  static unsigned promising(const Approach& bounds, const Expansion<VolumeKind::box>& expansion,
                            float separation) {
    return bits(bounds.left - separation > 0.04f * expansion.size());
  }
  /// Links have long triangles, around which boxes are large.
  static constexpr bool packs_triangles = true;

 private:
  double snapped(double time) const { return std::floor(time / grid_) * grid_; }
  double known_time(Index i, double now, double otherwise) const {
    const double known = opened_[i].time();
    return snapped(now) <= known && known <= now ? known : otherwise;
  }

  const RobotQuery* query_ = nullptr;
  const std::vector<Candidate>* candidates_ = nullptr;
  const std::vector<PendingCandidate>* pending_ = nullptr;
  double last_ = 1, horizon_ = 1, grid_ = 1;
  Slots<RobotPair> opened_;
};

/// What the adaptive method keeps. Proofs and a front are kept in sequences only, so that all else
/// does not depend on what was asked before.
struct AdaptiveMemory {
  RigidGroups groups;
  GroupProofs proofs;
  AssemblyFront front;
  bool is_sequence = false;
  double most_active = 0.5;  ///< share of joints up to which groups are worth it
};

/// What is known from earlier queries.
struct SearchMemory {
  const ContactMemory* contacts = nullptr;  ///< null: nothing
  AdaptiveMemory* adaptive = nullptr;       ///< null: all joints count, whether they move or not
};

/// Keeps its memory from query to query; one per thread.
class RobotSearch {
 public:
  RobotContact run(const Robot& robot, const World& world, const RobotMotion& motion,
                   const RobotOptions& options, const SearchMemory& memory = {});

  /// Takes up the last `run`, which ended in a contact, with a smaller separation for all pairs:
  /// what has been proven holds for it too.
  RobotContact resume(double separation);

 private:
  using Walk = EarliestFirst<RobotPairs>;

  /// Two triangles that touch at a time, at the latest.
  struct Recalled {
    double time;
    Candidate candidate;
    ElementPair elements;
    TriangleApproach triangles;
  };

  void find_candidates(const RobotMotion& motion, const RobotOptions& options,
                       AdaptiveMemory* adaptive);
  void recall(const ContactMemory& memory);
  void recall(RobotPair& bodies, const ElementPair& elements, double time);
  void conclude_recalled();
  void conclude_adaptive(AdaptiveMemory& adaptive);
  void search();
  void enter_window();
  void probe();
  bool note(const RobotPair& bodies, const std::optional<Touch>& touch, double time);
  bool probe(const Candidate& candidate, double time);
  bool probe(const PendingCandidate& pending, double time);
  bool probe(const Branch& branch, double time);

  // The question.
  std::optional<RobotQuery> query_;
  Options options_;
  bool any_ = false;
  // The work.
  LinkPoses poses_;
  BroadPhase broad_;
  SweptCull swept_;
  std::vector<PendingCandidate> pending_;
  std::vector<Index> later_;  // candidates that no window has come up for
  int windows_ = 0, window_ = 0;
  const std::vector<Candidate>* candidates_ = nullptr;
  RobotPairs pairs_;
  Walk walk_;
  unsigned probes_ = 0;
  Count next_probe_ = 0;  // is due after so many looks
  std::optional<Recalled> recalled_;
  RobotContact found_;
  Stopwatch watch_{false};
};

}  // namespace toccata
