"""Polynomials of integers on [0, 1]: their roots as exact numbers, and signs at those roots.

A polynomial is the list c of its homogeneous coefficients,

    p(t) = sum of c[j] (1 - t)^(d - j) t^j,    d = len(c) - 1,

which are its Bernstein coefficients times binomials: products are plain convolutions, the ends are
c[0] and c[d], and Descartes' rule counts the roots between them. Nothing here rounds.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import comb, gcd, lcm

Poly = list[int]

# An isolated root is squeezed this many bits before a common factor is looked for.
PATIENCE = 24


def multiply(p: Poly, q: Poly) -> Poly:
    """Return p q."""
    result = [0] * (len(p) + len(q) - 1)
    for i, x in enumerate(p):
        for j, y in enumerate(q):
            result[i + j] += x * y
    return result


def sign_at_dyadic(p: Poly, m: int, k: int) -> int:
    """Return the sign of p at m / 2^k."""
    rest, value, power = (1 << k) - m, 0, 1
    for c in reversed(p):
        value = value * m + c * power
        power *= rest
    return _sign(value)


def roots(p: Poly) -> list[Root]:
    """Return the distinct roots in [0, 1] in ascending order; p must not vanish everywhere."""
    found = _isolate(p)
    if found is None:
        found = _isolate(_without_repeats(p))
    assert found is not None, "nothing repeats any more"
    return found


class Root:
    """One root in [0, 1]: exactly m / 2^k, or the only one of `poly` inside (m, m + 1) / 2^k.

    `below` is the sign of `poly` between the lower end and the root, or 0 for an exact one.
    """

    __slots__ = ("below", "k", "m", "poly")

    def __init__(self, poly: Poly, m: int, k: int, below: int) -> None:
        self.poly, self.m, self.k, self.below = poly, m, k, below

    @classmethod
    def dyadic(cls, value: float) -> Root:
        """Return the number that a double in [0, 1] stands for."""
        m, denominator = value.as_integer_ratio()
        return cls([], m, denominator.bit_length() - 1, 0)

    @property
    def exact(self) -> bool:
        """Return whether the exact value is known."""
        return self.below == 0

    def refine(self, k: int) -> Root:
        """Squeeze the interval to a width of 2^-k, or find the value."""
        while self.k < k and self.below:
            self.m, self.k = 2 * self.m + 1, self.k + 1
            sign = sign_at_dyadic(self.poly, self.m, self.k)
            if sign == 0:
                self.below = 0
            elif sign != self.below:
                self.m -= 1
        return self

    def bounds(self, k: int = 60) -> tuple[float, float]:
        """Return doubles below and above (equal if the value is one); about 2^-k apart."""
        self.refine(k)
        lo = self.m / (1 << self.k)
        if self.exact and Root.dyadic(lo).compare(self) == 0:
            return lo, lo
        return max(lo - 2.0**-52 * lo, 0.0), min((self.m + 1) / (1 << self.k) * (1 + 2.0**-52), 1.0)

    def compare(self, other: Root) -> int:
        """Return the sign of self - other."""
        k = max(self.k, other.k)
        self.refine(k)
        other.refine(k)
        while (order := _compare_intervals(self, other)) is None:
            if sign_at(self.poly, other) == 0 and _compare_intervals(self, other) is None:
                return 0
            self.refine(self.k + 8)
            other.refine(other.k + 8)
        return order


def sign_at(p: Poly, root: Root) -> int:
    """Return the sign of p at a root of another polynomial."""
    if root.exact:
        return sign_at_dyadic(p, root.m, root.k)
    limit = root.k + PATIENCE
    while root.k < limit:
        if (sign := _sign_inside(p, root)) is not None:
            return sign
        root.refine(root.k + 12)
        if root.exact:
            return sign_at_dyadic(p, root.m, root.k)
    if any(p) and not _shares(p, root):
        while (sign := _sign_inside(p, root)) is None:
            root.refine(root.k * 2)
            if root.exact:
                return sign_at_dyadic(p, root.m, root.k)
        return sign
    return 0


def _compare_intervals(a: Root, b: Root) -> int | None:
    """Order two numbers by their brackets, or return None if the brackets overlap."""
    if a.exact and b.exact:
        return _sign((a.m << b.k) - (b.m << a.k))
    k = max(a.k, b.k)
    lo_a, lo_b = a.m << (k - a.k), b.m << (k - b.k)
    hi_a = lo_a + ((not a.exact) << (k - a.k))
    hi_b = lo_b + ((not b.exact) << (k - b.k))
    if hi_a <= lo_b:  # the intervals are open, so that equal ends part them
        return -1
    return 1 if hi_b <= lo_a else None


def _sign(x: int) -> int:
    return (x > 0) - (x < 0)


def _sign_inside(p: Poly, root: Root) -> int | None:
    """Return the sign of p inside the interval of a root if its coefficients there agree."""
    inside = _restricted(p, root.m, root.k)
    if min(inside) >= 0:
        return 1 if any(inside) else 0
    return -1 if max(inside) <= 0 else None


def _restricted(p: Poly, m: int, k: int) -> Poly:
    """Return p on [m, m + 1] / 2^k as a polynomial on [0, 1], up to a positive factor."""
    rest = (1 << k) - m
    up, down = [m, m + 1], [rest, rest - 1]
    result, power = [p[-1]], [1]
    for c in reversed(p[:-1]):
        power = multiply(power, down)
        result = [x + c * y for x, y in zip(multiply(result, up), power, strict=True)]
    return result


@cache
def _weights(degree: int) -> list[int]:
    binomials = [comb(degree, j) for j in range(degree + 1)]
    common = lcm(*binomials)
    return [common // b for b in binomials]


def _isolate(p: Poly) -> list[Root] | None:
    """Return the roots by bisection, or None if a repeated one keeps it from ending."""
    if min(p) > 0 or max(p) < 0:
        return []
    found = [] if p[0] else [Root(p, 0, 0, 0)]
    bernstein = [c * w for c, w in zip(p, _weights(len(p) - 1), strict=True)]
    suspicious = True
    stack = [(bernstein, 0, 0)]
    while stack:
        b, m, k = stack.pop()
        changes, first = _variations(b)
        if changes == 1:
            found.append(Root(p, m, k, first))
        elif changes > 1:
            if suspicious and k >= 8:
                if _repeats(p):
                    return None
                suspicious = False
            left, right = _halves(b)
            stack.append((right, 2 * m + 1, k + 1))
            if right[0] == 0:
                stack.append(([0], 2 * m + 1, k + 1))
            stack.append((left, 2 * m, k + 1))
        elif len(b) == 1:
            found.append(Root(p, m, k, 0))
    if p[-1] == 0:
        found.append(Root(p, 1, 0, 0))
    return found


def _variations(b: Poly) -> tuple[int, int]:
    """Return the number of sign changes and the first sign."""
    changes = first = last = 0
    for x in b:
        if x:
            sign = 1 if x > 0 else -1
            changes += last == -sign
            last, first = sign, first or sign
    return changes, first


def _halves(b: Poly) -> tuple[Poly, Poly]:
    """Split Bernstein coefficients at one half, times 2^degree."""
    degree = len(b) - 1
    row, left, right = b, [b[0] << degree], [b[-1] << degree]
    for level in range(1, degree + 1):
        row = [x + y for x, y in pairwise(row)]
        left.append(row[0] << (degree - level))
        right.append(row[-1] << (degree - level))
    return left, right[::-1]


# --- factors: with x = t / (1 - t) the list c holds the plain coefficients of x^j -----------------


def _repeats(p: Poly) -> bool:
    """Return whether p has a repeated factor, apart from roots at the ends."""
    p = _stripped(p)
    return len(p) > 2 and len(_gcd(p, _derivative(p))) > 1


def _without_repeats(p: Poly) -> Poly:
    """Return a polynomial with the same roots in [0, 1], each of them once."""
    core = _stripped(p)
    simple = _quotient(core, _gcd(core, _derivative(core)))
    if p[0] == 0:
        simple = [0, *simple]
    return [*simple, 0] if p[-1] == 0 else simple


def _shares(p: Poly, root: Root) -> bool:
    """Return whether p and the root's polynomial share a factor that vanishes there."""
    common = _gcd(_stripped(p), _stripped(root.poly))
    if len(common) < 2:
        return False
    # It divides a polynomial with one simple root in the interval: it changes sign, or has none.
    return _variations(_restricted(common, root.m, root.k))[0] % 2 == 1


