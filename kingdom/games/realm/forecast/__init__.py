"""What the dice may make of a kingdom: exactly over every face for the next turn, and by samples over several turns."""
