"""The start of a campaign: its files, and the table made from them."""
