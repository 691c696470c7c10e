// Contacts with friction against Coulomb's conditions, closed forms, the projection, and energy.
#include <array>
#include <cstdlib>
#include <new>

#include "check.hpp"
#include "random_contacts.hpp"
#include "toccata/dynamics/solver/projection.hpp"

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace toccata;
using testing::Case, testing::Draw, testing::energy, testing::random_case, testing::velocity_at;

namespace {

/// De Saxce: with v = u - target n + friction |u_t| n, l is in the cone, v in its dual, l.v = 0.
void check_coulomb(const Case& c, double allowed) {
  for (std::size_t k = 0; k < c.contacts.count(); ++k) {
    const Vec3d &normal = c.contacts.normal[k], l = c.contacts.impulse[k], u = velocity_at(c, k);
    const double mu = c.contacts.friction[k], slip = norm(perpendicular(u, normal));
    const Vec3d v = u + normal * (mu * slip - c.contacts.target[k]);
    const double size = norm(l);
    CHECK(norm(perpendicular(l, normal)) <= mu * dot(normal, l) + 1e-14 * size);
    CHECK(mu * norm(perpendicular(v, normal)) <= dot(normal, v) + allowed);
    CHECK(std::abs(dot(l, v)) <= allowed * size);
  }
}

void test_coulomb(Draw& draw, int cases) {
  ContactSolver solver;
  int converged = 0, sliding = 0, sticking = 0;
  for (int i = 0; i < cases; ++i) {
    Case c = random_case(draw, draw.uniform(0, 0.8));
    const BodyVelocities start = c.bodies;
    const ContactSolverReport report = solver.solve(c.bodies, c.contacts, {1e-12, 50000});
    if (!report.converged) continue;  // with friction there need not be a solution
    ++converged;
    check_coulomb(c, 1e-8);
    for (std::size_t k = 0; k < c.contacts.count(); ++k) {
      const bool slides = norm(perpendicular(velocity_at(c, k), c.contacts.normal[k])) > 1e-6;
      if (norm(c.contacts.impulse[k]) > 1e-6 && c.contacts.friction[k] > 0)
        ++(slides ? sliding : sticking);
    }
    // The solution as start values gives the solution.
    Case again{start, c.contacts};
    CHECK(solver.solve(again.bodies, again.contacts, {1e-9, 2}).converged);
  }
  CHECK(converged > 0.98 * cases);
  CHECK(cases < 100 || (sliding > cases / 10 && sticking > cases / 10));
}

/// Compares with Gauss' projection without friction, which has one row for each contact.
void test_projection(Draw& draw, int cases) {
  ContactSolver solver;
  Projector projector;
  for (int i = 0; i < cases; ++i) {
    Case c = random_case(draw, 0);
    const std::size_t n = 6 * c.bodies.velocity.size();
    std::vector<double> metric(n * n), target(n), rows(c.contacts.count() * n);
    for (std::size_t b = 0; b < c.bodies.velocity.size(); ++b) {
      const Mat3d inertia = inverse(c.bodies.inverse_inertia[b]);
      const Vec3d columns[3] = {inertia.x, inertia.y, inertia.z};
      const Vec3d v = c.bodies.velocity[b], w = c.bodies.spin[b];
      const double values[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
      for (std::size_t j = 0; j < 6; ++j) target[6 * b + j] = values[j];
      for (std::size_t j = 0; j < 3; ++j) {
        metric[(6 * b + j) * n + 6 * b + j] = 1 / c.bodies.inverse_mass[b];
        const double column[3] = {columns[j].x, columns[j].y, columns[j].z};
        for (std::size_t k = 0; k < 3; ++k) metric[(6 * b + 3 + k) * n + 6 * b + 3 + j] = column[k];
      }
    }
    for (std::size_t k = 0; k < c.contacts.count(); ++k)
      for (int side = 0; side < 2; ++side) {
        const Index body = side ? c.contacts.body_b[k] : c.contacts.body_a[k];
        if (body < 0) continue;
        const Vec3d normal = c.contacts.normal[k] * (side ? -1.0 : 1.0);
        const Vec3d arm = cross(side ? c.contacts.arm_b[k] : c.contacts.arm_a[k], normal);
        const double values[6] = {normal.x, normal.y, normal.z, arm.x, arm.y, arm.z};
        for (std::size_t j = 0; j < 6; ++j)
          rows[k * n + 6 * static_cast<std::size_t>(body) + j] = values[j];
      }
    CHECK(projector.solve({metric, target, rows, c.contacts.target}) == ProjectionStatus::solved);
    const ContactSolverReport report = solver.solve(c.bodies, c.contacts, {1e-13, 200000});
    CHECK(report.converged);
    for (std::size_t b = 0; b < c.bodies.velocity.size(); ++b) {
      const std::span<const double> x = projector.x().subspan(6 * b, 6);
      CHECK(norm(c.bodies.velocity[b] - Vec3d{x[0], x[1], x[2]}) < 1e-7);
      CHECK(norm(c.bodies.spin[b] - Vec3d{x[3], x[4], x[5]}) < 1e-7);
    }
  }
}

/// Makes a box of edge 2 and mass 1 that rests on four corners.
Case box_on_ground(double friction, const Vec3d& velocity) {
  Case c;
  c.add_body(1, identity3 * (2.0 / 3), velocity, {0, 0, 0});
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      c.add_contact(0, -1, {x, y, -1}, {0, 0, 0}, {0, 0, 1});
      c.contacts.friction.back() = friction;
    }
  return c;
}

/// A box falls at speed 1 and slides at speed s. It stops if s is at most its friction coefficient,
/// and loses that much speed otherwise.
void test_sliding_box() {
  ContactSolver solver;
  for (const double mu : {0.0, 0.3, 0.5}) {
    for (const double s : {0.1, 0.29, 0.6}) {
      Case c = box_on_ground(mu, {s * 0.6, s * 0.8, -1});
      CHECK(solver.solve(c.bodies, c.contacts, {1e-13, 10000}).converged);
      const Vec3d expected = Vec3d{0.6, 0.8, 0} * std::max(0.0, s - mu);
      CHECK(norm(c.bodies.velocity[0] - expected) < 1e-9);
      CHECK(norm(c.bodies.spin[0]) < 1e-9);
    }
  }
}

/// Two balls meet head on, with Newton's law of restitution.
void test_head_on() {
  ContactSolver solver;
  for (const double e : {0.0, 0.5, 1.0}) {
    Case c;
    c.add_body(1, identity3, {-2, 0, 0}, {0, 0, 0});
    c.add_body(3, identity3, {1, 0, 0}, {0, 0, 0});
    c.add_contact(0, 1, {-1, 0, 0}, {1, 0, 0}, {1, 0, 0});
    CHECK(solver.solve_impact(c.bodies, c.contacts, std::vector{e}, {}).converged);
    CHECK(std::abs(velocity_at(c, 0).x - 3 * e) < 1e-12);
    const Vec3d momentum = c.bodies.velocity[0] + c.bodies.velocity[1] * 3.0;
    CHECK(norm(momentum - Vec3d{1, 0, 0}) < 1e-12);
  }
}

/// Energy never rises, for any mixture of coefficients, and free bodies conserve momentum.
void test_impacts(Draw& draw, int cases) {
  ContactSolver solver;
  int scaled = 0, ended = 0;
  for (int i = 0; i < cases; ++i) {
    Case c = random_case(draw, draw.uniform(0, 1));
    c.contacts.target.assign(c.contacts.count(), 0);
    std::vector<double> restitution(c.contacts.count(), draw.uniform(0, 1));
    if (draw.below(2))
      for (double& e : restitution) e = draw.below(2);
    const double before = energy(c.bodies);
    const BodyVelocities start = c.bodies;
    const bool converged =
        solver.solve_impact(c.bodies, c.contacts, restitution, {1e-12, 20000}).converged;
    CHECK(energy(c.bodies) <= before * (1 + 1e-9));
    if (energy(c.bodies) > before * (1 - 1e-9)) ++scaled;
    for (std::size_t k = 0; k < c.contacts.count(); ++k)
      CHECK(!converged || dot(c.contacts.normal[k], velocity_at(c, k)) > -1e-8);
    ended += converged;
    // The impulses that are returned account for the whole change.
    Case replay{start, c.contacts};
    for (std::size_t k = 0; k < c.contacts.count(); ++k) {
      const auto push = [&](Index body, const Vec3d& arm, const Vec3d& l) {
        if (body < 0) return;
        replay.bodies.velocity[body] = replay.bodies.velocity[body] + l * start.inverse_mass[body];
        replay.bodies.spin[body] = replay.bodies.spin[body] +
                                   start.inverse_inertia[body] * cross(arm, l);
      };
      push(c.contacts.body_a[k], c.contacts.arm_a[k], c.contacts.impulse[k]);
      push(c.contacts.body_b[k], c.contacts.arm_b[k], -c.contacts.impulse[k]);
    }
    for (std::size_t b = 0; b < start.velocity.size(); ++b)
      CHECK(norm(replay.bodies.velocity[b] - c.bodies.velocity[b]) < 1e-9);
  }
  CHECK(ended > 0.9 * cases);
  CHECK(cases < 100 || scaled > 0);
}

/// Bodies with given velocities, and contacts between two of them.
void test_fixed() {
  ContactSolver solver;
  Case c = box_on_ground(0.5, {1, 0, -1});
  c.bodies.inverse_mass[0] = 0;
  c.bodies.inverse_inertia[0] = {};
  CHECK(solver.solve(c.bodies, c.contacts, {}).converged);
  CHECK(norm(c.bodies.velocity[0] - Vec3d{1, 0, -1}) == 0);
  // A belt carries the body on it along.
  Case belt = box_on_ground(0.5, {0, 0, -1});
  belt.add_body(1, identity3, {0.2, 0, 0}, {0, 0, 0});
  belt.bodies.inverse_mass[1] = 0;
  belt.bodies.inverse_inertia[1] = {};
  belt.contacts.body_b.assign(4, 1);
  CHECK(solver.solve(belt.bodies, belt.contacts, {1e-12, 10000}).converged);
  CHECK(norm(belt.bodies.velocity[0] - Vec3d{0.2, 0, 0}) < 1e-9);
}

void test_memory_is_kept(Draw& draw) {
  ContactSolver solver;
  Case c = random_case(draw, 0.5);
  const std::vector<double> restitution(c.contacts.count(), 0.5);
  solver.solve_impact(c.bodies, c.contacts, restitution, {});
  const std::size_t before = allocations;
  solver.solve(c.bodies, c.contacts, {});
  solver.solve_impact(c.bodies, c.contacts, restitution, {});
  CHECK(allocations == before);
}

/// A stack of four boxes under gravity: the impulses of a step are good start values for the next.
void test_stack() {
  Case c;
  for (Index i = 0; i < 4; ++i) {
    c.add_body(1, identity3 * (2.0 / 3), {0, 0, -0.08}, {0, 0, 0});
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0}) {
        c.add_contact(i, i - 1, {x, y, -1}, {x, y, 1}, {0, 0, 1});
        c.contacts.friction.back() = 0.5;
      }
  }
  const BodyVelocities falling = c.bodies;
  ContactSolver solver;
  const ContactSolverReport cold = solver.solve(c.bodies, c.contacts, {1e-9, 20000});
  for (const Vec3d& v : c.bodies.velocity) CHECK(norm(v) < 1e-6);
  c.bodies = falling;
  const ContactSolverReport warm = solver.solve(c.bodies, c.contacts, {1e-9, 20000});
  CHECK(cold.converged && warm.converged && warm.passes <= 3);
  for (const Vec3d& v : c.bodies.velocity) CHECK(norm(v) < 1e-6);
}

