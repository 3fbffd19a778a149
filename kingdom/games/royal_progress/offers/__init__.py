"""What the order form of a seat offers, as plain data; how it is read stands in kingdom/render/order_form.py."""
