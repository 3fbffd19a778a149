"""What a kingdom sees, remembers and may know."""
