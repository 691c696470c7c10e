// Queries about paths: each piece is a query of its own, with times converted to the whole path.
#include "toccata/query/path/path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <set>

#include "toccata/base/expects.hpp"
#include "toccata/base/of_thread.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/query/setting/robot_pair.hpp"
#include "toccata/query/setting/scaling.hpp"

namespace toccata {
namespace {

/// Converts a time within a piece to the time of the whole path, rounded down and up.
Interval times_on_path(const Path& path, Index piece, double t) {
  const double start = path.ends[piece], end = path.ends[piece + 1];
  const double value = start + t * (end - start);
  // 4 ulps exceed the rounding errors. The difference, product and sum are not negative, and each
  // rounds by at most 2^-53 of its value, which is less than an ulp.
  const double ulp = std::nextafter(value, infinity) - value;
  return {std::max(start, value - 4 * ulp), std::min(end, value + 4 * ulp)};
}
double time_on_path(const Path& path, Index piece, double t) {
  return times_on_path(path, piece, t).lo;
}

/// Returns the motion of a piece. If a polynomial piece is straight, its end is written to `end`.
RobotMotion motion_of(const Path& path, Index piece, std::size_t width, std::vector<double>& end) {
  if (!path.curved) {
    const double* start = path.rows + piece * width;
    return {start, start + width};
  }
  const double* start = path.rows + 6 * piece * width;
  const double* powers = start + width;
  if (std::any_of(powers + width, start + 6 * width, [](double c) { return c != 0; }))
    return {start, nullptr, powers};
  end.resize(width);
  for (std::size_t i = 0; i < width; ++i) end[i] = start[i] + powers[i];
  return {start, end.data()};
}

/// Calls `visit` for each piece in order, until a call returns true.
template <class Visit>
void for_pieces(const Robot& robot, const BodySet& world, const Path& path, const Visit& visit) {
  std::vector<double> end;
  std::optional<BodySet> part;
  for (Index piece = path.first; piece < path.last; ++piece) {
    const bool moves = world.moves() && !path.is_whole();
    if (moves) part.emplace(world.part({path.world[piece], path.world[piece + 1]}));
    const RobotMotion motion =
        motion_of(path, piece, static_cast<std::size_t>(robot.coordinates()), end);
    if (visit(piece, moves ? *part : world, motion)) return;
  }
}

/// Measures the distances of all pairs at configuration q that are within separation + tolerance.
/// Returns null unless pairs may rest.
std::shared_ptr<const PathStarts> start_distances(const Robot& robot, const BodySet& world,
                                                  const double* q, const RobotOptions& options) {
  if (options.options.initial != Initial::resting) return nullptr;
  const RobotMotion still{q, q};
  if (const int exponent = scaling_of(robot, world, still)) [[unlikely]] {
    const ScaledRobot copy(robot, world, exponent);
    const auto found = start_distances(copy.robot(), copy.world(), q, scaled(options, exponent));
    return std::make_shared<const PathStarts>(found->scaled(-exponent));
  }
  LinkPoses& poses = of_thread<LinkPoses>();
  poses.start(robot, still);
  RobotInWorld setting(robot, world, poses, of_thread<BroadPhase>(), options, options.options);
  PathStarts found;
  for (const Candidate& candidate : setting.find_candidates()) {
    const RobotPair bodies(setting, candidate);
    if (bodies.pair().start().hi < infinity) found.add(candidate, bodies.pair().start());
  }
  found.sort();
  return std::make_shared<const PathStarts>(std::move(found));
}

/// Returns options for all pieces of a path, with the distances at the start of the path for pairs
/// that may rest.
RobotOptions on_path(const Robot& robot, const BodySet& world, const Path& path,
                     const RobotOptions& options) {
  RobotOptions own = options;
  const bool moves = world.moves() && !path.is_whole();
  if (moves)
    own.starts =
        start_distances(robot, world.part({path.world[0], path.world[1]}), path.rows, options);
  else own.starts = start_distances(robot, world, path.rows, options);
  return own;
}

/// Length of a run of pieces from which coherence pays: its first query costs more. Runs of ten
/// pieces take 0.4 to 0.75 times as long with coherence, and runs of forty 0.3 to 0.7, measured on
/// chains, an arm and two humanoids.
constexpr Index shortest_run = 8;

/// Coherence for runs of pieces that move the same few coordinates, as on paths of one arm of a
/// larger robot (the future work of Kim, Redon, Kim 2008). It ends with its run, so the answer
/// depends on the path alone.
class RunCoherence {
 public:
  RunCoherence(const Path& path, std::size_t width, Method method)
      : path_(path), width_(width), end_(path.first) {
    // Both methods use rigid groups up to about a quarter of active joints.
    if (method == Method::automatic || method == Method::adaptive) most_moving_ = width / 4;
  }

