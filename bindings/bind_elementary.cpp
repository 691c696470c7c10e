#include "arrays.hpp"
#include "bindings.hpp"
#include "read_options.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/deforming/elementary.hpp"

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
}

}  // namespace toccata
