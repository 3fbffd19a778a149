"""Bots that play a seat by what it knows, and orders drawn at random for simulations."""
