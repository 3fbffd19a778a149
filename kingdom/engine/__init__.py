"""The turn of any game: what a game must have, the steps of a turn, its ledger and dice, the standings.

Pure: no clock, file, mail, chance or printing. It imports nothing else of the program; it finds games by their folders.
Start reading at turn.py; game.py is the contract that every game fills in.
"""
