"""The steps of a turn, a module a subject. game.py has their order, with a reason for each position."""
