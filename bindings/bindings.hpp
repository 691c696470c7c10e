// The parts of the extension module.
#pragma once

#include <nanobind/nanobind.h>

namespace toccata {

void bind_arrays(nanobind::module_& m);
void bind_deforming(nanobind::module_& m);
void bind_elementary(nanobind::module_& m);
void bind_mesh(nanobind::module_& m);
void bind_motion(nanobind::module_& m);
void bind_query(nanobind::module_& m);
void bind_robot(nanobind::module_& m);
void bind_robot_query(nanobind::module_& m);
void bind_surface(nanobind::module_& m);

}  // namespace toccata
