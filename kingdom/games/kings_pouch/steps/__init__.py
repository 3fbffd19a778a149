"""The steps of a turn, by phase; turns.py says whose turn it is."""
