"""Simulations without penetration, compared with engines that penetrate."""
