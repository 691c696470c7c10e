"""Simulations without penetration, beside engines that penetrate."""
