"""Problems: each says what is wrong at one place of a text, and how to fix it. All their sentences are here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kingdom.engine.named_tuple import NamedTuple

MANY = 100  # problems shown at once; nobody reads more
_LEAST_STEM = 3  # letters that a stem must have
HEAD = {"kingdom", "turn"}  # the keys at the head of orders
OTHER_HEAD = {  # a key that people write instead -> the key that they mean, "" for none
    "player": "kingdom",
    "seat": "kingdom",
    "round": "turn",
    "lap": "turn",
    "game": "",
    "campaign": "",
}


class Problem(NamedTuple):
    """One thing that is wrong with a file. Lines and columns count from 1; a problem of orders as a whole is at 1:1, one of
    another file or folder at 0:0.

    path: the place inside, such as `improve[1].build`, "" for the whole. hint: the nearest known word, "" if there is none.
    """

    file: str
    line: int
    column: int
    path: str
    code: str
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = f":{self.line}:{self.column}" if self.line else ""
        return f"{self.file}{place}: {self.message}"


class Faults(Exception):
    """A file can't be used; `problems` says why."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))

    def __reduce__(self) -> tuple[type[Faults], tuple[list[Problem]]]:
        """Keep the problems when the exception is passed between processes."""
        return Faults, (self.problems,)


MESSAGES: dict[str, str] = {
    # the text as a whole
    "too_big": "The file has {size} bytes; at most {most} are read. Make it shorter.",
    "encoding": "The file is not UTF-8{looks}. Save it as UTF-8.",
    "control_character": "An invisible control character (U+{number:04X}) stands here. Delete it.",
    "tab": "A tab stands here. Use spaces.",
    "empty": "The file is empty, or holds remarks alone. Write `key: value` lines.",
    "documents": "A second document begins here. A file holds one: delete the line `---` and what follows, or file that apart.",
    "too_deep": "This is nested more than {most} levels deep. No file here needs that: take brackets or indents out.",
    "more_problems": "There are {count} more problems below. Fix the ones above first.",
    # syntax
    "bracket_open": "The `{bracket}` that opens here is not closed. Close it with `{close}`.",
    "comma_missing": "A comma or the closing `{close}` is missing before this.",
    "quote_open": "The quote that opens here is not closed. Close it with `{quote}`.",
    "after_quote": "The quoted text has ended before this. Quote the whole text, and write an inner `{quote}` as `{double}`.",
    "colon_missing": "`{text}` has no colon. Write `key: value`.",
    "colon_space": "A space is missing after the colon of `{text}`. Write `key: value`.",
    "colon_twice": "A second colon in one line. Write one order a line, and put a text that holds a colon in quotes.",
    "key_missing": "A colon without a key before it. Write `key: value`.",
    "indent": "This line is indented like no line above it. Lines of one group begin in one column.",
    "stray_dash": "A dash stands here, and no list begins above it. Take the dash away.",
    "dash": "A list item can't begin in the middle of a line. Give it a line of its own, indented.",
    "odd_character": "A word can't begin with `{text}`. Put the text in quotes.",
    "misplaced": "`{text}` stands where a word is expected. Delete it, or put the text in quotes.",
    "escape": "A backslash in double quotes begins an escape that is not known here. Use single quotes.",
    "block_text": "Behind `{text}` at the start of a text nothing else may stand. Put a text that begins with it in quotes.",
    "directive": "A line that begins with `%` says nothing here. Delete it.",
    "syntax": "This can't be read here ({detail}). Write `key: value` lines.",
    "anchor": "An anchor (`&`) is not allowed. Put a text that begins with `&` in quotes.",
    "alias": "An alias (`*`) is not allowed. Write it out, or put a text that begins with `*` in quotes.",
    "tag": "A tag (`!`) is not allowed. Delete it, or put a text that begins with `!` in quotes.",
    "duplicate_key": "`{key}` stands here a second time; it stood in line {before}. Keep one.",
    "key_not_text": "A key must be a word or a text in one line.",
    # shapes
    "unknown_key": "`{word}` is not a key here.{cure}",
    "missing_key": "`{word}` is missing ({meaning}). Write it like `{word}: {example}`.",
    "not_together": "`{word}` can't stand beside `{other}`. Keep one.",
    "which": "It is not clear what this is. It needs one of the keys {keys}.",
    "not_text": "This must be a text ({meaning}), such as `{example}`.",
    "not_list": "This must be a list ({meaning}), such as `{example}`.",
    "not_map": "This must be `key: value` ({meaning}), such as `{example}`.",
    "not_number": "`{word}` is not a whole number ({meaning}). Write digits alone, such as `{example}`.",
    "not_flag": "`{word}` is neither true nor false ({meaning}). Write `true` or `false`.",
    "out_of_range": "{word} is out of range ({meaning}): {least} to {most} are allowed.",
    "unknown_word": "`{word}` is unknown here ({meaning}).{cure}",
    "not_label": "`{word}` is not a label ({meaning}).{cure}",
    "malformed": "`{word}` will not do ({meaning}). Write it like `{example}`.",
    "empty_text": "This is empty ({meaning}). Write something like `{example}`.",
    "too_long": "This has {size} characters ({meaning}); at most {most} are allowed.",
    "one_line": "This must be in one line ({meaning}).",
    "too_many": "This holds {size} ({meaning}); the most is {most}.",
    "too_few": "This holds {size} ({meaning}); the least is {least}.",
    "short_form": "`{word}` can't be read ({meaning}). Write it like `{example}`.",
    # orders
    "another_kingdom": "These are orders of `{word}`, not of `{seat}`. Write `kingdom: {seat}`, if they are meant so.",
    "wrong_turn": "These are orders for turn {word}; turn {turn} is next. Write `turn: {turn}`, if they are meant for it.",
}


