"""Reading what people typed into a mail: from its bytes to letters, orders, a command and words for a person. Nothing is decided here."""
