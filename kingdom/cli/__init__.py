"""The command line: the table of commands, and the modules that run them.

May import everything but the games, which it reaches through the engine. Only main.py prints or exits. Start reading at
table.py.
"""
