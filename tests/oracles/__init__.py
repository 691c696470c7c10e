"""Independent judges of contact times.

Nothing here asks toccata what is true: poses come from the definitions of the motions, distances
from multi-precision arithmetic or from another library, certificates from bounds argued in place.
"""
