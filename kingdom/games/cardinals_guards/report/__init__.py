"""What players and the GM read: the report, the castle drawn, the page of the rules."""
