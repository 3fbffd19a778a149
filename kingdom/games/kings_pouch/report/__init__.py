"""What players read: reports, the board as text and as a picture, order forms, the rules."""
