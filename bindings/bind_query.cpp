#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "clearance_columns.hpp"
#include "contact_columns.hpp"
#include "read_options.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/contact_intervals.hpp"
#include "toccata/query/contacts.hpp"
#include "toccata/query/first_contact/batch.hpp"
#include "toccata/query/first_contact/first_contact.hpp"

namespace toccata {
namespace {

/// Sets the slots of a frozen dataclass, one after the other.
class Slots {
 public:
  /// `slots` are the descriptors of the class; they are faster than names.
  Slots(nb::handle answer, const nb::tuple& slots)
      : answer_(answer),
        slots_(slots),
        set_(reinterpret_cast<descrsetfunc>(
            PyType_GetSlot(Py_TYPE(slots[0].ptr()), Py_tp_descr_set))) {}

  void operator()(const nb::object& value) {
    if (!value.is_valid() || set_(slots_[next_++].ptr(), answer_.ptr(), value.ptr()) != 0)
      throw nb::python_error();
  }
  void operator()(double value) { (*this)(nb::steal(PyFloat_FromDouble(value))); }
  void operator()(Index value) { (*this)(nb::steal(PyLong_FromLong(value))); }

 private:
  nb::handle answer_;
  const nb::tuple& slots_;
  descrsetfunc set_;
  std::size_t next_ = 0;
};

/// Sets all plain fields of an answer at once, which is faster than reading some of them one by
/// one. `names` are the names of statuses and of features. `rows` is a new (3, 3) array that
/// receives both points and the normal.
void fill(const Contact& c, nb::handle answer, const nb::tuple& slots,
          const std::pair<nb::tuple, nb::tuple>& names, const nb::object& rows) {
  Py_buffer view;
  if (PyObject_GetBuffer(rows.ptr(), &view, PyBUF_WRITABLE) != 0) throw nb::python_error();
  double* to = static_cast<double*>(view.buf);
  for (const Vec3d& v : {c.closest.point_a, c.closest.point_b, c.normal})
    *to++ = v.x, *to++ = v.y, *to++ = v.z;
  PyBuffer_Release(&view);
  Slots set(answer, slots);
  set(nb::object(names.first[static_cast<std::size_t>(c.status)]));
  for (const double x : {c.toc, c.safe_until, c.tolerance, c.closest.distance}) set(x);
  set(c.element_a);
  set(c.element_b);
  const Feature feature = c.closest.feature;
  set(feature == Feature::none ? nb::none()
                               : nb::object(names.second[static_cast<std::size_t>(feature)]));
  for (Py_ssize_t i = 0; i < 3; ++i) set(nb::steal(PySequence_GetItem(rows.ptr(), i)));
}

void bind_enums(nb::module_& m) {
  nb::enum_<Status>(m, "Status", nb::is_arithmetic())
      .value("FREE", Status::free)
      .value("CONTACT", Status::contact)
      .value("INITIAL_OVERLAP", Status::initial_overlap)
      .value("UNDECIDED", Status::undecided);
}

constexpr std::array methods{Choice{"auto", Method::automatic}, Choice{"hca", Method::hca},
                             Choice{"c2a", Method::c2a}, Choice{"interval", Method::interval}};
constexpr std::array robot_methods{Choice{"auto", Method::automatic}, Choice{"hca", Method::hca},
                                   Choice{"interval", Method::interval},
                                   Choice{"adaptive", Method::adaptive}};
constexpr std::array initials{Choice{"report", Initial::report},
                              Choice{"ignore_separating", Initial::ignore_separating},
                              Choice{"resting", Initial::resting}};
constexpr std::array motions{Choice{"linear", PathKind::linear}, Choice{"screw", PathKind::screw}};

Options make_options(nb::handle method, nb::handle tolerance, nb::handle separation,
                     nb::handle initial, nb::handle budget, nb::handle w, bool for_robot) {
  Options options;
  options.method = for_robot ? read_choice(method, "method", robot_methods)
                             : read_choice(method, "method", methods);
  options.initial = read_choice(initial, "initial", initials);
  options.separation = checked_separation(read_number(separation, "separation"));
  read_option(options.tolerance, tolerance, "tolerance", checked_tolerance);
  read_option(options.budget, budget, "budget", checked_budget);
  read_option(options.w, w, "w", [&](double x) { return checked_control(x, options.method); });
  options.timed = true;
  return options;
}

void bind_records(nb::module_& m) {
  nb::class_<Options>(m, "Options")
      .def(nb::new_(&make_options), "method"_a.none() = "auto", "tolerance"_a.none() = nb::none(),
           "separation"_a.none() = 0.0, "initial"_a.none() = "report",
           "budget"_a.none() = nb::none(), "w"_a.none() = nb::none(), "for_robot"_a = false);
  nb::class_<Stats>(m, "Stats")
      .def_ro("ca_iterations", &Stats::ca_iterations)
      .def_ro("bv_tests", &Stats::bv_tests)
      .def_ro("front_nodes", &Stats::front_nodes)
      .def_ro("elementary_tests", &Stats::elementary_tests)
      .def_ro("subdivisions", &Stats::subdivisions)
      .def_ro("seconds_broad_phase", &Stats::seconds_broad_phase)
      .def_ro("seconds_setup", &Stats::seconds_setup)
      .def_ro("seconds_walk", &Stats::seconds_walk)
      .def_ro("seconds_elementary", &Stats::seconds_elementary)
      .def_ro("seconds_inside", &Stats::seconds_inside);
  nb::class_<Contact>(m, "Contact")
      .def_ro("status", &Contact::status)
      .def_ro("toc", &Contact::toc)
      .def_ro("tolerance", &Contact::tolerance)
      .def_ro("triangle_a", &Contact::element_a)
      .def_ro("stats", &Contact::stats)
      .def("fill", &fill, "answer"_a, "slots"_a, "names"_a, "rows"_a);
}

nb::tuple batch(const Mesh& a, const Mesh& b, const std::array<Matrices, 4>& poses,
                nb::handle motion, const Options& options, unsigned threads) {
  const auto kind = read_choice(motion, "motion", motions);
  const PairMotions rows{{.start = view(poses[0]), .end = view(poses[1]), .kind = kind},
                         {.start = view(poses[2]), .end = view(poses[3]), .kind = kind}};
  const auto answer = [&] {
    const Released released;
    return first_contact_batch(a, b, rows, options, threads);
  };
  return contact_columns(answer());
}

nb::tuple clearances(const Mesh& a, const Mesh& b, const std::array<Matrices, 4>& poses,
                     nb::handle motion, const ClearanceOptions& options, unsigned threads) {
  const auto kind = read_choice(motion, "motion", motions);
  const PairMotions rows{{.start = view(poses[0]), .end = view(poses[1]), .kind = kind},
                         {.start = view(poses[2]), .end = view(poses[3]), .kind = kind}};
  const auto answer = [&] {
    const Released released;
    return clearance_batch(a, b, rows, options, threads);
  };
  return clearance_columns(answer());
}

/// Motions of one body, by row: start, end, linear velocity, angular velocity.
using MotionArrays = std::tuple<Matrices, Matrices, Points, Points>;

MotionRows rows_of(const MotionArrays& arrays, PathKind kind) {
  return {view(std::get<0>(arrays)), view(std::get<1>(arrays)), view(std::get<2>(arrays)),
          view(std::get<3>(arrays)), kind};
}

nb::tuple pairs(const std::vector<const Mesh*>& meshes, const Labels& body_a, const Labels& body_b,
                const MotionArrays& motion_a, const MotionArrays& motion_b, nb::handle motion,
                const Options& options, unsigned threads) {
  const auto kind = read_choice(motion, "motion", motions);
  const PairMeshes bodies{meshes, view(body_a), view(body_b)};
  const PairMotions rows{rows_of(motion_a, kind), rows_of(motion_b, kind)};
  const auto answer = [&] {
    const Released released;
    return first_contact_pairs(bodies, rows, options, threads);
  };
  return contact_columns(answer());
}

}  // namespace

void bind_query(nb::module_& m) {
  bind_enums(m);
  bind_records(m);
  nb::class_<Coherence>(m, "Coherence").def(nb::init<>());
  m.def(
      "first_contact",
      [](const Mesh& a, const Motion& motion_a, const Mesh& b, const Motion& motion_b,
         const Options& options, Coherence* memory) {
        return first_contact({a, motion_a}, {b, motion_b}, options, memory);
      },
      "a"_a, "motion_a"_a, "b"_a, "motion_b"_a, "options"_a, "memory"_a.none() = nb::none(),
      nb::call_guard<Released>());
  m.def(
      "contacts_at",
      [](const Mesh& a, const Motion& motion_a, const Mesh& b, const Motion& motion_b,
         const Options& options, const Contact& first) {
        return contacts_at(TwoBodies{{a, motion_a}, {b, motion_b}, options}, first.toc);
      },
      "a"_a, "motion_a"_a, "b"_a, "motion_b"_a, "options"_a, "first"_a, nb::call_guard<Released>());
  m.def(
      "contact_intervals",
      [](const Mesh& a, const Motion& motion_a, const Mesh& b, const Motion& motion_b,
         const Options& options, nb::handle resolution) {
        const double gap = checked_resolution(read_number(resolution, "resolution"));
        const auto answer = [&] {
          const Released released;
          return contact_intervals(TwoBodies{{a, motion_a}, {b, motion_b}, options}, gap);
        };
        return interval_rows(answer());
      },
      "a"_a, "motion_a"_a, "b"_a, "motion_b"_a, "options"_a, "resolution"_a.none());
  m.def(
      "first_contact_batch",
      [](const Mesh& a, const Mesh& b, const Matrices& start_a, const Matrices& end_a,
         const Matrices& start_b, const Matrices& end_b, nb::handle motion, const Options& options,
         unsigned threads) {
        return batch(a, b, {start_a, end_a, start_b, end_b}, motion, options, threads);
      },
      "a"_a, "b"_a, "start_a"_a.noconvert(), "end_a"_a.noconvert(), "start_b"_a.noconvert(),
      "end_b"_a.noconvert(), "motion"_a, "options"_a, "threads"_a);
  m.def(
      "clearance_batch",
      [](const Mesh& a, const Mesh& b, const Matrices& start_a, const Matrices& end_a,
         const Matrices& start_b, const Matrices& end_b, nb::handle motion,
         const ClearanceOptions& options, unsigned threads) {
        return clearances(a, b, {start_a, end_a, start_b, end_b}, motion, options, threads);
      },
      "a"_a, "b"_a, "start_a"_a.noconvert(), "end_a"_a.noconvert(), "start_b"_a.noconvert(),
      "end_b"_a.noconvert(), "motion"_a, "options"_a, "threads"_a);
  m.def("first_contact_pairs", &pairs, "meshes"_a, "body_a"_a.noconvert(), "body_b"_a.noconvert(),
        "motion_a"_a, "motion_b"_a, "motion"_a, "options"_a, "threads"_a);
}

}  // namespace toccata
