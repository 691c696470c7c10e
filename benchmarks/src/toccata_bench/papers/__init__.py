"""Tables and figures of the five papers."""
