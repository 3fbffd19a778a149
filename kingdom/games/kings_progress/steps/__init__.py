"""The steps of a turn; turn and window are cut by rounds.py."""
