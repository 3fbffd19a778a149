"""Output for people, for any game: text, charts, pictures, reports, order forms, the rules page.

May import engine and orders. Start reading at reports.py; templates.py sets up Jinja for all of them.
"""
