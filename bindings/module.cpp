// The compiled core of the package; `toccata._native` chooses between its builds.
#include "bindings.hpp"

NB_MODULE(TOCCATA_MODULE, m) {
  m.doc() = "Compiled core of toccata. Use the package's own names instead.";
  toccata::bind_mesh(m);
  toccata::bind_surface(m);
  toccata::bind_motion(m);
  toccata::bind_query(m);
}
