"""The games, a folder each, and what they share. A game is found by its folder; no module names one.

A game may import engine, orders and render, and of its neighbours only `shared`. Every game has the same rooms, such as
rules, orders, steps, offers and report; tests/test_architecture.py lists them.
Start reading at a game's turn.py: the order of its steps, each with its reason.
"""
