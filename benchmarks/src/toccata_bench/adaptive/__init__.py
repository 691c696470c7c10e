"""Articulated bodies with few active joints: Kim, Redon, Kim 2008."""
