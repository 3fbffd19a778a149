"""A message on its way in: taken, read, proved, understood, acted on. Start reading at taking.py."""
