"""Orders by mail, reports by mail. Bytes are safe before they are understood, and what was done is in the journal.

May import engine, orders, render, campaign and books; of all folders this one alone speaks to servers. Start reading at week.py,
the weekly job; then incoming/stages.py for a message on its way in, stage by stage, and outgoing/following.py for what
waits on its way out.
"""
