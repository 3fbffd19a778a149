"""What the order form of the realm offers, a module an idea; formpage.py puts it together."""