def problem(
    code: str,
    file: str,
    line: int = 1,
    column: int = 1,
    /,
    path: str = "",
    hint: str = "",
    messages: Mapping[str, str] = MESSAGES,
    **facts: object,
) -> Problem:
    """Return the problem `code` with the facts filled into its sentence. A game with codes of its own passes its own `messages`."""
    return Problem(file, line, column, path, code, messages[code].format(**facts), hint)


def first_of(problems: Iterable[Problem]) -> list[Problem]:
    """Return the first problems in the order of the text, and if there are more, a last one that says how many."""
    ordered = sorted(problems, key=lambda problem: problem[:3])
    if len(ordered) <= MANY:
        return ordered
    last = ordered[MANY - 1]
    return [*ordered[:MANY], problem("more_problems", last.file, last.line, last.column, count=len(ordered) - MANY)]


def cure(word: str, choices: Iterable[str]) -> tuple[str, str]:
    """Return (a sentence that says what to write instead of `word`, with a space before it; the nearest known word or "")."""
    known = list(choices)
    of_head = word in OTHER_HEAD and set(known) >= HEAD
    near = OTHER_HEAD[word] if of_head else nearest(word, known) or by_stem(word, known)
    if of_head and not near:
        return " Leave it out.", ""
    if near:
        return f" Did you mean `{near}`?", near
    if 0 < len(known) <= 16:
        return f" Known are: {', '.join(known)}.", ""
    return "", ""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return the choice nearest in spelling, "" if none is near. A choice with only two neighbouring letters swapped comes first."""
    import difflib  # slow to load, and needed only for mistakes

    word, known = word[:60], list(choices)
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1)}
    matches = [choice for choice in known if choice in swapped] or difflib.get_close_matches(word, known, 1, 0.6)
    return matches[0] if matches else ""


def by_stem(word: str, choices: Iterable[str]) -> str:
    """Return the only choice that begins like the word without its ending: `taxation` for `tax` and `taxes`; "" for none or several."""
    for stem in (word, word[:-1], word[:-2]):
        alike = [choice for choice in choices if choice.startswith(stem)] if len(stem) >= _LEAST_STEM else []
        if alike:
            return alike[0] if len(alike) == 1 else ""
    return ""


def shown(text: str, most: int = 40) -> str:
    """Return a text as a message quotes it: in one line, shortened to `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."