/// Two points of each body become links that move as one: an impulse on either moves both.
void test_links_of_rigid_bodies(Draw& draw, int cases) {
  ContactSolver solver;
  for (int i = 0; i < cases; ++i) {
    Case free = random_case(draw, draw.uniform(0, 0.8));
    const std::size_t count = free.bodies.velocity.size();
    LinkMobilities links;
    Case linked{{}, free.contacts};
    std::vector<Vec3d> shift;  // shifts of links from the centers of their bodies
    for (std::size_t k = 0; k < 2 * count; ++k) {
      shift.push_back(draw.vector());
      linked.bodies.inverse_mass.push_back(1);
      linked.bodies.inverse_inertia.push_back({});
      linked.bodies.spin.push_back(free.bodies.spin[k / 2]);
      linked.bodies.velocity.push_back(free.bodies.velocity[k / 2] +
                                       cross(free.bodies.spin[k / 2], shift[k]));
      links.owner.push_back(static_cast<Index>(k / 2)), links.slot.push_back(k % 2);
    }
    for (std::size_t b = 0; b < count; ++b) {
      LinkMobilities::Listed& listed = links.articulated.emplace_back();
      listed.bodies = {static_cast<Index>(2 * b), static_cast<Index>(2 * b + 1)};
      const Mat3d turn = free.bodies.inverse_inertia[b];
      for (const std::size_t to : {2 * b, 2 * b + 1})
        for (const std::size_t from : {2 * b, 2 * b + 1}) {
          const Mat3d seen = transposed(skew(shift[to])), pushed = skew(shift[from]);
          listed.blocks.push_back({identity3 * free.bodies.inverse_mass[b] + seen * (turn * pushed),
                                   seen * turn, turn * pushed, turn});
        }
    }
    linked.bodies.links = &links;
    for (std::size_t k = 0; k < linked.contacts.count(); ++k) {
      const auto choose = [&](Index& body, Vec3d& arm) {
        if (body < 0) return;
        body = 2 * body + draw.below(2);
        arm = arm - shift[body];
      };
      choose(linked.contacts.body_a[k], linked.contacts.arm_a[k]);
      choose(linked.contacts.body_b[k], linked.contacts.arm_b[k]);
    }
    const std::vector<double> restitution(free.contacts.count(), 0.3);
    const bool bounces = draw.below(2);
    for (Case* c : {&free, &linked}) {
      if (bounces) {
        solver.solve_impact(c->bodies, c->contacts, restitution, {1e-12, 200});
      } else {
        solver.solve(c->bodies, c->contacts, {1e-12, 200});
      }
    }
    for (std::size_t k = 0; k < 2 * count; ++k) {
      const Vec3d expected = free.bodies.velocity[k / 2] + cross(free.bodies.spin[k / 2], shift[k]);
      CHECK(norm(linked.bodies.velocity[k] - expected) < 1e-7);
      CHECK(norm(linked.bodies.spin[k] - free.bodies.spin[k / 2]) < 1e-7);
    }
  }
}

