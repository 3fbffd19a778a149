"""Armies: recruiting, figures, marches, battles, sieges, conquest, upkeep."""
