"""Play-by-email turns of kingdom games: orders in, a proved ledger and reports out."""

__version__ = "0.4.0.dev0"
