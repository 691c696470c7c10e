// The clearance of a robot: a single search over all pieces of a path. Distances at a few times of
// each piece give a first upper bound. No piece is then proven for much more than the least
// distance of the whole path.
#include "toccata/query/clearance/robot_clearance.hpp"

#include <algorithm>
#include <limits>

#include "toccata/query/clearance/nearest.hpp"
#include "toccata/query/robot_first_contact/search.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

/// The pieces of a robot's path as a `ClearanceSetting`. Reuses its buffers across queries; one per
/// thread.
class PathSetting {
 public:
  using Who = PieceCandidate;

  RobotClearance clearance(const Robot& robot, const BodySet& world,
                           std::span<const PathPiece> pieces, const ClearanceOptions& options);

  void sample(int intervals, const Resolution& resolution, Nearby<Who>& best) {
    for (Index piece = 0; piece < size(); ++piece) {
      enter(piece);
      // The start of a piece is the end of the piece before.
      for (int k = piece > 0; k <= intervals; ++k)
        nearest_.sample(*setting_, {piece, static_cast<double>(k) / intervals}, resolution, best);
    }
  }
  void descend(const Who& who, const Instant& start, const Resolution& resolution,
               Nearby<Who>& best) {
    enter(who.piece);
    RobotPair bodies(*setting_, who);
    NamedBodies<RobotPair, Who> named{bodies, who};
    Descent(named, resolution, best).run(start);
  }
  const Contact& run(const Options& options) {
    options_.options = options;
    before_ = {}, pairs_before_ = 0;
    start(0);
    return go_on();
  }
  /// Resumes on the piece of the last contact.
  const Contact& resume(double separation) {
    options_.options.separation = separation;
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
  /// Adds the work on earlier pieces to the answer. Searches further pieces until one is not free.
  const Contact& go_on();
  RobotClearance answer(const Nearby<Who>& best, const Clearance& found);

  const Robot* robot_ = nullptr;
  const BodySet* world_ = nullptr;
  std::span<const PathPiece> pieces_;
  RobotOptions options_;
  // The current piece.
  Index piece_ = -1;
  std::optional<BodySet> part_;
  std::optional<RobotInWorld> setting_;
  LinkPoses poses_;
  BroadPhase broad_;
  Nearest nearest_;
  RobotSearch search_;
  RobotContact contact_;
  Stats before_;            // work on the pieces before the current one
  Count pairs_before_ = 0;  // tested pairs on these pieces
};

RobotClearance PathSetting::clearance(const Robot& robot, const BodySet& world,
                                      std::span<const PathPiece> pieces,
                                      const ClearanceOptions& options) {
  robot_ = &robot, world_ = &world, pieces_ = pieces;
  piece_ = -1;
  options_ = {};
  options_.self_contact = options.self_contact;
  options_.ignored = options.ignored;
  ClearanceQuery query = options;
  for (Index piece = 0; !(options.tolerance > 0) && piece < size(); ++piece) {
    enter(piece);
    const double own = default_tolerance_of_clearance(robot.radii().least_with(world.radii()),
                                                      setting_->error_of_pairs());
    query.tolerance = std::max(query.tolerance, own);
  }
  options_.options.tolerance = 0.5 * query.tolerance;
  constexpr Count most = std::numeric_limits<Count>::max();
  query.budget = query.budget < most / size() ? query.budget * size() : most;
  const ClearanceSearch search(*this, query);
  return answer(search.best(), search.answer());
}

void PathSetting::enter(Index piece) {
  if (piece == piece_) return;
  piece_ = piece;
  const auto& [motion, clock] = pieces_[piece];
  const bool is_part = world_->moves() && (clock.lo > 0 || clock.hi < 1);
  if (is_part) part_.emplace(world_->part(clock));
  poses_.start(*robot_, motion);
  setting_.emplace(*robot_, is_part ? *part_ : *world_, poses_, broad_, options_, options_.options);
}

void PathSetting::start(Index piece) {
  enter(piece);
  RobotOptions own = options_;
  own.options.budget = std::max<Count>(own.options.budget - before_.work, 1);
  contact_ = search_.run(*robot_, setting_->world, pieces_[piece].motion, own);
}

const Contact& PathSetting::go_on() {
  for (;;) {
    contact_.contact.stats += before_;
    contact_.pairs_tested += pairs_before_;
    if (contact_.contact.status != Status::free || piece_ + 1 == size()) return contact_.contact;
    before_ = contact_.contact.stats;
    pairs_before_ = contact_.pairs_tested;
    start(piece_ + 1);
  }
}

PieceCandidate PathSetting::in_contact() const {
  const Index a = contact_.link_a, b = contact_.link_b;
  if (b < 0) return {{0, a, contact_.body}, piece_};
  return {{0, a, b, robot_->pair(a, b)}, piece_};
}

RobotClearance PathSetting::answer(const Nearby<Who>& best, const Clearance& measured) {
  RobotClearance found{measured};
  if (!best.who) return found;
  const Who& who = *best.who;
  found.link_a = who.a;
  (who.links < 0 ? found.body : found.link_b) = who.b;
  found.piece = who.piece;
  found.time_of_piece = best.time;
  enter(who.piece);
  if (const std::optional<Pose> frame = setting_->frame_of(who, best.time)) {
    found.closest.point_a = *frame * found.closest.point_a;
    found.closest.point_b = *frame * found.closest.point_b;
  }
  return found;
}

ClearanceOptions scaled(const ClearanceOptions& options, int exponent) {
  ClearanceOptions result = options;
  static_cast<ClearanceQuery&>(result) =
      toccata::scaled(static_cast<const ClearanceQuery&>(options), exponent);
  return result;
}

RobotClearance scaled_back(RobotClearance found, const ClearanceOptions& options, int exponent) {
  scale_back(found, options, exponent);
  return found;
}

}  // namespace

RobotClearance clearance(const Robot& robot, const BodySet& world,
                         std::span<const PathPiece> pieces, const ClearanceOptions& options) {
  // The largest motion determines the exponent.
  int exponent = std::numeric_limits<int>::max();
  for (const PathPiece& piece : pieces)
    exponent = std::min(exponent, scaling_of(robot, world, piece.motion));
  if (exponent) [[unlikely]] {
    const ScaledRobot copy(robot, world, exponent);
    return scaled_back(clearance(copy.robot(), copy.world(), pieces, scaled(options, exponent)),
                       options, exponent);
  }
  thread_local PathSetting setting;  // reuses its buffers across queries
  return setting.clearance(robot, world, pieces, options);
}

RobotClearance clearance(const Robot& robot, const BodySet& world, const RobotMotion& motion,
                         const ClearanceOptions& options) {
  const PathPiece all{motion};
  RobotClearance found = clearance(robot, world, {&all, 1}, options);
  found.piece = -1;
  found.time_of_piece = nowhere.x;
  return found;
}

}  // namespace toccata
