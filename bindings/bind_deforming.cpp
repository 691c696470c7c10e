#include <algorithm>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "read_options.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/deforming/elementary.hpp"
#include "toccata/query/deforming/methods.hpp"

namespace toccata {
namespace {

using Edges = nb::ndarray<const Index, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Flags = nb::ndarray<const bool, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, Index> rows_of_two(std::span<const std::array<Index, 2>> rows) {
  static_assert(sizeof rows[0] == 2 * sizeof(Index));
  UninitializedVector<Index> copy(2 * rows.size());
  std::copy_n(reinterpret_cast<const Index*>(rows.data()), copy.size(), copy.begin());
  return to_numpy(std::move(copy), {rows.size(), 2});
}

/// Returns ids as consecutive numbers from 0, in the same order.
nb::ndarray<nb::numpy, Index> numbered(const AtomicIndices& ids) {
  const auto id = [&](std::size_t i) { return ids[i].load(std::memory_order_relaxed); };
  std::vector<Index> number;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto needed = static_cast<std::size_t>(id(i)) + 1;
    if (needed > number.size()) number.resize(needed, 0);
    number[needed - 1] = 1;
  }
  std::exclusive_scan(number.begin(), number.end(), number.begin(), Index{0});
  UninitializedVector<Index> out(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) out[i] = number[static_cast<std::size_t>(id(i))];
  return to_numpy(std::move(out), {ids.size()});
}

nb::object clusters_of(const StepContacts& contacts) {
  if (!contacts.clusters) return nb::none();
  return nb::make_tuple(numbered(contacts.clusters->patches),
                        numbered(contacts.clusters->clusters));
}

nb::tuple columns(const PairContacts& pairs) {
  const std::size_t n = pairs.size();
  UninitializedVector<Index> ids(2 * n);
  UninitializedVector<double> toc(n);
  UninitializedVector<std::uint8_t> status(n);
  for (std::size_t i = 0; i < n; ++i) {
    ids[2 * i] = pairs[i].a;
    ids[2 * i + 1] = pairs[i].b;
    toc[i] = pairs[i].contact.time;
    status[i] = static_cast<std::uint8_t>(status_of(pairs[i].contact));
  }
  return nb::make_tuple(to_numpy(std::move(ids), {n, 2}), to_numpy(std::move(toc), {n}),
                        to_numpy(std::move(status), {n}));
}

Exceptions make_exceptions(const Labels& identity, const Labels& group, const Flags& ignored) {
  Exceptions e;
  e.identity.assign(identity.data(), identity.data() + identity.shape(0));
  e.group.assign(group.data(), group.data() + group.shape(0));
  e.group_count = static_cast<Index>(ignored.shape(0));
  e.ignored.assign(ignored.data(), ignored.data() + ignored.size());
  return e;
}

constexpr std::array step_methods{Choice{"auto", StepMethod::automatic},
                                  Choice{"bvh", StepMethod::bvh},
                                  Choice{"clusters", StepMethod::clusters}};
constexpr std::array which{Choice{"first", false}, Choice{"all", true}};

StepOptions make_step_options(nb::handle method, nb::handle tolerance, nb::handle separation,
                              nb::handle budget, nb::handle contacts, unsigned threads) {
  StepOptions options;
  options.method = read_choice(method, "method", step_methods);
  options.separation = checked_separation(read_number(separation, "separation"));
  read_option(options.tolerance, tolerance, "tolerance", checked_tolerance);
  read_option(options.budget, budget, "budget", checked_budget);
  options.all_contacts = read_choice(contacts, "contacts", which);
  options.threads = threads;
  return options;
}

void bind_step_records(nb::module_& m) {
  nb::class_<StepOptions>(m, "StepOptions")
      .def(nb::new_(&make_step_options), "method"_a.none() = "auto",
           "tolerance"_a.none() = nb::none(), "separation"_a.none() = 0.0,
           "budget"_a.none() = nb::none(), "contacts"_a.none() = "first", "threads"_a = 1);
  nb::class_<StepStats>(m, "StepStats")
      .def_ro("bv_tests", &StepStats::bv_tests)
      .def_ro("elementary_tests", &StepStats::elementary_tests)
      .def_ro("leaf_clusters", &StepStats::leaf_clusters)
      .def_ro("intermediate_clusters", &StepStats::intermediate_clusters)
      .def_ro("seconds_clustering", &StepStats::seconds_clustering)
      .def_ro("seconds_hierarchy", &StepStats::seconds_hierarchy)
      .def_ro("seconds_traversal", &StepStats::seconds_traversal);
  nb::class_<StepContacts>(m, "StepContacts")
      .def_ro("status", &StepContacts::status)
      .def_ro("toc", &StepContacts::toc)
      .def_ro("safe_until", &StepContacts::safe_until)
      .def_ro("tolerance", &StepContacts::tolerance)
      .def_ro("stats", &StepContacts::stats)
      .def_prop_ro("feature", [](const StepContacts& c) { return static_cast<int>(c.feature); })
      .def_prop_ro("pair",
                   [](const StepContacts& c) { return nb::make_tuple(c.earliest.a, c.earliest.b); })
      .def_prop_ro("points",
                   [](const StepContacts& c) {
                     return nb::make_tuple(as_tuple(c.point_a), as_tuple(c.point_b),
                                           as_tuple(c.normal));
                   })
      .def("vertex_face", [](const StepContacts& c) { return columns(c.vertex_face); })
      .def("edge_edge", [](const StepContacts& c) { return columns(c.edge_edge); })
      .def_prop_ro("pair_count",
                   [](const StepContacts& c) { return c.vertex_face.size() + c.edge_edge.size(); })
      .def("initial_edge_face",
           [](const StepContacts& c) { return rows_of_two(c.initial_edge_face); })
      .def("clusters", &clusters_of);
}

}  // namespace

void bind_deforming(nb::module_& m) {
  bind_step_records(m);
  nb::class_<Features>(m, "Features")
      .def("__init__",
           [](Features* self, std::size_t vertex_count, const Faces& faces, const Edges& loose,
              unsigned threads) {
             const std::span<const Edge> edges{reinterpret_cast<const Edge*>(loose.data()),
                                               loose.shape(0)};
             new (self) Features(make_features(vertex_count, view(faces), edges, threads));
           })
      .def_prop_ro("faces",
                   [](const Features& f) {
                     return nb::ndarray<nb::numpy, const Index>(
                         reinterpret_cast<const Index*>(f.faces.data()), {f.faces.size(), 3},
                         nb::find(f));
                   })
      .def("edges", [](const Features& f) { return rows_of_two(f.edges); });
  nb::class_<StepMemory>(m, "StepMemory").def(nb::init<>());
  m.def(
      "step_contacts",
      [](const Features& features, const Points& start, const Points& end, const Labels& identity,
         const Labels& group, const Flags& ignored, const StepOptions& options,
         StepMemory& memory) {
        const Exceptions exceptions = make_exceptions(identity, group, ignored);
        const Released released;
        return step_contacts(features, exceptions, {view(start), view(end)}, options, memory);
      },
      "features"_a, "start"_a.noconvert(), "end"_a.noconvert(), "identity"_a, "group"_a,
      "ignored"_a, "options"_a, "memory"_a);
}

}  // namespace toccata
