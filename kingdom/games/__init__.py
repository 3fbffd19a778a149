"""The games, a folder each, and what they share. A game is found by its folder; no module names one.

A game may import engine, orders and render, and of its neighbours only `shared`. Every game has the same rooms: orders, rules, steps,
offers, visibility, report, bots, opening. Start reading at a game's turn.py: the order of its steps, each with its reason.
"""
