"""Everything made from kept turns: the ledger review, exports, explanations, forecasts, simulations, the chronicle.

The books themselves, the ledger and its balances, are kept by kingdom/engine/ledger.py.

May import engine, orders, render and campaign, and reaches the games through the engine. Start reading at review.py.
"""
