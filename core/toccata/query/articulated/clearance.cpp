// All pieces of a path are one search. Distances at a few times of each piece give a first upper
// bound, so that no piece is proven for much more than the least distance of all.
#include "toccata/query/articulated/clearance.hpp"

#include <algorithm>
#include <limits>

#include "toccata/query/articulated/nearest.hpp"
#include "toccata/query/articulated/scaled.hpp"
#include "toccata/query/articulated/search.hpp"

namespace toccata {
namespace {

/// A robot that moves in a world. Keeps its memory from query to query; one per thread.
class RobotSetting {
 public:
  using Who = PieceCandidate;

  RobotClearance clearance(const Robot& robot, const World& world,
                           std::span<const PathPiece> pieces, const ClearanceOptions& options);

  void look(int intervals, const Resolution& resolution, Nearby<Who>& best) {
    for (Index piece = 0; piece < size(); ++piece) {
      enter(piece);
      // A piece starts where the one before ends.
      for (int k = piece > 0; k <= intervals; ++k)
        nearest_.look(*query_, asked_, {piece, static_cast<double>(k) / intervals}, resolution,
                      best);
    }
  }
  void descend(const Who& who, const Instant& start, const Resolution& resolution,
               Nearby<Who>& best) {
    enter(who.piece);
    PlacedRobotPair bodies(*query_, who);
    Descent(bodies, resolution, best).run(start);
  }
  const Contact& run(const Options& options) {
    asked_.options = options;
    before_ = {}, pairs_before_ = 0;
    start(0);
    return go_on();
  }
  /// The piece of the last contact has not been left since.
  const Contact& resume(double separation) {
    asked_.options.separation = separation;
    contact_ = search_.resume(separation);
    return go_on();
  }
  Who in_contact() const;
  Count pairs_tested() const { return contact_.pairs_tested; }

 private:
  Index size() const { return static_cast<Index>(pieces_.size()); }
  /// Makes a piece the current one.
  void enter(Index piece);
  /// Searches a piece.
  void start(Index piece);
  /// Adds the work on the pieces before; searches the next ones as long as they are free.
  const Contact& go_on();
  RobotClearance answer(const Nearby<Who>& best, const Clearance& found);

  const Robot* robot_ = nullptr;
  const World* world_ = nullptr;
  std::span<const PathPiece> pieces_;
  RobotOptions asked_;
  // The current piece.
  Index piece_ = -1;
  std::optional<World> part_;
  std::optional<RobotQuery> query_;
  LinkPoses poses_;
  Nearest nearest_;
  RobotSearch search_;
  RobotContact contact_;
  Stats before_;  // the work on the pieces before the current one
  Count pairs_before_ = 0;
};

RobotClearance RobotSetting::clearance(const Robot& robot, const World& world,
                                       std::span<const PathPiece> pieces,
                                       const ClearanceOptions& options) {
  robot_ = &robot, world_ = &world, pieces_ = pieces;
  piece_ = -1;
  asked_ = {};
  asked_.self_contact = options.self_contact;
  asked_.untested = options.untested;
  ClearanceQuestion question = options;
  for (Index piece = 0; !(options.tolerance > 0) && piece < size(); ++piece) {
    enter(piece);
    const double own = default_tolerance_of_clearance(robot.radii().least_with(world.radii()),
                                                      query_->error_of_pairs());
    question.tolerance = std::max(question.tolerance, own);
  }
  asked_.options.tolerance = 0.5 * question.tolerance;
  constexpr Count most = std::numeric_limits<Count>::max();
  question.budget = question.budget < most / size() ? question.budget * size() : most;
  const ClearanceSearch search(*this, question);
  return answer(search.best(), search.answer());
}

void RobotSetting::enter(Index piece) {
  if (piece == piece_) return;
  piece_ = piece;
  const auto& [motion, clock] = pieces_[piece];
  const bool is_part = world_->moves() && (clock.lo > 0 || clock.hi < 1);
  if (is_part) part_.emplace(world_->part(clock));
  poses_.start(*robot_, motion);
  query_.emplace(RobotQuery{*robot_, is_part ? *part_ : *world_, poses_, asked_.options});
}

void RobotSetting::start(Index piece) {
  enter(piece);
  RobotOptions own = asked_;
  own.options.budget = std::max<Count>(own.options.budget - before_.work, 1);
  contact_ = search_.run(*robot_, query_->world, pieces_[piece].motion, own);
}

const Contact& RobotSetting::go_on() {
  for (;;) {
    contact_.contact.stats += before_;
    contact_.pairs_tested += pairs_before_;
    if (contact_.contact.status != Status::free || piece_ + 1 == size()) return contact_.contact;
    before_ = contact_.contact.stats;
    pairs_before_ = contact_.pairs_tested;
    start(piece_ + 1);
  }
}

PieceCandidate RobotSetting::in_contact() const {
  const std::span<const LinkPair> pairs = robot_->pairs();
  const Index a = contact_.link_a, b = contact_.link_b;
  PieceCandidate candidate{{0, a, contact_.body}, piece_};
  if (b >= 0)
    candidate.pair =
        static_cast<Index>(std::find_if(pairs.begin(), pairs.end(),
                                        [&](const LinkPair& p) { return p.a == a && p.b == b; }) -
                           pairs.begin());
  return candidate;
}

RobotClearance RobotSetting::answer(const Nearby<Who>& best, const Clearance& measured) {
  RobotClearance found{measured};
  if (!best.who) return found;
  found.link_a = best.who->link;
  found.piece = best.who->piece;
  found.time_of_piece = best.time;
  if (best.who->pair < 0) {
    found.body = best.who->other;
    return found;
  }
  const LinkPair& links = robot_->pairs()[best.who->pair];
  found.link_b = links.b;
  enter(best.who->piece);
  const Pose root = poses_.at(robot_->world_frame(links.carrier), best.time, 0).pose;
  found.closest.point_a = root * found.closest.point_a;
  found.closest.point_b = root * found.closest.point_b;
  return found;
}

}  // namespace

RobotClearance clearance(const Robot& robot, const World& world, std::span<const PathPiece> pieces,
                         const ClearanceOptions& options) {
  // The larger the motions, the smaller the exponent.
  int exponent = std::numeric_limits<int>::max();
  for (const PathPiece& piece : pieces)
    exponent = std::min(exponent, scaling_of(robot, world, piece.motion));
  if (exponent) [[unlikely]] {
    const ScaledSetting setting(robot, world, exponent);
    return scaled_back(
        clearance(setting.robot(), setting.world(), pieces, scaled(options, exponent)), options,
        exponent);
  }
  thread_local RobotSetting setting;  // keeps its memory from query to query
  return setting.clearance(robot, world, pieces, options);
}

RobotClearance clearance(const Robot& robot, const World& world, const RobotMotion& motion,
                         const ClearanceOptions& options) {
  const PathPiece all{motion};
  RobotClearance found = clearance(robot, world, {&all, 1}, options);
  found.piece = -1;
  found.time_of_piece = nowhere.x;
  return found;
}

}  // namespace toccata
