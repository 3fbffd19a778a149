"""Expeditions, hired adventurers, and the monsters that they meet."""
