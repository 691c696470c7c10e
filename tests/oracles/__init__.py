"""Independent judges of contact times.

No oracle uses the package: poses come from the definitions of the motions, distances from
multi-precision arithmetic or another library, certificates from bounds that comments prove.
"""
