"""What is a yes and what a no to a question of ours; all else is asked about."""

from __future__ import annotations

import pytest

from kingdom.mail.reading import yes_no
from kingdom.mail.reading.yes_no import NO, YES

NEITHER = ""


@pytest.mark.parametrize(
    ("line", "says"),
    [
        *((line, YES) for line in (
            "yes", "Y", "Yes.", "Yes, please!", "ok", "Okay, thanks", "No objection", "No objections from me.", "No problem, welcome!",
            "No problem at all", "Sure, why not", "Not a problem.", "I don’t mind", "That's fine with me", "Fine by me, thank you", "Go ahead!",
            "Of course", "yes yes", "Welcome!", "👍", "Yes, Eve Stone can have it", "No problem, Eve", "Sorry, yes", "Yes - welcome aboard",
        )),
        *((line, NO) for line in (
            "no", "N", "No.", "No, thanks", "no thank you", "Sorry, no.", "Nope", "Rather not", "Please don't", "Not now, sorry", "👎", "No way!",
            "No, that wasn't me",
        )),
        *((line, NEITHER) for line in (
            "", "maybe", "Yes?", "Yes or no", "Yes, but not now", "No idea who that is", "No. Problem: he was rude", "Nothing", "yesterday",
            "Now", "Not sure", "No problem? Really", "okay to ask Ada first", "Do I know her", "Yes if Ada agrees", "Yes, Ada can have it",
            "yes " * 200, "No, problem", "I do not", "normal", "ja",
        )),
    ],
)  # fmt: skip
def test_words_count_where_all_of_them_are_known(line: str, says: str) -> None:
    assert yes_no.answer(line, ["Eve Stone", "borderia"]) == says


@pytest.mark.parametrize(
    ("own", "says"),
    [
        ("Yes\n\nGwen", YES),
        ("Yes\nGwen", YES),
        ("\n\n Yes.\nbut later", YES),
        ("Yes\nbut only if Ada agrees", NEITHER),  # as a mail program breaks a line
        ("No\nproblem at all,\nwelcome!", YES),
        ("Hi Hal,\n\nNo objection.\nGwen", YES),
        ("Good morning!\nno thanks", NO),
        ("Thanks!", NEITHER),
        ("Thanks!\nWho is she", NEITHER),
        ("", NEITHER),
    ],
)
def test_the_first_line_decides_that_is_no_greeting(own: str, says: str) -> None:
    assert yes_no.answer(own, ["Hal"]) == says


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("Not", "Not welcome"), ("not Now", "not him, sure"), ("Never", "Never, fine"), ("Won’t", "Won't do it"), ("If Only", "if only, yes"),
    ],
)  # fmt: skip
def test_a_word_that_turns_what_it_stands_by_is_no_name(name: str, line: str) -> None:
    """Campaigns and newcomers are called as they like."""
    assert yes_no.answer(line, [name]) != YES and yes_no.speaks(name)
