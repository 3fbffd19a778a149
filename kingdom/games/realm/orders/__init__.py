"""The orders of a player and the GM: what may be ordered, and a file for each order that is told once, in a class.

Those files use the steps' checks, and steps use them: the two folders lie side by side. So nothing is loaded here.
"""
