"""Whole steps and elementary tests of deforming meshes, compared with ipctk."""
