"""Mail on its way out: what is said to whom, and the outbox where it waits. Start reading at letters.py."""
