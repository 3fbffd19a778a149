"""A campaign's folder and its turns: making, keeping, taking back, proving and correcting them.

May import engine, orders, render and, through the engine, the games. Start reading at next_turn.py (what a turn is made from),
then keeping.py (the one rename that keeps it) and store.py (a kept turn).
"""
