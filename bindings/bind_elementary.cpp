#include "arrays.hpp"
#include "bindings.hpp"
#include "read_options.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/deforming/elementary.hpp"
#include "toccata/query/deforming/witness.hpp"

namespace toccata {
namespace {

LinearOptions make_linear_options(nb::handle tolerance, nb::handle separation, nb::handle budget) {
  LinearOptions options;
  options.separation = checked_separation(read_number(separation, "separation"));
  read_option(options.tolerance, tolerance, "tolerance", checked_tolerance);
  read_option(options.budget, budget, "budget", checked_budget);
  return options;
}

nb::tuple elementary(PairKind kind, const Quadruples& start, const Quadruples& end,
                     const LinearOptions& options, unsigned threads) {
  ElementaryContacts found;
  {
    const Released released;
    found = first_contacts(kind, view(start), view(end), options, threads);
  }
  const std::size_t n = found.toc.size();
  return nb::make_tuple(to_numpy(std::move(found.status), {n}),
                        to_numpy(std::move(found.toc), {n}));
}

nb::ndarray<nb::numpy, double> column(const std::vector<Witness>& found, Vec3d Witness::* part) {
  std::vector<double> rows;
  rows.reserve(3 * found.size());
  for (const Witness& one : found) {
    const Vec3d& v = one.*part;
    rows.insert(rows.end(), {v.x, v.y, v.z});
  }
  return to_numpy(std::move(rows), {found.size(), 3});
}

/// Returns the points on both features, the normals and the weights of pairs, each at its own time.
nb::tuple witnesses(PairKind kind, const Quadruples& start, const Quadruples& end,
                    const Times& times) {
  const std::vector<Witness> found =
      witnesses_of(kind, view(start), view(end), {times.data(), times.shape(0)});
  std::vector<double> weights;
  weights.reserve(4 * found.size());
  for (const Witness& one : found)
    weights.insert(weights.end(), one.weights.begin(), one.weights.end());
  return nb::make_tuple(column(found, &Witness::point_a), column(found, &Witness::point_b),
                        column(found, &Witness::normal),
                        to_numpy(std::move(weights), {found.size(), 4}));
}

}  // namespace

void bind_elementary(nb::module_& m) {
  nb::enum_<PairKind>(m, "PairKind")
      .value("vertex_face", PairKind::vertex_face)
      .value("edge_edge", PairKind::edge_edge);
  nb::class_<LinearOptions>(m, "LinearOptions")
      .def(nb::new_(&make_linear_options), "tolerance"_a.none() = nb::none(),
           "separation"_a.none() = 0.0, "budget"_a.none() = nb::none())
      .def_ro("tolerance", &LinearOptions::tolerance);
  m.def("elementary", &elementary, "kind"_a, "start"_a.noconvert(), "end"_a.noconvert(),
        "options"_a, "threads"_a);
  m.def("witnesses", &witnesses, "kind"_a, "start"_a.noconvert(), "end"_a.noconvert(),
        "times"_a.noconvert());
}

}  // namespace toccata
