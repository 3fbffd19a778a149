"""The table kit: what games have in common, a module for each idea. A game takes what fits it. Pure; nothing here names a game.

May import engine, orders and render. No place to start: read the module that your game uses.
"""
