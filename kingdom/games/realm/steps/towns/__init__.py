"""Settlements: founding, building, lots, prices."""
