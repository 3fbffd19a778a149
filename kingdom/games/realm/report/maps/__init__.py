"""The map of the realm as text and as pictures, and the districts of its settlements."""
