// The tests of pairs whose travel exceeds their limits.
#include "toccata/broad/link_front.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "toccata/math/single.hpp"

namespace toccata {
namespace {

/// A ball suffices if it keeps a pair from being tested for this many motions like the present one.
constexpr float enough_motions = 4;
/// Distances beyond this one count as this one.
constexpr double farthest = 1e30;

Pack pack_of(const float (&numbers)[lanes]) {
  Pack pack;
  std::memcpy(&pack, numbers, sizeof pack);
  return pack;
}
Vec3p pack_of(const float (&points)[3][lanes]) {
  return {pack_of(points[0]), pack_of(points[1]), pack_of(points[2])};
}
void put(float (&points)[3][lanes], int lane, const Vec3d& point) {
  points[0][lane] = static_cast<float>(point.x);
  points[1][lane] = static_cast<float>(point.y);
  points[2][lane] = static_cast<float>(point.z);
}
Vec3p point_of(const float (&points)[3][lanes], int lane) {
  return {broadcast(points[0][lane]), broadcast(points[1][lane]), broadcast(points[2][lane])};
}

}  // namespace

Candidate LinkFront::pair_of(Index row, std::size_t pack, int lane) const {
  const Index column = static_cast<Index>(pack * lanes) + lane;
  if (column < links()) return {0, row, column, at_->robot.pair(row, column)};
  return {0, row, column - links()};
}

double LinkFront::margin(const Candidate& pair) const {
  return pair.links < 0 ? boxes_->query().margin(pair.a)
                        : boxes_->query().of(at_->robot.pairs()[pair.links]);
}

void LinkFront::run(const Step& step, LinkDistances& boxes, std::vector<Candidate>& found) {
  at_.emplace(step);
  boxes_ = &boxes, found_ = &found;
  resting_.clear();
  if (is_known_ && step.is_same) go_on();
  else restart();
  add_step();
  place();
  scan();
  for (Index i = 0; i < links() && step.world.moves(); ++i)
    boxes.list_bodies(outward(boxes.in_world(i, whole_motion)), i, true, found);
  reference_.assign(step.motion.start, step.motion.start + step.robot.coordinates());
  is_known_ = true;
}

/// Forgets all limits.
void LinkFront::restart() {
  const Robot& robot = at_->robot;
  const BroadQuery& query = boxes_->query();
  const std::size_t columns = robot.links().size() + at_->world.size();
  packs_ = (columns + lanes - 1) / lanes;
  cells_.assign(links() * packs_, {broadcast(infinite), broadcast(-infinite), Mask{}, 0, 0});
  base_of_cell_.assign(cells_.size(), 0);
  for (Index row = 0; row < links(); ++row)
    for (Index column = row + 1; column < static_cast<Index>(columns); ++column) {
      const Index body = column - links();
      const bool is_tested = body < 0 ? query.self_contact && robot.pair(row, column) >= 0
                                      : at_->world.is_fixed(body) &&
                                            toccata::is_tested(query.ignored, row, body);
      if (!is_tested) continue;
      Cell& c = cell(row, column / lanes);
      c.limit.set(column % lanes, -infinite);
      c.tested |= 1u << column % lanes;
    }
  list_bases();
}

/// Places balls and line-swept spheres of the links at the start of the motion.
void LinkFront::place() {
  placed_.resize(packs_);
  starts_.clear();
  for (const Index carrier : distinct_)
    starts_.push_back({at_->poses.pose(at_->poses.world_frame(carrier), 0),
                       at_->poses.sums(carrier).carried(most_far_, most_joints_).error(0)});
  for (Index i = 0; i < links(); ++i) {
    const Seated& seat = seats_[i];
    const auto& [pose, error] = starts_[seat.group];
    Placed& placed = placed_[first_pack(i)];
    const int lane = i % lanes;
    put(placed.center, lane, pose * seat.center);
    put(placed.start, lane, pose * seat.start);
    put(placed.end, lane, pose * seat.end);
    placed.ball[lane] = rounded_up(seat.ball + error);
    placed.line[lane] = rounded_up(seat.line + error);
  }
  for (Index column = links(); column < static_cast<Index>(packs_ * lanes); ++column) {
    const std::size_t body = column - links();
    const Box box = body < at_->world.size() ? at_->world.box(static_cast<Index>(body))
                                             : Box{{0, 0, 0}, {0, 0, 0}};
    Placed& placed = placed_[first_pack(column)];
    const int lane = column % lanes;
    put(placed.center, lane, center(box));
    put(placed.start, lane, center(box));
    put(placed.end, lane, center(box));
    placed.ball[lane] = placed.line[lane] = rounded_up(0.5 * norm(extent(box)));
  }
  Pack largest = broadcast(0);
  for (const Placed& placed : placed_)
    for (const auto* points : {&placed.center, &placed.start, &placed.end})
      for (const auto& numbers : *points) largest = max(largest, abs(pack_of(numbers)));
  float most = 0;
  for (int lane = 0; lane < lanes; ++lane) most = std::max(most, largest[lane]);
  coarse_ = rounded_up(0x1p-18 * most + boxes_->largest_margin());
}

/// Bounds the distances of balls around the bodies at the start from below, minus the margin.
Pack LinkFront::ball_gaps(Index row, std::size_t p) const {
  const int k = row % lanes;
  const Placed &one = placed_[first_pack(row)], &others = placed_[p];
  const Pack reach = one.ball[k] + pack_of(others.ball);
  const Pack apart = norm(pack_of(others.center) - point_of(one.center, k));
  return apart - reach - (apart + reach) * broadcast(0x1p-20f) - broadcast(coarse_);
}

/// Does the same for line-swept spheres.
///
/// The line between the closest points of both segments gives a direction. Any direction n with
/// |n| <= 1 gives a bound: the gap between the supports of the segments along n. Errors of the
/// closest points only weaken it.
Pack LinkFront::line_gaps(Index row, std::size_t p) const {
  const int k = row % lanes;
  const Placed &one = placed_[first_pack(row)], &others = placed_[p];
  const Vec3p from = point_of(one.start, k), a = point_of(one.end, k) - from;
  const Vec3p start = pack_of(others.start) - from, b = pack_of(others.end) - pack_of(others.start);
  const Pack zero = broadcast(0), whole = broadcast(1), tiny = broadcast(1e-30f);
  const auto clamped = [&](const Pack& x) { return min(max(x, zero), whole); };
  const Pack aa = max(dot(a, a), tiny), bb = max(dot(b, b), tiny), ab = dot(a, b);
  const Pack as = dot(a, start), bs = dot(b, start);
  const Pack den = max(aa * bb - ab * ab, tiny);
  Pack u = clamped((as * bb - bs * ab) / den);
  const Pack v = clamped((ab * u - bs) / bb);
  u = clamped((ab * v + as) / aa);
  const Vec3p line = start + b * v - a * u;
  const Pack length = norm(line);
  const Pack scale = broadcast(1 - 0x1p-20f) / max(length, tiny);
  const Vec3p n = line * scale;
  const Pack near = min(dot(n, start), dot(n, start + b)), far = max(zero, dot(n, a));
  const Pack reach = one.line[k] + pack_of(others.line);
  const Pack size = length + reach + norm(a) + norm(b);
  return near - far - reach - size * broadcast(0x1p-19f) - broadcast(coarse_);
}

/// Tests all pairs whose travel exceeds their limits, or is not a number.
void LinkFront::scan() {
  spent_.resize(sums_.size());
  for (std::size_t k = 0; k < sums_.size(); ++k)
    spent_[k] = (sums_[k] + steps_[k]) * broadcast(single_up);
  for (Index row = 0; row < links(); ++row)
    for (std::size_t p = first_pack(row); p < packs_; ++p) {
      const std::size_t index = row * packs_ + p;
      const Pack* const spent = spent_.data() + base_of_cell_[index] * packs_;
      const Pack now = spent[first_pack(row)][row % lanes] + spent[p];
      if (bits(cells_[index].limit >= now) != 0xff) test(row, p, base_of_cell_[index]);
    }
}

/// Tests the pairs of a cell that are due. The limit of a pair is the travel before the motion,
/// plus its distance at the start beyond the margin.
void LinkFront::test(Index row, std::size_t p, Index base) {
  Cell& c = cell(row, p);
  const int k = row % lanes;
  const std::size_t own = base * packs_ + first_pack(row), others = base * packs_ + p;
  const Pack spent = spent_[own][k] + spent_[others], before = sums_[own][k] + sums_[others];
  const unsigned due = c.tested & ~bits((c.limit >= spent) | (c.limit == broadcast(infinite)));
  if (!due) return;
  const Pack now = select(c.rests, broadcast(0), steps_[own][k] + steps_[others]);
  const Pack enough = now * broadcast(enough_motions);
  Pack gaps = ball_gaps(row, p);
  if (due & ~c.certain & ~bits(gaps > enough)) gaps = max(gaps, line_gaps(row, p));
  unsigned found_certain = 0;
  for_lanes(due & ~c.certain, [&](int lane) {
    // Boxes bound the distance during the whole motion.
    double apart = gaps[lane];
    if (!(apart > now[lane])) {
      const double boxes = gap(pair_of(row, p, lane));
      if (!(boxes > 0)) {
        // Bodies are large, and their boxes seldom separate from a link that is near. They are
        // tested in every other motion.
        const bool is_body = static_cast<Index>(p * lanes) + lane >= links();
        if (is_body && !c.rests[lane]) found_certain |= 1u << lane;
        return list(row, p, lane);
      }
      if (!(apart > boxes)) apart = boxes;
    }
    if (!(apart < farthest)) apart = farthest;
    if (c.rests[lane]) c.left.set(lane, rounded_down(apart)), c.limit.set(lane, infinite);
    else c.limit.set(lane, rounded_down(before[lane] + apart));
  });
  for_lanes(due & c.certain, [&](int lane) { list(row, p, lane); });
  c.certain = (c.certain & ~due) | found_certain;
}

/// Lists a pair as a candidate.
void LinkFront::list(Index row, std::size_t p, int lane) {
  Cell& c = cell(row, p);
  c.limit.set(lane, -infinite), c.left.set(lane, -infinite);
  if (c.rests[lane]) resting_.push_back({row, static_cast<Index>(p * lanes) + lane});
  found_->push_back(pair_of(row, p, lane));
}

/// Bounds the distance of a pair during the motion by boxes, minus its margin. Not positive if the
/// two may touch.
double LinkFront::gap(const Candidate& pair) {
  if (pair.links < 0)
    return toccata::gap(boxes_->in_world(pair.a, whole_motion), at_->world.box(pair.b));
  const double apart = boxes_->gap_of_boxes(at_->robot.pairs()[pair.links]);
  if (apart > 0) return apart;
  return toccata::gap(boxes_->in_world(pair.a, whole_motion),
                      boxes_->in_world(pair.b, whole_motion));
}

void LinkFront::learn(const Candidate& pair, double distance) {
  const Index column = pair.links < 0 ? links() + pair.b : pair.b;
  const std::size_t p = first_pack(column), index = pair.a * packs_ + p;
  const int k = column % lanes;
  Cell& c = cells_[index];
  if (c.rests[k] || c.limit[k] != -infinite) return;
  const std::size_t base = base_of_cell_[index] * packs_;
  const auto of = [&](const std::vector<Pack>& some) {
    return static_cast<double>(some[base + first_pack(pair.a)][pair.a % lanes]) + some[base + p][k];
  };
  // The distance at the start is at least the distance later, minus the travel in between.
  const double apart = std::min(distance, farthest) - margin(pair), left = apart - of(steps_);
  if (left > 0) c.limit.set(k, rounded_down(of(sums_) + left));
  if (!(apart > 0)) c.certain |= 1u << k;
}

void LinkFront::confirm() {
  for (const auto& [row, column] : resting_) {
    Cell& c = cell(row, first_pack(column));
    c.left.set(column % lanes, 0), c.limit.set(column % lanes, infinite);
  }
}

}  // namespace toccata
