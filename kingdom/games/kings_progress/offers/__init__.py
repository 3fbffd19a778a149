"""What a seat may order next."""
