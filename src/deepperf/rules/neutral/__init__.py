"""Rules that hold for several frameworks."""
