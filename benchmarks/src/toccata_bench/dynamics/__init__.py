"""`toccata bench dynamics`: simulations without penetration, beside engines that have some."""
