"""Tables and figures of the five papers, made again: `toccata bench papers`."""