  /// Returns the coherence for a piece, or null if it does not pay. Pieces must be given in order.
  RobotCoherence* of(Index piece) {
    if (most_moving_ == 0) return nullptr;
    if (piece >= end_) start_run(piece);
    return coherence_.get();
  }

 private:
  void start_run(Index piece) {
    end_ = piece + 1;
    while (end_ < path_.last && moves_same(piece, end_)) ++end_;
    std::size_t moving = 0;
    for (std::size_t i = 0; i < width_; ++i) moving += moves(piece, i);
    coherence_.reset();
    if (end_ - piece >= shortest_run && moving <= most_moving_)
      coherence_ = std::make_unique<RobotCoherence>();
  }

  bool moves_same(Index piece, Index other) const {
    for (std::size_t i = 0; i < width_; ++i)
      if (moves(piece, i) != moves(other, i)) return false;
    return true;
  }

  /// Returns whether coordinate i changes during a piece.
  bool moves(Index piece, std::size_t i) const {
    if (!path_.curved)
      return path_.rows[piece * width_ + i] != path_.rows[(piece + 1) * width_ + i];
    const double* constant = path_.rows + 6 * piece * width_ + i;
    for (int power = 1; power < 6; ++power)
      if (constant[power * width_] != 0) return true;
    return false;
  }

