#include "toccata/query/articulated/search.hpp"

#include <bit>

#include "toccata/base/stopwatch.hpp"
#include "toccata/query/articulated/guess.hpp"
#include "toccata/query/articulated/outcome.hpp"

namespace toccata {
namespace {

/// Volumes are bounded at multiples of a time in which no chain turns much more than this, so that
/// many pairs share the places of the links: all joints of a chain together, in radians.
constexpr double little_turn = 0.15;

/// There are at most so many such times.
constexpr double finest_grid = 1.0 / 128;

/// Bounds of the motion hold for at most so many radians of all joints of a chain together: over
/// more, they say little.
constexpr double widest_turn = 1.5;

/// The same for polynomials, in time: their derivatives vary.
constexpr double widest_bend = 0.125;

/// Radians of all joints of a chain together, from which on a motion that is not free is likely to
/// end in a contact: then one look at its end is tried before all else.
constexpr double large_turn = 0.5;

/// A power of two, so that its multiples are exact.
double grid_for(double turn) {
  double grid = 1;
  while (grid > finest_grid && grid * turn > little_turn) grid /= 2;
  return grid;
}

}  // namespace

void RobotPairs::start(const Journey& journey) {
  journey_ = &journey;
  last_ = std::min(journey.options.cutoff, 1.0);
  const double turn = journey.places.largest_turn();
  horizon_ =
      std::min(journey.places.is_curved() ? widest_bend : 1.0, widest_turn / std::max(turn, 1e-9));
  grid_ = grid_for(turn);
  size_ = 0;
}

Index RobotPairs::open(Index prospect) {
  if (live_.size() == static_cast<std::size_t>(size_)) live_.emplace_back();
  live_[size_].emplace(*journey_, (*candidates_)[(*prospects_)[prospect].candidate]);
  return size_++;
}

RobotContact RobotSearch::run(const Robot& robot, const World& world, const Way& way,
                              const RobotOptions& options) {
  options_ = options.options;
  Stopwatch watch(options_.timed);
  journey_.emplace(Journey{robot, world, places_, options_, options.separations.get()});
  any_ = options.any;
  found_ = {};
  places_.start(robot, way);
  pairs_.start(*journey_);
  walk_.start(pairs_, options_.cutoff, options_.budget);
  candidates_ = &broad_.start(
      robot, world, places_,
      {options_.separation + options_.tolerance, options.self_contact, options.untested.get()});
  guesses_ = 0, next_guess_ = 0;
  if (any_ && places_.largest_turn() > large_turn &&
      guess_contact(*journey_, *candidates_, broad_, guess_time(guesses_++), found_))
    return found_;
  candidates_ = &broad_.refine(robot, world, places_);
  found_.stages.seconds_hierarchy = watch.lap();
  found_.stages.pairs_after_hierarchy = static_cast<Count>(candidates_->size());
  open_prospects(*candidates_, prospects_);
  swept_.run(*journey_, *candidates_, prospects_);
  for (std::size_t i = 0; i < prospects_.size(); ++i)
    walk_.add(static_cast<Index>(i), std::countr_zero(prospects_[i].slabs) * (1.0 / World::slabs));
  found_.stages.seconds_culling = watch.lap();
  pairs_.set_candidates(*candidates_, prospects_);
  search();
  look_inside(*journey_, *candidates_, found_);
  // Pairs that never came up are culled by the order of the queue.
  found_.stages.pairs_after_culling = found_.pairs_tested;
  found_.stages.seconds_exact = watch.lap();
  return found_;
}

RobotContact RobotSearch::resume(double separation) {
  options_.separation = separation;
  for (Index i = 0; i < pairs_.size(); ++i) pairs_[i].set_separation(separation);
  found_.contact = Contact{.stats = found_.contact.stats};
  found_.link_a = found_.link_b = found_.body = -1;
  search();
  return found_;
}

void RobotSearch::search() {
  Contact& contact = found_.contact;
  while (!walk_.is_over() && contact.status == Status::free) {
    walk_.step(contact);
    if (any_ && contact.stats.ca_iterations >= next_guess_) guess();
  }
  found_.pairs_tested = pairs_.size();
  if (contact.status == Status::contact && found_.link_a < 0)
    name_contact(*journey_, pairs_[walk_.last_pair()], found_);
  for (Index i = 0; i < pairs_.size() && found_.link_a < 0; ++i)
    contact.tolerance = std::max(contact.tolerance, pairs_.pair(i).tolerance());
}

/// Any contact will do: one later time is tried, in all that is not proven free at that time.
/// Guesses take less than half of the work, whatever comes out.
void RobotSearch::guess() {
  if (walk_.is_over() || found_.contact.status != Status::free) return;
  const double known = walk_.time(), time = guess_time(guesses_++);
  if (time < known || time >= options_.cutoff) return;
  for (const auto& [earliest, index] : walk_.waiting()) {
    if (earliest > time) continue;
    if (index < 0 ? guess(prospects_[~index], time) : guess(walk_.branch(index), time)) {
      found_.contact.safe_until = known;
      return;
    }
  }
  next_guess_ = 2 * found_.contact.stats.ca_iterations;
}

bool RobotSearch::guess(const Prospect& prospect, double time) {
  if (!may_touch(prospect, time)) return false;
  return guess_contact(*journey_, {&(*candidates_)[prospect.candidate], 1}, broad_, time, found_);
}

bool RobotSearch::guess(const Walk::Branch& branch, double time) {
  LivePair& live = pairs_[branch.pair];
  unsigned lanes = 0;
  for_lanes(branch.siblings.time.open(), [&](int lane) {
    if (branch.siblings.time[lane] <= time) lanes |= 1u << lane;
  });
  const std::optional<Touch> touch =
      guess_touch(live, branch.siblings.family, lanes, time, places_, found_.contact.stats);
  if (!touch) return false;
  record(found_.contact, time, touch->a, touch->b, touch->triangles);
  name_contact(*journey_, live, found_);
  return true;
}

}  // namespace toccata
