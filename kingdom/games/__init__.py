"""The games, a folder each, and what they share. A game is found by its folder; no module names one.

Installed packages may bring games: a folder `kingdom/games/NAME` anywhere on Python's path is one. A game may import engine, orders
and render, and of its neighbours only `kit`. Start reading at a game's game.py: its declaration.
"""

import sys
from os import path

_places = [folder for place in sys.path if path.isdir(folder := path.join(place, "kingdom", "games"))]
__path__ += [folder for folder in _places if not any(path.samefile(folder, known) for known in __path__)]
