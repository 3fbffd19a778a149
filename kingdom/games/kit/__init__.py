"""What games have in common, a module an idea: each game takes what fits it. Pure, and nothing here names a game.

May import engine, orders and render. No place to start: read the module that your game uses.
"""
