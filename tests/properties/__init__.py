"""Properties that hold for every input, checked on samples that prove they are not one-sided."""
