"""Events: drawn, announced, answered, carried out. Step: events.py."""
