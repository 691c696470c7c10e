"""Whole steps and elementary tests of deforming meshes, beside ipctk."""
