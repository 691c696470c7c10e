"""`toccata bench deforming`: whole steps of deforming meshes beside ipctk, answers first."""
