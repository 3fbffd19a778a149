"""No rival reads what looks like orders, or what is for somebody else: the letter is asked about, and nothing of the mail goes out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.kit.onemail import Mail, Table

LIKE_ORDERS = {  # what stands below a letter to Ben -> what the answer shows of it
    "in another language": ("Beanspruche 0809\nBaue Bibliothek in Harrowbridge\n", "`Beanspruche 0809`"),
    "places alone": ("0809\nlibrary Harrowbridge\n", "`library Harrowbridge`"),
    "an alternative": ("claim 0809 or 0910\n", "`claim 0809 or 0910`"),
    "a sum": ("adventurers: 6 + 2 bp to 0802\n", "`adventurers: 6 + 2 bp to 0802`"),
    "an army without its name": ("Recruit a medium warrior army in Harrowbridge\n", "`Recruit a medium warrior army"),
    "a direction": ("Explore north for 2 weeks\n", "`Explore north for 2 weeks`"),
    "as people tell it": ("Claiming 0809\nBuilding library in Harrowbridge\n", "`Claiming 0809`"),
    "commented out": ("#claim: 0809\n", "claim: 0809"),
    "JSON": ('{"claim": ["0809"], "taxation": "light"}\n', '{"claim": ["0809"]'),
    "arrows": ("→ claim 0809\n", "claim: 0809"),
    "bold": ("**Taxation**: heavy\nas I said\n", "taxation: heavy"),
    "boxes": ("[x] claim 0809\n[ ] build library in Harrowbridge\n", "build: library in Harrowbridge"),
    "a block with a wrong key": ("build:\n  - {building: library, settlement: Harrowbridge}\n", "`build: - {building"),
}
TAKEN_BACK = (
    "undo my last orders", "Please cancel my orders of last turn, thanks.", "forget what I sent", "I want to take back my orders",
    "All is well, so please ignore my previous orders.", "can you scrap everything I ordered?", "disregard my last mail", "Undo the last turn.",
    "Harvest was good.\nKindly void what I filed yesterday", "Please undo them, my last orders.", "Strike my last orders",
    "Could somebody undo what I ordered?", "I hereby revoke my orders", "I did not mean my last orders, undo them", "Don't count what I sent",
    "Undo my orders please, I meant the other hex", "My orders are cancelled.",
)  # fmt: skip
NOT_TAKEN_BACK = (
    "Forget what I said of the bridge.", "You could undo your last orders.", "My last orders were a mistake, sorry.", "I take back my words.",
    "Ignore my last letter, I was angry.", "I cancelled my orders to please you.", "Never mind.", "Forget his orders and play your game.",
    "Let us forget our orders to march on each other.", "Cancel your orders or face war.",
)  # fmt: skip
FOR_OTHERS = {
    "GM: I mean to attack him on turn 3": "gm",
    "@GM may I attack him on turn 3?": "gm",
    "(Gwen, may I attack him on turn 3?)": "gm",
    "P.S. (for the GM) I mean to attack him on turn 3": "gm",
    "Cleo: attack him on turn 3 with me": "rookhallow",
}


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    with TemporaryDirectory() as folder:
        yield Table(Path(folder) / "campaign")


@pytest.mark.parametrize("name", LIKE_ORDERS)
def test_what_looks_like_orders_goes_to_no_rival(name: str, table: Table) -> None:
    below, shown = LIKE_ORDERS[name]
    became = table.take(Mail("ada", f"to Ben\nPeace between us?\n\n{below}", answers="report"))
    assert became.code == "letter_or_orders" and not became.to("ben")
    assert shown in became.answer


def test_a_block_of_a_table_with_bars_is_filed_and_goes_to_no_rival(table: Table) -> None:
    became = table.take(Mail("ada", "to Ben\nPeace between us?\n\n| claim | 0809 |\n", answers="report"))
    assert became.filed == {"claim": ["0809"]} and "0809" not in became.read_by("ben")


@pytest.mark.parametrize("words", TAKEN_BACK)
def test_who_takes_orders_back_in_a_letter_is_asked(words: str, table: Table) -> None:
    mail = Mail("ada", f"Hello Ben,\n\nthe harvest was good here.\n\n{words}\n\nYours, Ada\n", subject="TOKEN to ben")
    became = table.take(Mail("ada", "claim: 0809\n", answers="report"), mail)
    assert became.code == "letter_or_command" and not became.to("ben")
    assert "the command `withdraw`" in became.answer and became.filed == {"claim": ["0809"]}


@pytest.mark.parametrize("words", TAKEN_BACK)
def test_who_takes_orders_back_in_words_for_the_gm_is_offered_it(words: str, table: Table) -> None:
    became = table.take(Mail("ada", f"{words.splitlines()[-1]}\n", answers="report"))
    assert "`withdraw`" in became.answer and not became.to("gm")


def test_a_command_is_offered_without_what_it_does_not_take(table: Table) -> None:
    became = table.take(Mail("ada", "to Ben\nwithdrw things now\n", answers="report"))
    assert "like the command `withdraw`." in became.answer and not became.to("ben")


@pytest.mark.parametrize("words", NOT_TAKEN_BACK)
def test_a_letter_may_speak_of_what_is_taken_back(words: str, table: Table) -> None:
    mail = Mail("ada", f"Hello Ben,\n\nthe harvest was good here.\n\n{words}\n\nYours, Ada\n", subject="TOKEN to ben")
    assert words in table.take(mail).read_by("ben")


def test_what_is_left_out_of_the_offered_orders_is_named(table: Table) -> None:
    text = "to Ben\nPeace?\n\nClaims - 0809\nBuilding - Library at Harrowbridge\n"
    became = table.take(Mail("ada", text, answers="report"))
    assert "claim: 0809" in became.answer and "`Building - Library at Harrowbridge`" in became.answer


def test_a_form_below_a_letter_is_filed_without_what_it_does_not_order(table: Table) -> None:
    form = "kingdom: harrowfen\nturn: 1\nleadership: economy\n#claim: 0808\n#improve: road 0909\nclaim: 0809\n"
    became = table.take(Mail("ada", f"to Ben\nPeace?\n\n{form}", answers="report"))
    assert became.filed == {"leadership": ["economy"], "claim": ["0809"]}
    assert "Peace?" in became.read_by("ben") and "080" not in became.read_by("ben")


@pytest.mark.parametrize(
    "who", ["GM: I lie.", "(Gwen, I lie.)", "Cleo: I lie.", "Peace. GM, I lie.", "Peace. Cleo: I lie."]
)
def test_a_reply_to_a_letter_that_turns_to_somebody_else_is_asked_about(who: str, table: Table) -> None:
    letter = Mail("ben", "to Ada\nPeace?\n", answers="report")
    became = table.take(letter, Mail("ada", f"Yes.\n\n{who}\n", answers="letter"))
    assert became.code == "letter_within" and not became.to("ben")


@pytest.mark.parametrize("text", ["to Ben: peace? to Cleo: war on Ben\n", "to Ben\nPeace. GM, may I attack him?\n"])
def test_a_sentence_for_somebody_else_goes_to_no_rival(text: str, table: Table) -> None:
    became = table.take(Mail("ada", text, answers="report"))
    assert became.code == "letter_within" and not became.to("ben")


def test_a_letter_may_speak_of_others(table: Table) -> None:
    text = "to Ben\nPeace. Cleo, by the way, is a liar. The GM said so.\nCleo, too, knows it.\n"
    assert table.take(Mail("ada", text, answers="report")).to("ben")


@pytest.mark.parametrize("line", FOR_OTHERS)
def test_a_paragraph_for_somebody_else_goes_to_no_rival(line: str, table: Table) -> None:
    became = table.take(Mail("ada", f"to Ben\nPeace between us?\n\n{line}\n", answers="report"))
    assert became.code == "letter_within" and not became.to("ben")
    reader = FOR_OTHERS[line]
    parted = table.take(Mail("ada", f"to Ben\nPeace between us?\n\nto {reader}\n{line}\n", answers="report"))
    assert "turn 3" not in parted.read_by("ben")
    assert "turn 3" in parted.read_by("gm" if reader == "gm" else "cleo")
    whole = table.take(Mail("ada", f"to orrenvale as it is\nPeace between us?\n\n{line}\n", answers="report"))
    assert line in whole.read_by("ben")


def test_a_letter_that_shows_another_one_is_asked_about(table: Table) -> None:
    text = "to Cleo\nI will write to him like this:\n\nDear Ben,\nI am your friend.\n\nAnd then we strike.\n"
    became = table.take(Mail("ada", text, answers="report"))
    assert became.code == "letter_within" and not became.to("ben")
    two = table.take(Mail("ada", "to Cleo\nPeace.\n\nDear Ben,\nI am your friend.\n", answers="report"))
    assert "your friend" in two.read_by("ben") and "your friend" not in two.read_by("cleo")


def test_an_open_letter_may_name_its_readers(table: Table) -> None:
    became = table.take(Mail("ada", "to all\nPeace.\n\nBen: no more forts.\n\nCleo, thank you.\n", answers="report"))
    assert became.to("ben") and became.to("cleo")


SHOWN = {  # what a mail shows of somebody else's letter
    "a letter pasted": "Ben wrote me this:\n\nto Cleo\nI hate Ada\n\nIs that allowed?\n",
    "one that greets": "GM, Cleo wrote me this:\n\nDear Ben,\nI hate Ada\n\nIs that allowed?\n",
    "short headers": "FYI\n\n---------- Forwarded message ---------\nFrom: Ben\nTo: Ada\n\nto Cleo\nI hate Ada\n",
    "headers alone": "FYI\n\nFrom: Ben\nTo: Cleo\nSubject: Ada\n\nI hate Ada\n",
    "nothing to be told": "tell Ben nothing about this: I hate him\n",
    "not a word": "Please tell Ben not a word of it: I hate him\n",
    "later": "Tell Ben later that I hate him.\n\nclaim 0809\n",
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_a_mail_only_shows_goes_out_under_nobodys_name(name: str, table: Table) -> None:
    became = table.take(Mail("ada", SHOWN[name], answers="report"))
    assert not became.to("ben") and not became.to("cleo")


@pytest.mark.parametrize("line", ["to Ben (private)", "to Ben only", "to Ben alone:", "To Ben privately"])
def test_a_letter_may_say_that_it_is_private(line: str, table: Table) -> None:
    became = table.take(Mail("ada", f"{line}\nPeace.\n\nclaim 0809\n", answers="report"))
    assert "Peace." in became.read_by("ben") and became.filed == {"claim": ["0809"]}


def test_an_announced_letter_of_ones_own_is_sent(table: Table) -> None:
    became = table.take(Mail("ada", "I wrote this to him:\n\nto Ben\nPeace.\n", answers="report"))
    assert "Peace." in became.read_by("ben")
    became = table.take(Mail("ada", "Please pass on this letter:\n\nDear Ben,\nPeace.\n", answers="report"))
    assert "Peace." in became.read_by("ben")


def test_an_order_behind_the_quotation_marks_of_a_letter_goes_to_no_rival(table: Table) -> None:
    became = table.take(
        Mail("ada", 'MESSAGE Ben "were they yours?" CLAIM 0809\n\nno hard feelings\n', answers="report")
    )
    assert not became.to("ben") and "claim: 0809" in became.answer


@pytest.mark.parametrize("line", ["An Cleo: attack him on turn 3 with me", "Für Cleo:\nattack him on turn 3 with me"])
def test_an_address_line_in_another_language_opens_a_letter(line: str, table: Table) -> None:
    became = table.take(Mail("ada", f"to Ben\nPeace between us?\n\n{line}\n", answers="report"))
    assert "turn 3" not in became.read_by("ben") and "turn 3" in became.read_by("cleo")
    assert "Peace" in became.read_by("ben")


@pytest.mark.parametrize(
    "text",
    ["Cleo, Ben and I agree on peace.", "Ben: no more forts.", "Cleo, thank you for Ben.", "Cleo: you know Ben."],
)
def test_an_open_letter_may_speak_of_its_readers_to_one_of_them(text: str, table: Table) -> None:
    became = table.take(Mail("ada", f"to all\nPeace.\n\n{text}\n", answers="report"))
    assert became.to("ben") and became.to("cleo")
