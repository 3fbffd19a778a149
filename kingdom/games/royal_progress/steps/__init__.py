"""The steps of a turn; turn.py has their order, with a reason for each position."""
