#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "clearance_columns.hpp"
#include "configurations.hpp"
#include "contact_columns.hpp"
#include "read_options.hpp"
#include "toccata/base/stopwatch.hpp"
#include "toccata/query/check_options.hpp"
#include "toccata/query/robot_first_contact/first_contact.hpp"

namespace toccata {
namespace {

/// A contact with the data for later properties of the Python answer.
struct RobotAnswer : Contact {
  Index link_a, link_b, body;
  Index piece;  // index in the path; -1 for a single motion
  double time;  // fraction of the piece, or of the single motion
  Count pairs_tested;
  StageStats stages;
  double seconds;            // wall time of the query
  std::optional<Ends> ends;  // present for a straight motion that is not free

  RobotAnswer(const RobotContact& found, double seconds)
      : Contact(found.contact),
        link_a(found.link_a),
        link_b(found.link_b),
        body(found.body),
        piece(found.piece),
        time(found.piece < 0 ? found.contact.toc : found.time),
        pairs_tested(found.pairs_tested),
        stages(found.stages),
        seconds(seconds) {}
};

/// Solves a query about a single motion. Returns none if Python has to convert the ends first.
/// `is_free` and `clear` return none in the same case.
std::optional<RobotAnswer> one(const Robot& robot, const BodySet& world, nb::handle q_0,
                               nb::handle q_1, const RobotOptions& options,
                               RobotCoherence* coherence) {
  std::optional<Ends> ends = Ends::read(robot, q_0, q_1);
  if (!ends) return std::nullopt;
  const Released released;
  Stopwatch watch;
  ends->check(robot);
  const RobotContact found =
      first_contact(robot, world, ends->start(), ends->end(), options, coherence);
  RobotAnswer answer(found, watch.lap());
  if (found.contact.status != Status::free) answer.ends = std::move(ends);
  return answer;
}

std::optional<bool> is_free(const Robot& robot, const BodySet& world, nb::handle q_0,
                            nb::handle q_1, const RobotOptions& options) {
  const std::optional<Ends> ends = Ends::read(robot, q_0, q_1);
  if (!ends) return std::nullopt;
  const Released released;
  ends->check(robot);
  return motion_is_free(robot, world, RobotMotion{ends->start(), ends->end()}, options);
}

std::optional<RobotClearance> clear(const Robot& robot, const BodySet& world, nb::handle q_0,
                                    nb::handle q_1, const ClearanceOptions& options) {
  const std::optional<Ends> ends = Ends::read(robot, q_0, q_1);
  if (!ends) return std::nullopt;
  const Released released;
  ends->check(robot);
  return clearance(robot, world, RobotMotion{ends->start(), ends->end()}, options);
}

RobotAnswer on_path(const Robot& robot, const BodySet& world, const Rows& rows,
                    const Clocks& clocks, bool curved, std::pair<Index, Index> pieces,
                    const RobotOptions& options, RobotCoherence* coherence) {
  const Released released;
  Stopwatch watch;
  const Path path = path_of(rows, clocks, curved, pieces);
  check(robot, path, rows.size());
  const RobotContact found = first_contact(robot, world, path, options, coherence);
  RobotAnswer answer(found, watch.lap());
  const double* start = rows.data() + found.piece * rows.shape(1);
  if (found.piece >= 0 && !curved) answer.ends = Ends::copy(robot, start, start + rows.shape(1));
  return answer;
}

std::vector<RobotAnswer> as_answers(const std::vector<RobotContact>& found) {
  std::vector<RobotAnswer> answers;
  for (const RobotContact& contact : found) answers.emplace_back(contact, 0);
  return answers;
}

/// Returns all contacts at the time of the first contact, on a straight motion.
std::vector<RobotAnswer> all_at(const Robot& robot, const BodySet& world,
                                const RobotOptions& options, const RobotAnswer& first) {
  const Released released;
  const Ends& ends = first.ends.value();
  return as_answers(
      contacts_at(robot, world, RobotMotion{ends.start(), ends.end()}, options, first.time));
}

std::vector<RobotAnswer> all_on_path(const Robot& robot, const BodySet& world, const Rows& rows,
                                     const Clocks& clocks, bool curved, const RobotOptions& options,
                                     const RobotAnswer& first) {
  const Released released;
  const Path path = path_of(rows, clocks, curved, {first.piece, first.piece + 1});
  check(robot, path, rows.size());
  return as_answers(contacts_at(robot, world, path, options, first.time));
}

RobotClearance clear_on_path(const Robot& robot, const BodySet& world, const Rows& rows,
                             const Clocks& clocks, bool curved, const ClearanceOptions& options) {
  const Released released;
  const Path path = path_of(rows, clocks, curved, {0, static_cast<Index>(clocks.shape(1)) - 1});
  check(robot, path, rows.size());
  return clearance(robot, world, path, options);
}

nb::ndarray<nb::numpy, double> intervals_on_path(const Robot& robot, const BodySet& world,
                                                 const Rows& rows, const Clocks& clocks,
                                                 bool curved, const RobotOptions& options,
                                                 nb::handle resolution) {
  const double gap = checked_resolution(read_number(resolution, "resolution"));
  const auto answer = [&] {
    const Released released;
    const Path path = path_of(rows, clocks, curved, {0, static_cast<Index>(clocks.shape(1)) - 1});
    check(robot, path, rows.size());
    return contact_intervals(robot, world, path, options, gap);
  };
  return interval_rows(answer());
}

/// Returns first contacts of pairs as columns, with the pieces of a path, -1 for a single motion,
/// and the times within them.
nb::tuple contact_rows(const std::vector<RobotContact>& found) {
  RobotContacts rows(found.size());
  std::vector<Index> piece;
  std::vector<double> time;
  for (std::size_t i = 0; i < found.size(); ++i) {
    rows.set(i, found[i]);
    piece.push_back(found[i].piece);
    time.push_back(found[i].piece < 0 ? found[i].contact.toc : found[i].time);
  }
  return nb::make_tuple(contact_columns(std::move(rows.contacts)), column(rows.link_a),
                        column(rows.link_b), column(rows.body), column(piece), column(time));
}

/// Returns the first contact of each pair on a path.
nb::tuple contacts_on_path(const Robot& robot, const BodySet& world, const Rows& rows,
                           const Clocks& clocks, bool curved, const RobotOptions& options,
                           unsigned threads) {
  const auto answer = [&] {
    const Released released;
    const Path path = path_of(rows, clocks, curved, {0, static_cast<Index>(clocks.shape(1)) - 1});
    check(robot, path, rows.size());
    return first_contacts(robot, world, path, options, threads);
  };
  return contact_rows(answer());
}

nb::tuple clear_many(const Robot& robot, const BodySet& world, const Rows& q_0, const Rows& q_1,
                     const ClearanceOptions& options, unsigned threads) {
  const auto answer = [&] {
    const Released released;
    check_rows(robot, q_0, "Q0");
    check_rows(robot, q_1, "Q1");
    const RobotMotions motions{q_0.data(), q_1.data(), q_0.shape(0)};
    return clearance_batch(robot, world, motions, options, threads);
  };
  return clearance_columns(answer());
}

nb::tuple many(const Robot& robot, const BodySet& world, const Rows& q_0, const Rows& q_1,
               const RobotOptions& options, unsigned threads) {
  const auto answer = [&] {
    const Released released;
    check_rows(robot, q_0, "Q0");
    check_rows(robot, q_1, "Q1");
    const RobotMotions motions{q_0.data(), q_1.data(), q_0.shape(0)};
    return first_contact_batch(robot, world, motions, options, threads);
  };
  RobotContacts found = answer();
  return nb::make_tuple(contact_columns(std::move(found.contacts)), column(found.link_a),
                        column(found.link_b), column(found.body));
}

/// Returns statuses alone: each row stops as soon as it is proven free or in contact.
nb::ndarray<nb::numpy, std::uint8_t> are_free(const Robot& robot, const BodySet& world,
                                              const Rows& q_0, const Rows& q_1,
                                              const RobotOptions& options, unsigned threads) {
  const auto answer = [&] {
    const Released released;
    check_rows(robot, q_0, "Q0");
    check_rows(robot, q_1, "Q1");
    return motions_are_free(robot, world, {q_0.data(), q_1.data(), q_0.shape(0)}, options, threads);
  };
  std::vector<std::uint8_t> found = answer();
  return column(found);
}

void bind_answer(nb::module_& m) {
  nb::class_<AssemblyWork>(m, "AssemblyWork")
      .def_ro("nodes_updated", &AssemblyWork::nodes_updated)
      .def_ro("products", &AssemblyWork::products)
      .def_ro("bodies_placed", &AssemblyWork::bodies_placed);
  nb::class_<StageStats>(m, "StageStats")
      .def_ro("assembly", &StageStats::assembly)
      .def_ro("pairs_after_hierarchy", &StageStats::pairs_after_hierarchy)
      .def_ro("pairs_after_culling", &StageStats::pairs_after_culling)
      .def_ro("seconds_hierarchy", &StageStats::seconds_hierarchy)
      .def_ro("seconds_culling", &StageStats::seconds_culling)
      .def_ro("seconds_exact", &StageStats::seconds_exact);
  nb::class_<RobotAnswer, Contact>(m, "RobotAnswer")
      .def_ro("link_a", &RobotAnswer::link_a)
      .def_ro("link_b", &RobotAnswer::link_b)
      .def_ro("body", &RobotAnswer::body)
      .def_ro("piece", &RobotAnswer::piece)
      .def_ro("time", &RobotAnswer::time)
      .def_ro("pairs_tested", &RobotAnswer::pairs_tested)
      .def_ro("stages", &RobotAnswer::stages)
      .def_ro("seconds", &RobotAnswer::seconds)
      .def_prop_ro(
          "ends", [](const RobotAnswer& answer) { return answer.ends.value().rows(); },
          nb::rv_policy::move);
}

ClearanceOptions make_clearance_options(nb::handle self_contact, nb::handle tolerance,
                                        nb::handle limit, nb::handle budget) {
  ClearanceOptions options;
  options.self_contact = is_true(self_contact);
  read_option(options.tolerance, tolerance, "tolerance", checked_tolerance);
  read_option(options.limit, limit, "limit", checked_limit);
  read_option(options.budget, budget, "budget", checked_budget);
  return options;
}

void bind_clearance(nb::module_& m) {
  nb::class_<ClearanceOptions>(m, "ClearanceOptions")
      .def(nb::new_(&make_clearance_options), "self_contact"_a.none() = true,
           "tolerance"_a.none() = nb::none(), "limit"_a.none() = nb::none(),
           "budget"_a.none() = nb::none())
      .def(
          "set_ignored",
          [](ClearanceOptions& options, const IgnoredPairs& ignored) {
            options.ignored = std::make_shared<const IgnoredPairs>(ignored);
          },
          "ignored"_a);
  nb::class_<Clearance>(m, "Clearance")
      .def_ro("lower", &Clearance::lower)
      .def_ro("upper", &Clearance::upper)
      .def_ro("tolerance", &Clearance::tolerance)
      .def_ro("time", &Clearance::time)
      .def_prop_ro("point_a", [](const Clearance& c) { return as_tuple(c.closest.point_a); })
      .def_prop_ro("point_b", [](const Clearance& c) { return as_tuple(c.closest.point_b); })
      .def_prop_ro("distance", [](const Clearance& c) { return c.closest.distance; })
      .def_ro("pairs_tested", &Clearance::pairs_tested)
      .def_ro("stats", &Clearance::stats);
  nb::class_<RobotClearance, Clearance>(m, "RobotClearance")
      .def_ro("link_a", &RobotClearance::link_a)
      .def_ro("link_b", &RobotClearance::link_b)
      .def_ro("body", &RobotClearance::body)
      .def_ro("piece", &RobotClearance::piece)
      .def_ro("time_of_piece", &RobotClearance::time_of_piece);
  m.def("robot_clearance_path", &clear_on_path, "robot"_a, "world"_a, "rows"_a.noconvert(),
        "clocks"_a.noconvert(), "curved"_a, "options"_a);
  m.def("robot_clearance", &clear, "robot"_a, "world"_a, "q_0"_a.none(), "q_1"_a.none(),
        "options"_a);
}

}  // namespace

void bind_robot_query(nb::module_& m) {
  bind_answer(m);
  bind_clearance(m);
  nb::class_<RobotCoherence, KnownContacts>(m, "RobotCoherence").def(nb::init<>());
  m.def("robot_first_contact", &one, "robot"_a, "world"_a, "q_0"_a.none(), "q_1"_a.none(),
        "options"_a, "coherence"_a = nb::none());
  m.def("robot_motion_is_free", &is_free, "robot"_a, "world"_a, "q_0"_a.none(), "q_1"_a.none(),
        "options"_a);
  m.def("robot_first_contact_path", &on_path, "robot"_a, "world"_a, "rows"_a.noconvert(),
        "clocks"_a.noconvert(), "curved"_a, "pieces"_a, "options"_a, "coherence"_a = nb::none());
  m.def("robot_first_contacts_path", &contacts_on_path, "robot"_a, "world"_a, "rows"_a.noconvert(),
        "clocks"_a.noconvert(), "curved"_a, "options"_a, "threads"_a);
  m.def("robot_clearance_batch", &clear_many, "robot"_a, "world"_a, "q_0"_a.noconvert(),
        "q_1"_a.noconvert(), "options"_a, "threads"_a);
  m.def("robot_contact_intervals", &intervals_on_path, "robot"_a, "world"_a, "rows"_a.noconvert(),
        "clocks"_a.noconvert(), "curved"_a, "options"_a, "resolution"_a.none());
  m.def("robot_contacts", &all_at, "robot"_a, "world"_a, "options"_a, "first"_a);
  m.def("robot_contacts_path", &all_on_path, "robot"_a, "world"_a, "rows"_a.noconvert(),
        "clocks"_a.noconvert(), "curved"_a, "options"_a, "first"_a);
  m.def("robot_motions_are_free", &are_free, "robot"_a, "world"_a, "q_0"_a.noconvert(),
        "q_1"_a.noconvert(), "options"_a, "threads"_a);
  m.def("robot_first_contact_batch", &many, "robot"_a, "world"_a, "q_0"_a.noconvert(),
        "q_1"_a.noconvert(), "options"_a, "threads"_a);
}

}  // namespace toccata
