// Points and normals of contacts, and columns of the contacts of a batch.
#include "toccata/walk/contact.hpp"

#include "toccata/narrow/advancement/triangle_approach.hpp"

namespace toccata {

void record(Contact& contact, double time, Index a, Index b, const TriangleApproach& approach) {
  contact.status = Status::contact;
  contact.toc = contact.safe_until = time;
  contact.element_a = a;
  contact.element_b = b;
  contact.closest = approach.closest;
  contact.normal = approach.normal;
}

void classify_start(Contact& contact) {
  if (contact.status != Status::contact || contact.toc > 0) return;
  contact.status = Status::initial_overlap;
  contact.normal = nowhere;
}

Contacts::Contacts(std::size_t n)
    : status(n),
      feature(n),
      toc(n),
      safe_until(n),
      tolerance(n),
      distance(n),
      point_a(3 * n),
      point_b(3 * n),
      normal(3 * n),
      element_a(n),
      element_b(n) {}

void Contacts::set(std::size_t row, const Contact& contact) {
  status[row] = static_cast<std::uint8_t>(contact.status);
  feature[row] = static_cast<std::uint8_t>(contact.closest.feature);
  toc[row] = contact.toc;
  safe_until[row] = contact.safe_until;
  tolerance[row] = contact.tolerance;
  distance[row] = contact.closest.distance;
  set_row(point_a, row, contact.closest.point_a);
  set_row(point_b, row, contact.closest.point_b);
  set_row(normal, row, contact.normal);
  element_a[row] = contact.element_a;
  element_b[row] = contact.element_b;
}

}  // namespace toccata
