// Surfaces given by functions, which the bindings take from users.
#pragma once

#include <functional>
#include <utility>

#include "toccata/geometry/implicit.hpp"
#include "toccata/geometry/parametric.hpp"

namespace toccata {

/// A patch given by its inclusion function, and by one bound of its second derivatives over all
/// parameters (see `ParametricSurface::bend`).
class CustomParametric final : public ParametricSurface {
 public:
  using Over = std::function<Vec3i(Interval u, Interval v)>;

  CustomParametric(Over over, Bend bend, Interval u, Interval v)
      : ParametricSurface(u, v), over_(std::move(over)), bend_(bend) {}
  Vec3i over(Interval u, Interval v) const override { return over_(u, v); }
  Bend bend(Interval, Interval) const override { return bend_; }

 private:
  Over over_;
  Bend bend_;
};

/// An implicit surface given by interval extensions of f and of its gradient, which may be empty.
class CustomImplicit final : public ImplicitSurface {
 public:
  using Value = std::function<Interval(const Vec3i&)>;
  using Gradient = std::function<Vec3i(const Vec3i&)>;

  CustomImplicit(Value value, Gradient gradient, const Box& domain)
      : ImplicitSurface(domain), value_(std::move(value)), gradient_(std::move(gradient)) {}
  Interval value(const Vec3i& x) const override { return value_(x); }
  Vec3i gradient(const Vec3i& x) const override {
    return gradient_ ? gradient_(x) : ImplicitSurface::gradient(x);
  }

 private:
  Value value_;
  Gradient gradient_;
};

}  // namespace toccata
