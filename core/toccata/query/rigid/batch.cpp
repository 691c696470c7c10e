#include "toccata/query/rigid/batch.hpp"

#include "toccata/base/expects.hpp"
#include "toccata/base/parallel_for.hpp"
#include "toccata/math/pose.hpp"
#include "toccata/query/rigid/first_contact.hpp"
#include "toccata/walk/scaled.hpp"

namespace toccata {
namespace {

void check(const PosePaths& paths) {
  const std::size_t count = paths.start_a.size(), count_b = paths.start_b.size();
  expects(paths.end_a.size() == count, "end_a", "expected as many poses as start_a");
  expects(count_b == 0 || count_b == count, "start_b", "expected as many poses as start_a");
  expects(paths.end_b.size() == count_b, "end_b", "expected as many poses as start_b");
  check_poses(paths.start_a, "start_a");
  check_poses(paths.end_a, "end_a");
  check_poses(paths.start_b, "start_b");
  check_poses(paths.end_b, "end_b");
}

Motion path(const Matrix4& start, const Matrix4& end, PathKind kind) {
  const Pose from = pose_of(start.data()), to = pose_of(end.data());
  return kind == PathKind::screw ? Twist::screw(from, to) : Twist::linear(from, to, {0, 0, 0});
}

/// One answer per path.
template <class Ask>
Contacts answer_all(const PosePaths& paths, unsigned threads, const Ask& ask) {
  Contacts results(paths.start_a.size());
  const bool b_moves = !paths.start_b.empty();
  const Motion fixed = Motion::fixed({});
  parallel_for(
      paths.start_a.size(), 16, threads, [&](std::size_t begin, std::size_t end, unsigned) {
        for (std::size_t i = begin; i < end; ++i)
          results.set(i, ask(path(paths.start_a[i], paths.end_a[i], paths.kind),
                             b_moves ? path(paths.start_b[i], paths.end_b[i], paths.kind) : fixed));
      });
  return results;
}

}  // namespace

void check_poses(std::span<const Matrix4> poses, const char* argument) {
  for (std::size_t i = 0; i < poses.size(); ++i)
    check_pose(poses[i].data(), argument, static_cast<std::ptrdiff_t>(i));
}

Contacts first_contact_batch(const Mesh& a, const Mesh& b, const PosePaths& paths,
                             const Options& options, unsigned threads) {
  check(paths);
  Options plain = options;
  plain.timed = false;  // a batch reports answers only
  const Motion still = Motion::fixed({});
  const int exponent = scaling_of(std::array{Body{a, still}, Body{b, still}});
  if (exponent == 0) [[likely]]
    return answer_all(paths, threads, [&](const Motion& motion_a, const Motion& motion_b) {
      return first_contact({a, motion_a}, {b, motion_b}, plain);
    });
  // The meshes are scaled once for all rows.
  const Mesh small_a = a.scaled(exponent), small_b = b.scaled(exponent);
  const Options own = scaled(plain, exponent);
  return answer_all(paths, threads, [&](const Motion& motion_a, const Motion& motion_b) {
    const Motion to_a = motion_a.scaled(exponent), to_b = motion_b.scaled(exponent);
    return scaled_back(first_contact({small_a, to_a}, {small_b, to_b}, own), options, exponent);
  });
}

}  // namespace toccata
