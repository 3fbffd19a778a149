"""A search for good play: positions as whole numbers (positions.py), and a beam over them (solve.py)."""
