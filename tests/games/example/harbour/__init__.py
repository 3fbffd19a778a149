"""Harbour: ships come in, everybody bids for one of them in secret, and the highest bid wins it."""

TITLE = "Harbour: secret bids for ships, for 2 to 4"
BOTS = ("random",)
