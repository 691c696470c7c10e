"""Articulated bodies of which only some joints are active: Kim, Redon, Kim 2008."""
