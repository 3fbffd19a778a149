"""What is made of kept turns: the ledger review, exports, explanations, forecasts, simulations, the chronicle.

May import every folder above it, campaign the last. Start reading at review.py.
"""
