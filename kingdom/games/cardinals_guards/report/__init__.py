"""What players read: reports, the castle as text and as a picture, order forms, the rules."""
