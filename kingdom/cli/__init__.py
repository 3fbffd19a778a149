"""The command line: the table of what can be typed, and a module a command.

May import everything. main.py alone prints or exits. Start reading at table.py.
"""
