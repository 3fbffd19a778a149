"""What a seat may order next, subject by subject; offers.py puts the list and the form together."""
