"""A search for good play: positions as whole numbers (positions.py), a beam over them (beam.py), and what comes of it (solve.py)."""
