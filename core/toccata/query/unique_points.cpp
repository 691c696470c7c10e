#include "toccata/query/unique_points.hpp"

#include <algorithm>

namespace toccata {
namespace {

bool is_near(const Vec3d& u, const Vec3d& v, double error) { return largest(u - v) <= error; }

bool has_same_points(const Contact& s, const Contact& t, double error) {
  return is_near(s.closest.point_a, t.closest.point_a, error) &&
         is_near(s.closest.point_b, t.closest.point_b, error);
}

/// Equal points have equal heights. Flat contacts are rarely flat along this direction.
double height(const Contact& contact) {
  constexpr Vec3d up{0.57, 0.36, 0.73};
  return dot(up, contact.closest.point_a);
}

}  // namespace

void keep_unique_points(std::vector<Contact>& contacts, double error) {
  struct Place {
    double height;
    std::size_t index;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < contacts.size(); ++i) places.push_back({height(contacts[i]), i});
  std::sort(places.begin(), places.end(),
            [](const Place& s, const Place& t) { return s.height < t.height; });
  std::vector<bool> drop(contacts.size());
  for (auto s = places.begin(); s != places.end(); ++s)
    for (auto t = s + 1; t != places.end() && t->height <= s->height + 2 * error; ++t)
      if (has_same_points(contacts[s->index], contacts[t->index], error))
        drop[std::max(s->index, t->index)] = true;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (!drop[i]) contacts[kept++] = contacts[i];
  contacts.resize(kept);
}

}  // namespace toccata
