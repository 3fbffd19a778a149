"""What seats are told: reports, board, order form, rules."""
