"""What a seat may order next: offers.py lists it, order_form.py puts the form together."""
