// SIMD values of 32 bytes: one AVX2 register, or two SSE or NEON registers. The operations, and
// therefore the bits of results, are the same on all processors.
#pragma once

#include <bit>
#include <cassert>
#include <limits>
#include <type_traits>

#include "toccata/math/simd.hpp"

namespace toccata {

/// Type of a lane in the result of a comparison: -1 where true, else 0.
template <class T>
using TruthOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

template <class T>
struct Lanes {
  static constexpr int size = 32 / sizeof(T);
  static constexpr int parts = 32 / simd::register_bytes;
  static constexpr int each = size / parts;  ///< lanes per register
  using Part = simd::Vector<T>;
  using Truth = Lanes<TruthOf<T>>;

  Part part[parts];

  Lanes() = default;
  explicit constexpr Lanes(Part all) : part{all} {}
  constexpr Lanes(Part low, Part high) : part{low, high} {}

  /// Sets all lanes to a number of the same or a smaller type. Subtracts zero instead of adding it,
  /// because adding would change -0.
  template <class S>
    requires std::is_integral_v<S> ||
             (std::is_floating_point_v<S> && std::is_floating_point_v<T> && sizeof(S) <= sizeof(T))
  [[gnu::always_inline]] constexpr Lanes(S x) {
    for (Part& p : part) p = static_cast<T>(x) - Part{};
  }
  constexpr Lanes(T a, T b, T c, T d)
    requires(size == 4)
  {
    if constexpr (parts == 1) part[0] = Part{a, b, c, d};
    else part[0] = Part{a, b}, part[1] = Part{c, d};
  }
  constexpr Lanes(T a, T b, T c, T d, T e, T f, T g, T h)
    requires(size == 8)
  {
    if constexpr (parts == 1) part[0] = Part{a, b, c, d, e, f, g, h};
    else part[0] = Part{a, b, c, d}, part[1] = Part{e, f, g, h};
  }

  [[gnu::always_inline]] T operator[](int i) const {
    const int p = part_of(i);
    return part[p][i - p * each];
  }
  void set(int i, T x) {
    const int p = part_of(i);
    part[p][i - p * each] = x;
  }

#define TOCCATA_LANEWISE(Result, symbol)                                                    \
  [[gnu::always_inline]] friend Result operator symbol(const Lanes& a, const Lanes& b) {    \
    using To = typename Result::Part;                                                       \
    if constexpr (parts == 1) return Result((To)(a.part[0] symbol b.part[0]));              \
    else return Result((To)(a.part[0] symbol b.part[0]), (To)(a.part[1] symbol b.part[1])); \
  }
  TOCCATA_LANEWISE(Lanes, +)
  TOCCATA_LANEWISE(Lanes, -)
  TOCCATA_LANEWISE(Lanes, *)
  TOCCATA_LANEWISE(Lanes, /)
  TOCCATA_LANEWISE(Lanes, &)
  TOCCATA_LANEWISE(Lanes, |)
  TOCCATA_LANEWISE(Lanes, ^)
  TOCCATA_LANEWISE(Truth, <)
  TOCCATA_LANEWISE(Truth, >)
  TOCCATA_LANEWISE(Truth, <=)
  TOCCATA_LANEWISE(Truth, >=)
  TOCCATA_LANEWISE(Truth, ==)
  TOCCATA_LANEWISE(Truth, !=)
#undef TOCCATA_LANEWISE

  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) { return *this = *this * b; }
  [[gnu::always_inline]] Lanes& operator|=(const Lanes& b) { return *this = *this | b; }

 private:
  [[gnu::always_inline]] static int part_of(int i) {
    assert(i >= 0 && i < size);
    return parts == 1 ? 0 : i >= each;
  }
};

/// Applies `f` to each register. Returns the results as lanes of To.
template <class To, class F, class... A>
[[gnu::always_inline]] inline Lanes<To> by_part(const F& f, const Lanes<A>&... a) {
  using Part = typename Lanes<To>::Part;
  if constexpr (Lanes<To>::parts == 1) return Lanes<To>((Part)f(a.part[0]...));
  else return Lanes<To>((Part)f(a.part[0]...), (Part)f(a.part[1]...));
}

// Sanitized builds inline only functions with this attribute.
#define TOCCATA_INLINE __attribute__((always_inline))

template <class T>
TOCCATA_INLINE inline Lanes<T> operator-(const Lanes<T>& a) {
  return by_part<T>([](auto x) TOCCATA_INLINE { return -x; }, a);
}
template <class T>
TOCCATA_INLINE inline Lanes<T> operator~(const Lanes<T>& a) {
  return by_part<T>([](auto x) TOCCATA_INLINE { return ~x; }, a);
}

/// Reinterprets the bits.
template <class To, class T>
TOCCATA_INLINE inline Lanes<To> cast(const Lanes<T>& a) {
  return by_part<To>([](auto x) TOCCATA_INLINE { return x; }, a);
}

template <class T>
TOCCATA_INLINE inline Lanes<T> select(const Lanes<TruthOf<T>>& m, const Lanes<T>& a,
                                      const Lanes<T>& b) {
  return by_part<T>([](auto m, auto x, auto y) TOCCATA_INLINE { return m ? x : y; }, m, a, b);
}
template <class T>
TOCCATA_INLINE inline Lanes<T> min(const Lanes<T>& a, const Lanes<T>& b) {
  return by_part<T>([](auto x, auto y) TOCCATA_INLINE { return x < y ? x : y; }, a, b);
}
template <class T>
TOCCATA_INLINE inline Lanes<T> max(const Lanes<T>& a, const Lanes<T>& b) {
  return by_part<T>([](auto x, auto y) TOCCATA_INLINE { return x > y ? x : y; }, a, b);
}
template <class T>
TOCCATA_INLINE inline Lanes<T> sqrt(const Lanes<T>& a) {
  return by_part<T>([](auto x) TOCCATA_INLINE { return simd::sqrt(x); }, a);
}
template <class T>
TOCCATA_INLINE inline Lanes<T> abs(const Lanes<T>& a) {
  using Bits = TruthOf<T>;
  return cast<T>(cast<Bits>(a) & std::numeric_limits<Bits>::max());
}
/// Returns `a` with the sign flipped where `s` is negative.
template <class T>
TOCCATA_INLINE inline Lanes<T> flip_sign(const Lanes<T>& a, const Lanes<T>& s) {
  using Bits = TruthOf<T>;
  return cast<T>(cast<Bits>(a) ^ (cast<Bits>(s) & std::numeric_limits<Bits>::min()));
}

/// Clamps to [0, 1]; NaN becomes 0.
template <class T>
TOCCATA_INLINE inline Lanes<T> clamp01(const Lanes<T>& a) {
  return min(max(a, Lanes<T>{}), Lanes<T>(1));
}

/// Returns a bit mask: bit i is set where lane i is negative.
template <class T>
TOCCATA_INLINE inline unsigned signs(const Lanes<T>& a) {
  const auto bits = cast<TruthOf<T>>(a);
  if constexpr (Lanes<T>::parts == 1) return simd::signs(bits.part[0]);
  else return simd::signs(bits.part[0]) | simd::signs(bits.part[1]) << Lanes<T>::each;
}

#undef TOCCATA_INLINE

/// Calls `visit(lane)` for each set bit, the lowest first.
template <class Visit>
[[gnu::always_inline]] inline void for_lanes(unsigned bits, const Visit& visit) {
  for (; bits; bits &= bits - 1) visit(std::countr_zero(bits));
}

}  // namespace toccata
