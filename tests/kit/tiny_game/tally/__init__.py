"""A game of a few lines."""
