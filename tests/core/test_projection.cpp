// Projections with redundant rows, against the conditions of Karush, Kuhn and Tucker.
#include <cmath>
#include <cstdlib>
#include <new>
#include <random>
#include <stdexcept>

#include "check.hpp"
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

namespace {

using Numbers = std::vector<double>;

struct Problem {
  Numbers metric, target, rows, bounds;
  Projection view() const { return {metric, target, rows, bounds}; }
  std::size_t n() const { return target.size(); }
  std::span<const double> row(std::size_t i) const { return std::span(rows).subspan(i * n(), n()); }
  void add(const Numbers& row, double bound) {
    rows.insert(rows.end(), row.begin(), row.end());
    bounds.push_back(bound);
  }
};

class Draw {
 public:
  explicit Draw(int seed) : engine_(static_cast<unsigned>(seed)) {}
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  Numbers normals(std::size_t n) {
    Numbers v(n);
    for (double& x : v) x = normal();
    return v;
  }

 private:
  std::mt19937 engine_;
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
double length(std::span<const double> a) { return std::sqrt(dot(a, a)); }

Problem free_problem(Draw& draw, std::size_t n) {
  Problem p;
  const Numbers root = draw.normals(n * n);
  p.metric.resize(n * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      p.metric[i * n + j] =
          dot(std::span(root).subspan(i * n, n), std::span(root).subspan(j * n, n)) +
          (i == j ? 0.5 : 0);
  p.target = draw.normals(n);
  return p;
}

/// Draws rows through or near a feasible point; some of them repeat, scale or combine others.
Problem feasible_problem(Draw& draw, std::size_t n, int count) {
  Problem p = free_problem(draw, n);
  const Numbers inside = draw.normals(n);
  for (int i = 0; i < count; ++i) {
    Numbers row = draw.normals(n);
    const double slack = draw.below(3) ? std::abs(draw.normal()) : 0;
    const int kind = p.bounds.empty() ? 0 : draw.below(4);
    if (kind == 1) {  // an earlier row in other units
      const auto k = static_cast<std::size_t>(draw.below(static_cast<int>(p.bounds.size())));
      const double scale = std::pow(10.0, draw.below(13) - 6);
      for (std::size_t j = 0; j < n; ++j) row[j] = p.row(k)[j] / length(p.row(k)) * scale;
    } else if (kind == 2) {  // the sum of two other rows
      const auto k = static_cast<std::size_t>(draw.below(static_cast<int>(p.bounds.size())));
      const auto l = static_cast<std::size_t>(draw.below(static_cast<int>(p.bounds.size())));
      for (std::size_t j = 0; j < n; ++j)
        row[j] = p.row(k)[j] / length(p.row(k)) + p.row(l)[j] / length(p.row(l));
    }
    if (length(row) < 1e-7) row = draw.normals(n);  // the two were opposite
    p.add(row, dot(row, inside) - slack * length(row));
  }
  return p;
}

/// Checks all conditions of Karush, Kuhn and Tucker, which hold at the solution only.
void check_solution(const Problem& p, const Projector& solver) {
  const std::size_t n = p.n();
  const std::span<const double> x = solver.x();
  CHECK(solver.active().size() <= n && solver.active().size() == solver.multipliers().size());
  for (std::size_t i = 0; i < p.bounds.size(); ++i)
    CHECK(dot(p.row(i), x) >= p.bounds[i] - 1e-11 * (length(p.row(i)) * (1 + length(x))));
  Numbers gradient(n);
  double scale = 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) gradient[i] += p.metric[i * n + j] * (x[j] - p.target[j]);
  scale += length(gradient);
  for (std::size_t k = 0; k < solver.active().size(); ++k) {
    const auto i = static_cast<std::size_t>(solver.active()[k]);
    CHECK(solver.multipliers()[k] >= 0);
    CHECK(std::abs(dot(p.row(i), x) - p.bounds[i]) <= 1e-11 * length(p.row(i)) * (1 + length(x)));
    for (std::size_t j = 0; j < n; ++j) gradient[j] -= solver.multipliers()[k] * p.row(i)[j];
  }
  CHECK(length(gradient) <= 1e-9 * scale);
}

void test_feasible(Draw& draw, int cases) {
  Projector solver;
  for (int i = 0; i < cases; ++i) {
    const auto n = static_cast<std::size_t>(draw.below(5) == 0 ? 1 + draw.below(30) : 6);
    const Problem p = feasible_problem(draw, n, draw.below(60));
    CHECK(solver.solve(p.view()) == ProjectionStatus::solved);
    check_solution(p, solver);
  }
}

/// Draws infeasible rows: their sum is 0, and the sum of their bounds is above 0.
void test_infeasible(Draw& draw, int cases) {
  Projector solver;
  for (int i = 0; i < cases; ++i) {
    const auto n = static_cast<std::size_t>(1 + draw.below(8));
    Problem p = feasible_problem(draw, n, draw.below(20));
    Numbers sum(n);
    double bounds = 0;
    for (std::size_t k = 0; k < 1 + static_cast<std::size_t>(draw.below(static_cast<int>(n)));
         ++k) {
      const Numbers row = draw.normals(n);
      const double bound = draw.normal();
      p.add(row, bound);
      for (std::size_t j = 0; j < n; ++j) sum[j] -= row[j];
      bounds -= bound;
    }
    p.add(sum, bounds + 1e-3 * (1 + length(sum)));
    CHECK(solver.solve(p.view()) == ProjectionStatus::infeasible);
  }
}

void test_special() {
  Projector solver;
  Problem p{{1, 0, 0, 1}, {3, 4}, {}, {}};
  CHECK(solver.solve(p.view()) == ProjectionStatus::solved);
  CHECK(solver.x()[0] == 3 && solver.x()[1] == 4 && solver.active().empty());
  p.add({0, 0}, -1);  // always true
  p.add({-1, 0}, -1);
  p.add({-1, 0}, -1);  // the same again: the first of equals is taken
  CHECK(solver.solve(p.view()) == ProjectionStatus::solved);
  CHECK(solver.x()[0] == 1 && solver.x()[1] == 4);
  CHECK(solver.active().size() == 1 && solver.active()[0] == 1 && solver.multipliers()[0] == 2);
  p.add({0, 0}, 1);  // never
  CHECK(solver.solve(p.view()) == ProjectionStatus::infeasible);
  const Problem none{{}, {}, {}, {}};
  CHECK(solver.solve(none.view()) == ProjectionStatus::solved);
}

template <class Ask>
bool is_refused(const Ask& ask) {
  try {
    ask();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

void test_refused() {
  Projector solver;
  const Problem flat{{1, 1, 1, 1}, {0, 0}, {}, {}}, odd{{1, 0, 0, 1}, {0, NAN}, {}, {}};
  const Problem rowless{{1, 0, 0, 1}, {0, 0}, {1}, {1}}, open{{1}, {0}, {1}, {-INFINITY}};
  for (const Problem* p : {&flat, &odd, &rowless, &open})
    CHECK(is_refused([&] { solver.solve(p->view()); }));
}

void test_memory_is_kept(Draw& draw) {
  const Problem large = feasible_problem(draw, 12, 200), small = feasible_problem(draw, 6, 40);
  Projector solver;
  solver.solve(large.view());
  const std::size_t before = allocations;
  for (int i = 0; i < 3; ++i) {
    solver.solve(small.view());
    solver.solve(large.view());
  }
  CHECK(allocations == before);
}

/// Thousands of nearly redundant rows cost no further steps.
void test_many_rows(Draw& draw) {
  Problem p = feasible_problem(draw, 6, 20);
  Projector solver;
  CHECK(solver.solve(p.view()) == ProjectionStatus::solved);
  const Count steps = solver.steps();
  const Numbers x(solver.x().begin(), solver.x().end());
  for (int i = 0; i < 5000; ++i) {
    const Numbers row = draw.normals(6);
    p.add(row, dot(row, x) - std::abs(draw.normal()) * length(row) - 1e-6);
  }
  CHECK(solver.solve(p.view()) == ProjectionStatus::solved);
  check_solution(p, solver);
  CHECK(solver.steps() < 10 * (steps + 10));
}

}  // namespace

int main(int argc, char** argv) {
  Draw draw(testing::seed(argc, argv, 1));
  test_special();
  test_refused();
  test_feasible(draw, testing::cases(argc, argv, 2000));
  test_infeasible(draw, testing::cases(argc, argv, 500));
  test_memory_is_kept(draw);
  test_many_rows(draw);
}
