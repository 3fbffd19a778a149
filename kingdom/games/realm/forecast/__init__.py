"""How the dice may change a kingdom: exactly, over every face, for the next turn, and by samples over several turns."""
