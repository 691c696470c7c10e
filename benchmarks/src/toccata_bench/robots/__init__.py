"""Motions of robots and other articulated models, compared with samplers and HPP."""
