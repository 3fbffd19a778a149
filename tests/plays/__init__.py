"""What tests/games/test_every_game.py needs to know of a game: a module for each, with these three functions.

campaigns(folder): campaigns with orders filed, made in that folder or standing elsewhere; the more may happen in them, the better.
hidden(result, seat, rules): the same turn as if all that the seat may not know had been otherwise.
over(state): a state in which the game is over.
"""
