"""Stopping the program at any call by which it changes something: a shim in C, preloaded, and commands that run under it."""
