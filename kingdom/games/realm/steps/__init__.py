"""The steps of a turn, in folders by subject; turn.py has their order, with a reason for each position."""
