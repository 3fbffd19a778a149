"""The steps of a turn; turn.py has their order."""