/// Links of one body push each other, with a random matrix of mobilities.
void test_links_that_touch_each_other(Draw& draw, int cases) {
  ContactSolver solver;
  int converged = 0;
  for (int i = 0; i < cases; ++i) {
    Case c = random_case(draw, draw.uniform(0, 0.5));
    const std::size_t count = c.bodies.velocity.size();
    std::vector<std::array<Mat3d, 2>> roots(count * 4);  // mobility = roots roots^T
    for (auto& root : roots)
      for (Mat3d& m : root) m = {draw.vector(), draw.vector(), draw.vector()};
    const auto block = [&](std::size_t a, std::size_t b, std::size_t x, std::size_t y) {
      Mat3d sum = a == b && x == y ? identity3 * 0.3 : Mat3d{};
      for (std::size_t k = 0; k < 2; ++k)
        sum = sum + roots[4 * a + x][k] * transposed(roots[4 * b + y][k]);
      return sum;
    };
    LinkMobilities links;
    links.articulated.resize(1);
    for (std::size_t a = 0; a < count; ++a) {
      links.owner.push_back(0), links.slot.push_back(static_cast<Index>(a));
      links.articulated[0].bodies.push_back(static_cast<Index>(a));
      for (std::size_t b = 0; b < count; ++b)
        links.articulated[0].blocks.push_back(
            {block(a, b, 0, 0), block(a, b, 0, 1), block(a, b, 1, 0), block(a, b, 1, 1)});
    }
    c.bodies.links = &links;
    const BodyVelocities start = c.bodies;
    if (!solver.solve(c.bodies, c.contacts, {1e-12, 50000}).converged) continue;
    ++converged;
    check_coulomb(c, 1e-7);
    // All velocities follow from the impulses alone.
    for (std::size_t a = 0; a < count; ++a) {
      Vec3d velocity = start.velocity[a], spin = start.spin[a];
      for (std::size_t k = 0; k < c.contacts.count(); ++k) {
        const auto push = [&](Index b, const Vec3d& arm, const Vec3d& l) {
          if (b < 0) return;
          const Mobility& m = links.articulated[0].blocks[a * count + b];
          velocity = velocity + m.velocity_by_force * l + m.velocity_by_torque * cross(arm, l);
          spin = spin + m.spin_by_force * l + m.spin_by_torque * cross(arm, l);
        };
        push(c.contacts.body_a[k], c.contacts.arm_a[k], c.contacts.impulse[k]);
        push(c.contacts.body_b[k], c.contacts.arm_b[k], -c.contacts.impulse[k]);
      }
      CHECK(norm(velocity - c.bodies.velocity[a]) < 1e-8 && norm(spin - c.bodies.spin[a]) < 1e-8);
    }
  }
  CHECK(converged > 0.8 * cases);
}

