"""Orders by mail, reports by mail. Bytes are safe before they are understood, and what was done is in the journal."""
