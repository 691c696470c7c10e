"""Errors of child processes."""

from subprocess import CalledProcessError


class ChildFailed(Exception):
    """A child process ended with an error, which is the message."""


def failure(name: str, error: CalledProcessError) -> ChildFailed:
    """Return the error of a child whose stderr was captured, with the last line of stderr."""
    lines = error.stderr.decode(errors="replace").strip().splitlines()
    return ChildFailed(f"{name}: {lines[-1] if lines else error}")
