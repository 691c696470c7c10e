// The extension module; `toccata._native` chooses between its builds.
#include "bindings.hpp"

NB_MODULE(TOCCATA_MODULE, m) {
  m.doc() = "Compiled core of Toccata. Use the names in `toccata` instead.";
  // nanobind would warn of leaks for objects that live as long as the interpreter.
  nanobind::set_leak_warnings(false);
  nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const toccata::Interrupted&) {
      // Python's signal handler has set its exception already.
    }
  });
  toccata::bind_arrays(m);
  toccata::bind_mesh(m);
  toccata::bind_surface(m);
  toccata::bind_motion(m);
  toccata::bind_query(m);
  toccata::bind_elementary(m);
  toccata::bind_deforming(m);
  toccata::bind_scene(m);
  toccata::bind_robot(m);
  toccata::bind_robot_query(m);
  toccata::bind_near(m);
  toccata::bind_dynamics(m);
  toccata::bind_manipulator(m);
  toccata::bind_world(m);
  toccata::bind_articulated(m);
}
