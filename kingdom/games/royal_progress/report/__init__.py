"""What players and the GM read: the report, the board, the page of the rules."""