  const Path& path_;
  std::size_t width_, most_moving_ = 0;
  Index end_;  // end of the current run
  std::unique_ptr<RobotCoherence> coherence_;
};

void add_up(RobotContact& found, const RobotContact& before) {
  found.contact.stats += before.contact.stats;
  found.pairs_tested += before.pairs_tested;
  found.stages += before.stages;
}

/// Converts the times of an answer to times of the whole path, and sets its piece. On later pieces,
/// an initial overlap becomes a contact.
void set_piece(RobotContact& found, const Path& path, Index piece) {
  Contact& contact = found.contact;
  found.piece = piece;
  found.time = contact.toc;
  contact.toc = time_on_path(path, piece, contact.toc);
  contact.safe_until = time_on_path(path, piece, contact.safe_until);
  if (piece == 0 || contact.status != Status::initial_overlap) return;
  contact.status = Status::contact;
  const Closest& closest = contact.closest;
  if (closest.distance > 0)
    contact.normal = (closest.point_a - closest.point_b) * (1 / closest.distance);
}

}  // namespace

void check(const Robot& robot, const Path& path, std::size_t numbers) {
  const auto width = static_cast<std::size_t>(robot.coordinates());
  const std::size_t count = path.ends.size() - 1, rows = path.curved ? 6 * count : count + 1;
  expects(path.ends.size() > 1 && numbers == width * rows, "rows", "expected a path of the robot");
  expects(path.world.size() == path.ends.size() && path.world.front() >= 0 &&
              path.world.back() <= 1 && std::is_sorted(path.world.begin(), path.world.end()),
          "world_times", "expected times of the world from 0 to 1");
  expects(0 <= path.first && path.first < path.last && static_cast<std::size_t>(path.last) <= count,
          "pieces", "expected pieces of the path");
  for (std::size_t i = 0; path.curved && i < count; ++i)
    robot.check_polynomials({path.rows + 6 * i * width, 6 * width}, "spline");
  for (std::size_t i = 0; !path.curved && i < rows; ++i)
    robot.check({path.rows + i * width, width}, "Q");
}

RobotContact first_contact(const Robot& robot, const BodySet& world, const Path& path,
                           const RobotOptions& options, RobotCoherence* coherence) {
  const RobotOptions own = on_path(robot, world, path, options);
  RunCoherence runs(path, static_cast<std::size_t>(robot.coordinates()), own.options.method);
  RobotContact all;
  for_pieces(robot, world, path, [&](Index piece, const BodySet& now, const RobotMotion& motion) {
    RobotContact found =
        first_contact(robot, now, motion, own, coherence ? coherence : runs.of(piece));
    add_up(found, all);
    const bool free = found.contact.status == Status::free;
    if (free) found.contact.tolerance = std::max(found.contact.tolerance, all.contact.tolerance);
    else set_piece(found, path, piece);
    all = found;
    return !free;
  });
  return all;
}

std::vector<RobotContact> first_contacts(const Robot& robot, const BodySet& world, const Path& path,
                                         const RobotOptions& options, unsigned threads) {
  const RobotOptions own = on_path(robot, world, path, options);
  std::vector<RobotContact> all;
  std::set<std::array<Index, 3>> known;
  for_pieces(robot, world, path, [&](Index piece, const BodySet& now, const RobotMotion& motion) {
    for (RobotContact& found : first_contacts(robot, now, motion, own, threads)) {
      if (!known.insert({found.link_a, found.link_b, found.body}).second) continue;
      set_piece(found, path, piece);
      all.push_back(found);
    }
    return false;
  });
  return all;
}

std::vector<Distance> distances(const Robot& robot, const BodySet& world, const Path& path,
                                std::span<const Candidate> pairs, std::span<const double> times,
                                double limit, unsigned threads) {
  check_triangles(robot, world);
  for (std::size_t i = 0; i < times.size(); ++i)
    expects(times[i] >= 0 && times[i] <= 1, "at", "expected times from 0 to 1");
  const auto width = static_cast<std::size_t>(robot.coordinates());
  std::vector<Distance> found(times.size() * pairs.size());
  parallel_for(times.size(), 1, threads, [&](std::size_t begin, std::size_t end, unsigned) {
    std::vector<double> last;
    for (std::size_t i = begin; i < end; ++i) {
      const auto next = std::upper_bound(path.ends.begin(), path.ends.end(), times[i]);
      const Index piece =
          std::clamp(static_cast<Index>(next - path.ends.begin()) - 1, path.first, path.last - 1);
      const double length = path.ends[piece + 1] - path.ends[piece];
      const double time = length > 0 ? std::clamp((times[i] - path.ends[piece]) / length, 0.0, 1.0)
                                     : 0;
      const RobotMotion motion = motion_of(path, piece, width, last);
      const bool moves = world.moves() && !path.is_whole();
      const std::optional<BodySet> part =
          moves ? std::optional(world.part({path.world[piece], path.world[piece + 1]}))
                : std::nullopt;
      const std::vector<Distance> row =
          distances(robot, moves ? *part : world, motion, time, pairs, limit);
      std::copy(row.begin(), row.end(), found.begin() + i * pairs.size());
    }
  });
  return found;
}

std::vector<Interval> contact_intervals(const Robot& robot, const BodySet& world, const Path& path,
                                        const RobotOptions& options, double resolution) {
  std::vector<Interval> all;
  for_pieces(robot, world, path, [&](Index piece, const BodySet& now, const RobotMotion& motion) {
    const double length = path.ends[piece + 1] - path.ends[piece];
    const double share = std::min(resolution / length, 1.0);
    for (const Interval& found : contact_intervals(robot, now, motion, options, share))
      all.push_back(
          {times_on_path(path, piece, found.lo).lo, times_on_path(path, piece, found.hi).hi});
    return false;
  });
  unite(all, resolution);
  return all;
}

std::vector<RobotContact> contacts_at(const Robot& robot, const BodySet& world, const Path& path,
                                      const RobotOptions& options, double time) {
  const RobotOptions own = on_path(robot, world, path, options);
  std::vector<RobotContact> found;
  for_pieces(robot, world, path, [&](Index piece, const BodySet& now, const RobotMotion& motion) {
    found = contacts_at(robot, now, motion, own, time);
    for (RobotContact& contact : found) set_piece(contact, path, piece);
    return true;
  });
  return found;
}

RobotClearance clearance(const Robot& robot, const BodySet& world, const Path& path,
                         const ClearanceOptions& options) {
  const auto width = static_cast<std::size_t>(robot.coordinates());
  std::vector<PathPiece> pieces;
  std::deque<std::vector<double>> ends;  // ends of straight polynomial pieces
  for (Index i = path.first; i < path.last; ++i)
    pieces.push_back(
        {motion_of(path, i, width, ends.emplace_back()), {path.world[i], path.world[i + 1]}});
  RobotClearance found = clearance(robot, world, pieces, options);
  if (found.piece < 0) return found;
  found.piece += path.first;
  found.time = time_on_path(path, found.piece, found.time_of_piece);
  return found;
}

}  // namespace toccata
