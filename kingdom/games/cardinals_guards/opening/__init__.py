"""The start of a campaign: its files, and the castle made from them."""
