"""The language of orders and tables: how texts are declared, read, checked, written, and laid over the rules.

May import engine. Start reading at schema.py (the declaration of a text) and orders_file.py (a player's text in, orders out).
"""
