"""`toccata bench robots`: motions of articulated models beside samplers, answers first."""
