// Tables of speed bounds by direction, for each frame of a robot.
#include "toccata/robot/chain_speed.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace toccata {
namespace {

/// Slack for the rounding of sines and cosines in single precision, including the square root of a
/// small number, sqrt(2^-22). It is added for every joint in proportion to the joint's
/// contribution, so it also covers the rounding of sums. It is small compared to the loss by the
/// size of cells.
constexpr float angle_slack = 1e-3f;

/// Joints rotate by less than `widest_cone` radians in a window, if `most_windows` windows suffice.
/// More windows or more cells cost more than they save.
constexpr double widest_cone = 0.2, most_windows = 4;

Vec3d on_cube(int face, double u, double v) {
  const double w = face & 1 ? -1 : 1;
  const Vec3d point = face < 2 ? Vec3d{w, u, v} : face < 4 ? Vec3d{u, w, v} : Vec3d{u, v, w};
  return unit(point);
}

}  // namespace

ChainSpeed::Cells::Cells() {
  const auto at = [](int k) { return 2.0 * k / side - 1; };
  for (int i = 0; i < 6 * side * side; ++i) {
    const int face = i / (side * side), row = i / side % side, column = i % side;
    const double half = 1.0 / side;
    const Vec3d center = on_cube(face, at(row) + half, at(column) + half);
    double least = 1;
    for (int corner = 0; corner < 4; ++corner)
      least = std::min(least,
                       dot(center, on_cube(face, at(row + (corner & 1)), at(column + corner / 2))));
    const int pack = i / lanes, lane = i % lanes;
    set_lane(middle[pack], lane, to_float(center));
    cosine[pack].set(lane, static_cast<float>(least));
    sine[pack].set(lane, static_cast<float>(std::sqrt(1 - least * least)));
  }
}

const ChainSpeed::Cells& ChainSpeed::cells() {
  static const Cells all;
  return all;
}

/// Returns the cell of a direction. Rounding may choose an adjacent cell within 2^-20, which
/// `angle_slack` covers.
Mask ChainSpeed::cell(const Vec3p& n) {
  const Pack ax = abs(n.x), ay = abs(n.y), az = abs(n.z);
  const Mask x = (ax >= ay) & (ax >= az), y = ~x & (ay >= az);
  const Pack w = select(x, n.x, select(y, n.y, n.z));
  const Pack u = select(x, n.y, n.x), v = select(x | y, n.z, n.y);
  const Pack scale = (0.5f * side) / max(abs(w), broadcast(1e-30f));
  const auto index_on_axis = [&](Pack coordinate) {
    const Pack at = coordinate * scale + 0.5f * side;
    return truncated(max(min(at, broadcast(side - 1)), Pack{}));
  };
  const Mask face = (x & 0) + (~x & y & 2) + (~x & ~y & 4) + ((w < Pack{}) & 1);
  return (face * side + index_on_axis(u)) * side + index_on_axis(v);
}

void ChainSpeed::start(const Robot& robot, GridPoses& poses, double largest_turn) {
  robot_ = &robot;
  poses_ = &poses;
  const double wanted = std::clamp(largest_turn / widest_cone, 1.0, most_windows);
  windows_ = static_cast<int>(std::bit_ceil(static_cast<unsigned>(wanted)));
  tables_of_frames_.assign(robot.frames().size(), -1);
  requests_.assign(robot.frames().size(), 0);
  tables_.clear();
}

Pack ChainSpeed::speed(Index frame, const Vec3p& direction, Pack distance) {
  if (frame < 0) return Pack{};
  if (!is_worth_it(frame)) return broadcast(INFINITY);
  const Table& known = tables_[table(frame)];
  const Mask at = cell(direction);
  Pack a, b;
  for (int lane = 0; lane < lanes; ++lane) {
    a.set(lane, known.a[at[lane] / lanes][at[lane] % lanes]);
    b.set(lane, known.b[at[lane] / lanes][at[lane] % lanes]);
  }
  return a + b * distance;
}

/// Returns whether a table pays off: it costs as much as some advances for each joint of its chain.
bool ChainSpeed::is_worth_it(Index frame) {
  return tables_of_frames_[frame] >= 0 ||
         static_cast<std::size_t>(++requests_[frame]) > robot_->path(frame).size();
}

