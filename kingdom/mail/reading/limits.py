"""What bounds the work on one mail. What is longer is left as it is; an honest mail comes near none of these."""

from __future__ import annotations

LINE = 400  # characters of a line that is looked at
LINE_OF_PROGRAM = 1000  # characters; a longer one is no line of a mail program's own
LINE_OF_ANSWER = 300  # characters of a line that may be a yes or a no
TEXT = 100_000  # characters of a text that is looked at for words and quotes
TEXT_OF_SENTENCES = 4000  # characters of a text in whose sentences orders are looked for
TEXT_OF_STAYING = 20_000  # characters of a mail in which the rest is said to stay
TEXT_OF_RECALL = 600  # characters of a text that asks for a mail's deletion
TEXT_OF_ABSENCE = 1500  # characters of a program's own answer in which it says that it is one
VALUE, QUOTES = 6000, 40  # characters of a quoted value, quotes in it
LINES_PARTED = 1000  # lines of a text in which letters are looked for
LINES_NEAR = 300  # lines of a text of which is told how near they are to orders; what stands below may be one
LINES_OF_LETTER = 200  # lines of a letter, and sentences, in which orders are looked for
LINES_COMPARED = 5000  # lines of a mail that are compared with ours
LINES_ADDED = 40  # lines of a paragraph that a program added
LINES_WITHOUT_KEY = 8  # lines among orders whose key is looked for
LOOSE_LINES = 40  # lines without a colon; whoever writes more writes prose
PIECES = 40  # pieces of sentences in which orders are looked for
REMARKS = 12  # places of a line at which a remark may begin
TRIES = 600  # tries to read a line of one text
WORDS_LINKED = 6  # words of an order in which `in` or `to` is missing
