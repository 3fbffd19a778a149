"""Bots that play a seat by what it knows."""