Index ChainSpeed::table(Index frame) {
  if (tables_of_frames_[frame] >= 0) return tables_of_frames_[frame];
  const Frame& f = robot_->frames()[frame];
  const Twist& joint = poses_->joint(f.joint);
  const Index parent = f.parent < 0 ? -1 : table(f.parent);
  const auto index = static_cast<Index>(tables_.size());
  Table& own = tables_.emplace_back();
  // A joint's origin moves along a line, so it is farthest at one of the two ends.
  const auto length = static_cast<float>(
      std::max(norm(joint.pose(0).translation), norm(joint.pose(1).translation)));
  for (int i = 0; i < packs && parent >= 0; ++i) {
    own.b[i] = tables_[parent].b[i];
    own.a[i] = tables_[parent].a[i] + own.b[i] * length;
  }
  add_joint(joint, f.parent, own);
  return tables_of_frames_[frame] = index;
}

/// Bounds the directions of a vector, fixed in a frame, during a window.
ChainSpeed::Cone ChainSpeed::cone(Index frame, int window, const Vec3d& vector) {
  const int slot = window * (GridPoses::count / windows_);
  const ChainState& state = poses_->at(frame, slot);
  const double duration = 1.0 / windows_;
  const bool holds = poses_->end(slot) >= GridPoses::time(slot) + duration;
  const double turn = duration * (holds ? state.most_spin : state.spin_sum);
  const Vec3d along = state.pose.rotation * vector;
  return {to_float(unit(along)), static_cast<float>(std::sin(turn)),
          static_cast<float>(std::cos(turn)), turn > 1};
}

/// Adds the contribution of a joint. Let g be the angle between the middles of a cell and of a
/// cone, and d the sum of their half widths. The angle between n and the vector is from g - d to g
/// + d.
void ChainSpeed::add_joint(const Twist& joint, Index parent, Table& table) {
  const auto rate = static_cast<float>(joint.spin_speed());
  const auto speed = static_cast<float>(norm(joint.velocity()));
  const Pack one = broadcast(1);
  if (rate > 0) {
    Pack most[packs] = {};
    for_angles(joint.spin(), parent, [&](int i, const Angle& g, const Angle& d) {
      // |n x w| is the same for -w.
      const Pack c = abs(g.cosine);
      const Pack widest = g.sine * d.cosine + c * d.sine;
      most[i] = max(most[i], select(c * d.cosine > g.sine * d.sine, widest, one));
    });
    for (int i = 0; i < packs; ++i) table.b[i] += rate * (most[i] + angle_slack);
  }
  if (speed > 0) {
    Pack most[packs];
    std::fill_n(most, packs, -one);
    for_angles(joint.velocity(), parent, [&](int i, const Angle& g, const Angle& d) {
      const Pack nearest = g.cosine * d.cosine + g.sine * d.sine;
      most[i] = max(most[i], select(g.cosine < d.cosine, nearest, one));
    });
    for (int i = 0; i < packs; ++i) table.a[i] += speed * (most[i] + angle_slack);
  }
}

/// Calls `visit` for all windows and packs of cells. A cone that is too wide to be useful counts as
/// centered in every cell with a half width of a right angle.
template <class Visit>
void ChainSpeed::for_angles(const Vec3d& vector, Index parent, const Visit& visit) {
  const Cells& all = cells();
  const Pack zero{}, one = broadcast(1);
  for (int k = 0; k < (parent < 0 ? 1 : windows_); ++k) {
    const Cone c = cone(parent, k, vector);
    for (int i = 0; i < packs; ++i) {
      const Pack cosine = dot(all.middle[i], broadcast(c.middle));
      const Angle g{sqrt(max(one - cosine * cosine, zero)), cosine};
      const Angle d{c.sine * all.cosine[i] + c.cosine * all.sine[i],
                    c.cosine * all.cosine[i] - c.sine * all.sine[i]};
      if (c.whole) visit(i, Angle{zero, one}, Angle{one, zero});
      else visit(i, g, d);
    }
  }
}

}  // namespace toccata
