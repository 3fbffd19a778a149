"""The command line: the table of what can be typed, and a module a command.

May import everything but the games, which it reaches through the engine. main.py alone prints or exits. Start reading at table.py.
"""
