"""The start of a campaign: its files, a fair map, a newcomer's first orders."""
