"""What reports, forms and the rules page say of the game."""
