"""Motions of robots and other articulated models, beside samplers and HPP."""