/// A contact of two links at which no joint can move: both links are in one rigid group, or a slide
/// moves along the normal or perpendicular to it.
void test_links_that_cannot_move_apart(Draw& draw, int cases) {
  ContactSolver solver;
  for (int i = 0; i < cases; ++i) {
    const Vec3d normal = unit(draw.vector()), arm = draw.vector(), tip = draw.vector();
    const Vec3d across = unit(cross(normal, draw.vector()));
    const bool is_group = i % 3 == 0, slides = i % 3 == 1;
    const Vec3d slide = is_group ? draw.vector() : slides ? normal : across;
    const Vec3d spin = is_group ? draw.vector() * 1e3 : Vec3d{0, 0, 0};
    // One freedom: the center of link a moves along `slide` while the link turns at `spin`. The
    // work of a unit impulse gives the rate. Link b is attached to a, or fixed.
    const auto outer = [](const Vec3d& v, const Vec3d& w) {
      return Mat3d{v * w.x, v * w.y, v * w.z};
    };
    const Vec3d moved = slide + cross(spin, arm - tip);
    const auto block = [&](const Vec3d& v, const Vec3d& w) {
      return Mobility{outer(v, w), outer(v, spin), outer(spin, w), outer(spin, spin)};
    };
    LinkMobilities links{{{{0, 1}, {block(slide, slide), {}, {}, {}}}}, {0, 0}, {0, 1}};
    if (is_group) {
      auto& blocks = links.articulated[0].blocks;
      blocks[1] = block(slide, moved), blocks[2] = block(moved, slide),
      blocks[3] = block(moved, moved);
    }
    BodyVelocities bodies{{1, 1}, {{}, {}}, {{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, &links};
    ContactPoints contacts{{0}, {1}, {arm}, {tip}, {normal}, {0.5}, {0.1}, {{0, 0, 0}}};
    solver.solve(bodies, contacts, {1e-9, 100});
    CHECK(is_finite(contacts.impulse[0]) && is_finite(bodies.velocity[0]));
    if (slides) CHECK(std::abs(dot(bodies.velocity[0], normal) - 0.1) < 1e-9);
    if (!slides) CHECK(norm(contacts.impulse[0]) == 0 && norm(bodies.velocity[0]) == 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Draw draw(testing::seed(argc, argv, 1));
  test_sliding_box();
  test_head_on();
  test_fixed();
  test_stack();
  test_memory_is_kept(draw);
  test_coulomb(draw, testing::cases(argc, argv, 200));
  test_projection(draw, testing::cases(argc, argv, 100));
  test_impacts(draw, testing::cases(argc, argv, 200));
  test_links_of_rigid_bodies(draw, testing::cases(argc, argv, 100));
  test_links_that_touch_each_other(draw, testing::cases(argc, argv, 100));
  test_links_that_cannot_move_apart(draw, testing::cases(argc, argv, 300));
}
