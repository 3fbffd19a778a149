"""The steps of a turn, by phase; rounds.py says whose turn it is."""
