// Swept volumes of links: whatever a link passes is never culled, and what is far away is.
#include <cstdlib>

#include "check.hpp"
#include "random_bodies.hpp"
#include "toccata/query/robot_first_contact/swept_cull.hpp"

using namespace toccata;

namespace {

/// An arm whose joints turn, shift and rest.
struct Arm {
  std::vector<Joint> joints;
  std::vector<Mesh> meshes;
  std::vector<Link> links;
  std::vector<double> start, end;

  Arm() = default;
  explicit Arm(testing::Random& random) {
    const int count = 1 + random.below(6);
    const double speed = random.below(2) ? 0.2 : 4;
    meshes.reserve(count);
    for (Index i = 0; i < count; ++i) {
      Joint joint;
      joint.parent = i - 1;
      joint.kind = random.below(4) ? JointKind::revolute : JointKind::prismatic;
      joint.origin = random.pose(1);
      joint.axes.z = random.point(1);
      joint.axes.z = joint.axes.z * (1 / norm(joint.axes.z));
      joint.coordinate = i;
      joints.push_back(joint);
      meshes.push_back(random.soup(1 + random.below(12), random.below(3) ? 0.3 : 1e-3));
      links.push_back({&meshes.back(), i});
      start.push_back(random.uniform(-1, 1));
      end.push_back(start.back() + (random.below(4) ? random.uniform(-speed, speed) : 0));
    }
  }
};

/// A corner of the mesh, or a point inside one of its triangles.
Vec3d point_of(const Mesh& mesh, testing::Random& random) {
  const Triangle t = mesh.triangle(random.below(static_cast<int>(mesh.faces().size())));
  if (random.below(2)) return t.corner[random.below(3)];
  const double u = random.uniform(0, 0.5), v = random.uniform(0, 0.5);
  return t.corner[0] * (1 - u - v) + t.corner[1] * u + t.corner[2] * v;
}

/// A body that is one point, with a frame of its own.
Mesh dot_mesh(const Vec3d& at, const Pose& frame) {
  const Vec3d own = transposed_times(frame.rotation, at - frame.translation);
  return Mesh(std::vector<Vec3d>{own}, std::vector<Face>{{0, 0, 0}}, false);
}

Vec3d direction(testing::Random& random) {
  const Vec3d v = random.point(1);
  return v * (1 / norm(v));
}

/// The windows in which a link may touch a point.
unsigned slabs_left(const Arm& arm, const Robot& robot, Index link, const Vec3d& point,
                    const Pose& frame, double distance) {
  const Mesh body = dot_mesh(point, frame);
  const BodySet world({&body}, {Motion::fixed(frame)});
  LinkPoses poses;
  poses.start(robot, arm.start.data(), arm.end.data());
  Options options;
  options.separation = distance;
  BroadPhase broad;
  RobotInWorld setting(robot, world, poses, broad, options);
  Candidate candidate{0, link, 0};
  SweptCull().run(setting, {&candidate, 1});
  return candidate.windows;
}

void covers_contain_their_meshes(const Robot& robot) {
  for (Index i = 0; i < static_cast<Index>(robot.links().size()); ++i) {
    const LineSwept& cover = robot.line_swept(i);
    const Vec3d line = cover.end - cover.start;
    for (const Face& face : robot.links()[i].mesh->faces())
      for (const Index v : face) {
        const Vec3d arm = robot.links()[i].mesh->vertices()[v] - cover.start;
        const double s = norm2(line) > 0 ? dot(arm, line) / norm2(line) : 0;
        CHECK(norm(arm - line * std::clamp(s, 0.0, 1.0)) <= cover.radius);
      }
  }
}

/// A link that turns about its base while the base turns about the first axis. Its tip accelerates
/// across the link, by the Coriolis term, and its base hardly does.
void check_coriolis(testing::Random& random) {
  const Vec3d tip{0, 0.5, 0};
  Arm arm;
  arm.meshes.emplace_back(std::vector<Vec3d>{{0, 0, 0}, tip}, std::vector<Face>{{0, 1, 1}}, false);
  for (Index i = 0; i < 2; ++i) {
    Joint joint;
    joint.parent = i - 1, joint.coordinate = i;
    if (i == 1)
      joint.origin.translation = {1, 0, 0}, joint.axes = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    arm.joints.push_back(joint);
  }
  arm.links = {{&arm.meshes[0], 1}};
  arm.start = {0, 0}, arm.end = {1, 4};
  const Robot robot(arm.joints, arm.links, {});
  LinkPoses poses;
  poses.start(robot, arm.start.data(), arm.end.data());
  for (int k = 0; k < 256; ++k) {
    const double time = (k + random.uniform(0, 1)) / 256;
    const Vec3d passed = poses.at(robot.world_frame(1), time, 0).pose * tip;
    const unsigned window = 1u << static_cast<int>(time * BodySet::windows);
    CHECK(slabs_left(arm, robot, 0, passed, random.pose(2), 0) & window);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int count = testing::cases(argc, argv, 3000);
  testing::Random random(testing::seed(argc, argv, 12));
  check_coriolis(random);
  int culled = 0, narrowed = 0;
  for (int i = 0; i < count; ++i) {
    const Arm arm(random);
    const Robot robot(arm.joints, arm.links, {});
    covers_contain_their_meshes(robot);
    const Index link = random.below(static_cast<int>(arm.links.size()));
    const Mesh& mesh = *arm.links[link].mesh;
    const double time = random.below(8) ? random.uniform(0, 1) : random.below(5) / 4.0;
    LinkPoses poses;
    poses.start(robot, arm.start.data(), arm.end.data());
    const Vec3d passed = poses.at(robot.world_frame(link), time, 0).pose * point_of(mesh, random);
    // On its path, and at the distance that counts as contact.
    const double distance = random.below(2) ? 0 : 0.1;
    const Vec3d near = passed + direction(random) * distance;
    const unsigned window =
        1u << std::min(static_cast<int>(time * BodySet::windows), BodySet::windows - 1);
    const unsigned left = slabs_left(arm, robot, link, near, random.pose(2), distance);
    CHECK(left & window);
    narrowed += left != all_windows;
    culled +=
        slabs_left(arm, robot, link, near + direction(random) * 4.0, random.pose(2), distance) == 0;
  }
  std::printf("%d of %d narrowed, %d of those moved away culled\n", narrowed, count, culled);
  CHECK(narrowed > 0.2 * count && culled > 0.5 * count);
}
