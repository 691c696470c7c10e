// The functions that bind one concept each, and release of the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include "toccata/base/interruption.hpp"

namespace toccata {

/// A scope in which this thread releases the GIL and Ctrl-C ends its query.
class Released {
 public:
  Released() : interruptible_(&is_signalled) {}

 private:
  /// Returns whether a signal handler has set a Python exception. `Interrupted` stands for it.
  static bool is_signalled() {
    const nanobind::gil_scoped_acquire acquire;
    return PyErr_CheckSignals() != 0;
  }

  nanobind::gil_scoped_release release_;
  Interruptible interruptible_;
};

void bind_arrays(nanobind::module_& m);
void bind_articulated(nanobind::module_& m);
void bind_deforming(nanobind::module_& m);
void bind_dynamics(nanobind::module_& m);
void bind_elementary(nanobind::module_& m);
void bind_manipulator(nanobind::module_& m);
void bind_mesh(nanobind::module_& m);
void bind_motion(nanobind::module_& m);
void bind_near(nanobind::module_& m);
void bind_query(nanobind::module_& m);
void bind_world(nanobind::module_& m);
void bind_scene(nanobind::module_& m);
void bind_robot(nanobind::module_& m);
void bind_robot_query(nanobind::module_& m);
void bind_surface(nanobind::module_& m);

}  // namespace toccata