def _stripped(p: Poly) -> Poly:
    """Remove the roots at the ends."""
    lo, hi = 0, len(p)
    while p[lo] == 0:
        lo += 1
    while p[hi - 1] == 0:
        hi -= 1
    return p[lo:hi]


def _derivative(p: Poly) -> Poly:
    return [j * c for j, c in enumerate(p)][1:]


def _primitive(p: Poly) -> Poly:
    while p and p[-1] == 0:
        p = p[:-1]
    content = gcd(*p)
    return [c // content for c in p] if content > 1 else p


def _gcd(p: Poly, q: Poly) -> Poly:
    """Return the greatest common divisor of two polynomials in x (Euclid, primitive rests)."""
    p, q = _primitive(p), _primitive(q)
    while q:
        p, q = q, _primitive(_divide(p, q)[1]) if len(p) >= len(q) else p
    return p


def _quotient(p: Poly, q: Poly) -> Poly:
    """Return p / q up to a factor; the division must leave nothing."""
    quotient, rest = _divide(p, q)
    assert not any(rest)
    return _primitive(quotient)


def _divide(p: Poly, q: Poly) -> tuple[Poly, Poly]:
    """Return quotient and rest of p times a power of the leading coefficient of q."""
    rest, quotient, lead = list(p), [0] * (len(p) - len(q) + 1), q[-1]
    for shift in range(len(p) - len(q), -1, -1):
        top = rest[shift + len(q) - 1]
        rest = [c * lead for c in rest]
        quotient = [c * lead for c in quotient]
        quotient[shift] = top
        for j, c in enumerate(q):
            rest[shift + j] -= top * c
    return quotient, rest[: len(q) - 1]
