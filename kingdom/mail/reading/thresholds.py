"""The numbers by which prose is told from orders. Each has a mail in tests/mail/thresholds.yaml that another number reads otherwise;
`scripts/try_thresholds` shows it."""

from __future__ import annotations

ALIKE = 0.8  # as difflib measures: from here on a word is taken for a misspelt one
LETTERS_OF_STEM = 3  # letters of a word that is taken for another form of a key, `tax light`
LETTERS_MISSPELT = 4  # letters of a word that is taken for a misspelt key, `clain 0910`
LETTERS_IN_PROSE = 4  # letters of a word in a sentence that is taken for another form of a key
LETTERS_OF_SLIP = 6  # letters of a misspelt command that is known without anything behind it that it takes
FIRST_WORDS = 8  # words of a piece of a sentence among which the word of an order stands
WORDS_WITHOUT_KEY = 2  # words of a line that is an order without its key; a name below orders is a signature
WORDS_OF_FREE = 3  # words behind a key whose words are free, such as `capital Oakhold`
WORDS_IN_LIST = 8  # words of a line that is an order among others that are
WORDS_STEMMED = 8  # words of an order that begins with another form of its word
WORDS_LIKE_ORDER = 12  # words of a line in a letter that is built like an order
WORDS_OF_PLACE = 5  # words of a line in a letter that only names places
WORDS_BEHIND = 8  # words behind the first one of a line that may be an order or a command
WORDS_OF_COMMAND = 3  # words of an order or a command without anything that it takes, `undo the last turn`
WORDS_OF_LEAD = 5  # words before a colon that announce what stands behind it, `Please file: farm 0403`
WORDS_LEADING = 14  # words of a line that only leads to the orders below it
WORDS_OF_NAME = 3  # words of a name in a closed list, and of a thing that is changed
WORDS_OF_REMARK = 3  # words of a remark behind a colon
WORDS_EACH_COUNTS = 2  # words of a line in which each counts as one of an order
WORDS_OF_SUBJECT = 3  # words of a subject that says something
WORDS_OF_PHONE = 12  # words of a line that a phone adds
WORDS_OF_TITLE = 8  # words of a name or a title in a signature
WORDS_BESIDE = 6  # words of a line beside a telephone number or an address in a signature
DIGITS_OF_PHONE = 7  # digits of a telephone number
WRAPPED = 40  # characters of a line from which on a mail program may have broken it
LINE_OF_SIGNATURE = 100  # characters of a line of a signature
LINES_OF_SIGNATURE = 12
LINES_OF_INTRO = 4  # lines over which a line above a quote may be broken
LINES_OF_LIST = 5  # lines below a mailing list's rule in which it says what it is
HEADERS = 3  # lines of a block of headers
HEADER = 120  # characters in which a header of a block has its date, time or address
CELLS = 2  # cells with text of a table's row that is read as a line
