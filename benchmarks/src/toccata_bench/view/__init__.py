"""How fast live views follow a hand."""
