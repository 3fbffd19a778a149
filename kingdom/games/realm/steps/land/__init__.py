"""Hexes: claimed, abandoned, improved, contested, lost."""
