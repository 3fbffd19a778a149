"""What a message is answered: one mail that says all that became of it, and whose links file what they say."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kingdom.cli.main import main
from kingdom.mail.outgoing.deadlines import span_said
from kingdom.mail.tokens import turn_token
from kingdom.render.terminal import percent
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post, enclosed, html_of, later, links, long_lines, pressed, tags, text_of
from tests.kit.tiny_game import write


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return postkit.campaign(tmp_path_factory.mktemp("answers") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign")


# --- its headers


def test_an_answer_is_threaded_and_no_machine_answers_it(post: Post) -> None:
    post.mail("examplia", "taxation: light\n", References="<a@example.org> <b@example.org>")
    mail = post.answer()
    assert mail["In-Reply-To"] == "<1@mail.example.org>"
    thread, *rest = mail["References"].split()
    assert rest == ["<a@example.org>", "<b@example.org>", "<1@mail.example.org>"]
    assert thread.startswith("<turn-0003-examplia."), "all mails about a turn are one thread"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert (mail["To"], mail["Reply-To"]) == ("ada@example.org", "orders@example.org")
    assert mail["Subject"] == "[The two fords] Filed for turn 3"


def test_its_message_id_is_a_function_of_what_it_answers(made: Path, tmp_path: Path) -> None:
    ids = []
    for name in ("one", "two"):
        post = postkit.fresh(made, tmp_path / name)
        write(post.folder, "mail/key", "the same key")
        post.mail("examplia", "taxation: light\n")
        ids.append(post.answer()["Message-ID"])
        post.mail("examplia", "taxation: heavy\n")
        ids.append(post.answer()["Message-ID"])
    assert ids[0] == ids[2] != ids[1] == ids[3]


def test_it_goes_to_the_address_that_wrote(post: Post) -> None:
    post.mail("examplia", "taxation: light\n", sender="Ada at work <ada@work.example.org>")
    assert post.answer()["To"] == "ada@work.example.org"


def test_an_id_that_is_no_id_threads_nothing_and_breaks_nothing(post: Post) -> None:
    post.mail("examplia", "taxation: light\n", Message_ID="<a\x0bb@x> Bcc: all@example.org")
    assert post.answer()["In-Reply-To"] is None
    assert post.answer()["Bcc"] is None


# --- what it says of orders


def test_orders_that_were_filed(post: Post) -> None:
    fate = post.mail("examplia", "Hi,\n\n“taxation”: light\nclaim: 0102, 0404\nbuild: house in Oakhold\n")
    text = text_of(post.answer())
    assert fate.outcome == "accepted"
    receipt = re.search(r"Filed for turn 3. Receipt: ([0-9a-f]{12})\.", text)
    assert receipt and receipt[1] == post.journal.handled[next(iter(post.journal.handled))]["receipt"]
    assert text.startswith("Filed, but 1 of 4 orders would be refused as things stand.\n")
    assert "Nothing was filed before." in text
    assert "claim: 0102 0404\nbuild: house in Oakhold\ntaxation: light\n" in text
    assert "`claim: 0404`: 0404" in text and "REFUSED" in text and "claim[" not in text and "(ruling" not in text
    assert re.search(r"Cost: \d+ BP\. Treasury: \d+ before, \d+ after\.", text)
    assert re.search(r"^Loyalty +\d+ +\d+ +-2$", text, re.MULTILINE)
    assert re.search(r"The odds: Economy \d+ %, Loyalty \d+ %, Stability \d+ %\.", " ".join(text.split()))
    assert (
        "Orders for turn 3 are due on Friday 18 December 2026, 18:00 (Europe/Berlin), in 2 days 5 hours."
        in " ".join(text.split())
    )
    assert not long_lines(text)


def test_what_they_replace_is_said(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    first = re.search(r"Receipt: (\w+)", text_of(post.answer()))[1]
    post.mail("examplia", "taxation: light\n")
    assert "The same was filed already." in text_of(post.answer())
    post.mail("examplia", "taxation: heavy\n")
    assert f"They replace the orders with the receipt {first}." in text_of(post.answer())
    post.mail("examplia", "amend: true\nholiday: long\n")
    assert "They were added to the orders with the receipt" in text_of(post.answer())
    assert "taxation: heavy\nholiday: long\n" in text_of(post.answer())
    write(post.folder, "orders/0003/examplia.yaml", "kingdom: examplia\nturn: 3\n")
    post.mail("examplia", "taxation: light\n", sender="ada@work.example.org")
    assert "(put there by hand)" in " ".join(text_of(post.answer()).split())


@pytest.mark.parametrize(
    ("adds", "filed"),
    [
        ("final: true\n", {"final": True}),
        ("requests: May I court the duke's heir?\n", {"requests": ["May I court the duke's heir?"]}),
        ("messages: {borderia: Peace?}\n", {"messages": [{"to": "borderia", "text": "Peace?"}]}),
        ("loyalty: rouse_the_people\n", {"loyalty": {"rouse_the_people": ""}}),
    ],
)
def test_what_takes_nothing_away_adds_to_what_is_filed(post: Post, adds: str, filed: dict[str, Any]) -> None:
    post.mail("examplia", "taxation: light\nclaim: 0102\n")
    assert post.mail("examplia", adds).outcome == "accepted"
    assert post.filed() == {"claim": ["0102"], "edicts": {"taxation": "light"}, **filed}
    text = " ".join(text_of(post.answer()).split())
    stands = "Nothing else changes." if adds.startswith("final") else "They were added to the orders with the receipt"
    assert stands in text and "No longer ordered" not in text


def test_an_order_form_in_which_nothing_was_chosen_changes_nothing(post: Post) -> None:
    untouched = "kingdom: examplia\nturn: 3\n"
    assert post.mail("examplia", untouched, "Orders examplia 3").outcome == "accepted"
    assert post.answer()["Subject"] == "[The two fords] Filed for turn 3"
    post.mail("examplia", "taxation: light\nclaim: 0102\n")
    assert post.mail("examplia", untouched, "Orders examplia 3").outcome == "accepted"
    assert post.filed() == {"claim": ["0102"], "edicts": {"taxation": "light"}}
    answer = post.answer()
    assert answer["Subject"] == "[The two fords] Nothing changed for turn 3"
    said = " ".join(text_of(answer).split())
    assert "There is no order in your mail. What was filed before stands." in said and "line `withdraw`" in said
    post.mail("examplia", f"{untouched}amend: false\n", "Orders examplia 3")
    assert post.filed() == {} and "No longer ordered: " in text_of(post.answer())
    post.mail("examplia", "claim: 0102\n")
    post.mail("examplia", untouched, "Orders examplia 3")
    post.press(links(post.answer())["Take back what is filed"], "examplia")
    assert post.filed() is None


@pytest.mark.parametrize(
    ("said", "subject", "first"),
    [
        ("final: true", "your orders are final", "You are done for turn 3: your orders are final."),
        ("final: false", "your orders are not final", "You go on with turn 3: your orders are not final."),
    ],
)
def test_final_alone_is_answered_with_what_it_does(post: Post, said: str, subject: str, first: str) -> None:
    post.mail("examplia", "taxation: light\n")
    post.mail("examplia", f"{said}\n")
    text = text_of(post.answer())
    assert post.answer()["Subject"] == f"[The two fords] Filed for turn 3: {subject}"
    assert text.startswith(f"{first} Receipt:") and "taxation: light\n" in text
    assert f"<strong>{first}</strong>" in html_of(post.answer())
    assert "before   after" not in text and "The odds" not in text, "nothing in the sheet changed"


def test_final_beside_orders_is_said_too_and_when_the_turn_runs(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "early", CAMPAIGN.replace("grace: 1h", "grace: 1h, early: true"))
    post.mail("examplia", "taxation: light\nfinal: true\n")
    text = " ".join(text_of(post.answer()).split())
    assert text.startswith("Filed for turn 3. Receipt: ")
    assert "You are done for turn 3: your orders are final. Turn 3 is resolved as soon as everybody's orders" in text
    post.mail("examplia", "holiday: long\n")
    assert "Your orders are no longer final." in text_of(post.answer())


def test_what_an_addition_takes_the_place_of_is_said(post: Post) -> None:
    post.mail("examplia", "claim: 0102\ntaxation: light\n")
    post.mail("examplia", "amend: true\nclaim: 0103\n")
    assert text_of(post.answer()).startswith("No longer ordered: claim: 0102.\n")
    assert post.answer()["Subject"] == "[The two fords] Filed for turn 3; 1 order taken out"
    post.press(links(post.answer())["Order these as well"], "examplia")
    assert post.filed() == {"claim": ["0103", "0102"], "edicts": {"taxation": "light"}}


def test_what_was_refused_when_it_was_filed_is_nothing_that_is_lost(post: Post) -> None:
    """A town misspelt and then corrected: the misspelt order is neither told as taken out nor proposed again."""
    post.mail("examplia", "claim: 0102\nbuild: house in Oakhld\n")
    assert "but 1 of 2 orders would be refused" in text_of(post.answer())
    post.mail("examplia", "claim: 0102\nbuild: house in Oakhold\n")
    assert "No longer ordered" not in text_of(post.answer()) and "Oakhld" not in text_of(post.answer())
    assert post.answer()["Subject"] == "[The two fords] Filed for turn 3"
    post.mail("examplia", "claim: 0102\n")
    assert "No longer ordered: build: house in Oakhold." in text_of(post.answer())


def test_messages_are_put_behind_those_that_are_filed_each_once(post: Post) -> None:
    post.mail("examplia", "taxation: light\nmessages: {borderia: Peace?}\n")
    for _ in range(2):
        post.mail("examplia", "messages: {borderia: Or war?}\nfinal: true\n")
    assert [message["text"] for message in post.filed()["messages"]] == ["Peace?", "Or war?"]
    assert post.filed()["edicts"] == {"taxation": "light"}


def test_what_adds_files_alone_where_nothing_is_filed_and_replaces_where_that_is_said(post: Post) -> None:
    post.mail("examplia", "final: true\n")
    assert post.filed() == {"final": True}
    post.mail("examplia", "taxation: light\n")
    post.mail("examplia", "amend: false\nfinal: true\n")
    assert "edicts" not in post.filed()


def test_what_the_gm_tells_adds_to_the_gms_orders(post: Post) -> None:
    post.mail("gm", "gm:\n- {grant: examplia, account: treasury, by: 5, reason: a gift}\n", "Orders gm 3")
    assert post.mail("gm", "tell: {examplia: The heir smiles.}\n", "Orders gm 3").outcome == "accepted"
    assert set(post.filed("gm")) == {"gm", "tell"}


def test_a_ruling_that_takes_the_place_of_what_the_gm_tells_says_whom_and_one_tap_brings_it_back(post: Post) -> None:
    post.mail("gm", "tell: {examplia: The heir smiles.}\n", "Orders gm 3")
    grant = "gm:\n- {grant: examplia, account: treasury, by: 5, reason: a gift}\n"
    post.mail("gm", grant, "Orders gm 3")
    text = " ".join(text_of(post.answer()).split())
    assert text.startswith("No longer ordered: your words to Ada (Examplia): 'The heir smiles.'.")
    assert "amend" not in text and "A mail with nothing but `tell` is added to it." in text
    assert post.press(links(post.answer())["Order these as well"], "gm").outcome == "accepted"
    assert set(post.filed("gm")) == {"gm", "tell"}
    assert "To order these as well" not in text_of(post.answer())


def test_an_answer_begins_with_what_new_orders_took_away_and_one_tap_brings_it_back(post: Post) -> None:
    post.mail("examplia", "claim: 0102 0103\ntaxation: light\nholiday: long\nfinal: true\n")
    post.mail("examplia", "claim: 0103 0201\nholiday: short\n")
    text = text_of(post.answer())
    assert text.startswith("No longer ordered: claim: 0102, taxation: light.\nYour orders are no longer final.\n")
    assert "To order these as well, reply with these lines above the quote." in " ".join(text.split())
    assert post.answer()["Subject"].endswith("; 2 orders taken out")
    assert post.press(links(post.answer())["Order these as well"], "examplia").outcome == "accepted"
    assert post.filed() == {
        "claim": ["0103", "0201", "0102"],
        "edicts": {"holiday": "short", "taxation": "light"},
        "final": True,
    }


def test_orders_with_problems_show_each_line_and_its_cure(post: Post) -> None:
    post.mail("examplia", "taxation: light\n")
    stands = re.search(r"Receipt: (\w+)", text_of(post.answer()))[1]
    fate = post.mail("examplia", "clam: 0102\nbuild: hose in Oakhold\n")
    text = text_of(post.answer())
    assert fate.outcome == "refused" and post.filed() == {"edicts": {"taxation": "light"}}
    assert "Not filed. There are 2 problems in the orders" in text
    assert f"What was filed for turn 3 before stands: receipt {stands}." in text
    assert "line 1, column 1: `clam` is no order. Did you mean `claim`?\n    clam: 0102\n    ^\n" in text
    assert "    build: hose in Oakhold\n           ^\n" in text
    to, subject, body = pressed(links(post.answer())["Send them corrected"])
    assert body == "claim: 0102\nbuild: house in Oakhold\n"
    assert post.press(links(post.answer())["Send them corrected"], "examplia").outcome == "accepted"


def test_a_sentence_among_the_orders_is_sent_apart(post: Post) -> None:
    fate = post.mail("examplia", "taxation: light\nWhere is this ford that they all talk of?\n")
    cure = "If it is a sentence, send it in a mail of its own."
    assert fate.outcome == "refused" and cure in " ".join(text_of(post.answer()).split())
    post.mail("examplia", "taxation: light\nclaim 0405 0406\n")
    assert cure not in " ".join(text_of(post.answer()).split())
    assert post.mail("examplia", "Where is this ford that they all talk of?\n").outcome == "accepted"


def test_a_problem_at_the_end_of_a_long_line_is_shown(post: Post) -> None:
    post.mail("examplia", "claim: " + ", ".join(["0102"] * 40) + ", 9x99\n")
    text = text_of(post.answer())
    shown, mark = text.split("9x99\n")[-2:][0].split("\n")[-1], text.split("9x99\n")[-1].split("\n")[0]
    assert len(mark) == len(shown) + 1 and not long_lines(text)


def test_orders_for_a_later_turn_are_kept_and_not_foreseen(post: Post) -> None:
    post.mail("examplia", "taxation: light\n", "Orders examplia 5")
    text = text_of(post.answer())
    assert "Filed for turn 5." in text and "What becomes of them will be seen when their turn is next." in text
    assert "THE ODDS" not in text.upper().split("WHAT BECOMES")[1].split("TO CHANGE")[0]


def test_a_late_one_says_when_it_came(post: Post) -> None:
    post.now = postkit.at("2026-12-18T20:00")
    post.mail("examplia", "taxation: light\n")
    text = " ".join(text_of(post.answer()).split())
    assert "Not filed." in text and "after the deadline" in text
    assert "Orders for turn 3 were due on Friday 18 December 2026, 18:00 (Europe/Berlin), 3 hours ago." in text
    assert post.filed() is None


def test_the_gm_s_orders_are_answered_with_what_they_change(post: Post) -> None:
    fate = post.mail("gm", 'gm: [{grant: examplia, account: treasury, by: 5, reason: "a gift"}]\n')
    text = text_of(post.answer())
    assert fate.outcome == "accepted"
    assert "WHAT THEY MAKE OF ADA (EXAMPLIA)" in text and re.search(r"^Treasury +\d+ +\d+ +\+5$", text, re.MULTILINE)
    assert "BORDERIA" not in text


def test_what_a_turn_brings_anyway_is_no_doing_of_the_gm_s_orders(post: Post) -> None:
    """A player's table stands beside today; the GM's beside the turn without these orders."""
    post.mail("gm", 'tell: [{to: examplia, text: "Winter comes."}]\n')
    assert "WHAT THEY MAKE OF" not in text_of(post.answer())
    post.mail("gm", 'gm: [{grant: examplia, account: unrest, by: 3, reason: "a riot"}]\n')
    said = text_of(post.answer())
    table = said.partition("WHAT THEY MAKE OF ADA (EXAMPLIA)")[2].partition("To change them")[0]
    assert "Beside the turn without them, and before any die is thrown." in table and re.search(
        r"^Unrest +\d+ +\d+ +\+3$", table, re.MULTILINE
    )
    assert "Events" not in table and "WHAT THEY MAKE OF" not in table


def test_a_campaign_without_a_deadline_names_none(made: Path, tmp_path: Path) -> None:
    without = "\n".join(line for line in CAMPAIGN.splitlines() if not line.startswith("calendar")) + "\n"
    post = postkit.fresh(made, tmp_path / "campaign", without)
    post.mail("examplia", "taxation: light\n")
    assert "due" not in text_of(post.answer())


# --- its links


def test_filed_orders_can_be_sent_again_by_a_tap_and_are_the_same(post: Post) -> None:
    post.mail(
        "examplia",
        "taxation: light\nclaim: 0102\nbuild: house in Oakhold\nrequests: I court the duke's heir & daughter\n",
    )
    before = post.filed()
    fate = post.press(links(post.answer())["Change them and send them again"], "examplia")
    assert fate.outcome == "accepted" and post.filed() == before
    assert "The same was filed already." in text_of(post.answer())


@pytest.mark.parametrize(
    "quote",
    [
        "> claim: 0102\n> taxation: light\n",
        "> YOUR ORDERS AS THEY WERE READ\n>\n> claim: 0102\n> taxation: light\n>\n> The odds: none.\n",
    ],
)
def test_orders_in_quoted_text_alone_come_back_as_a_link(post: Post, quote: str) -> None:
    fate = post.mail(
        "examplia", f"Thanks!\n\nOn Fri, 20 Nov 2026 at 10:00, The GM <orders@example.org> wrote:\n{quote}"
    )
    assert (fate.outcome, fate.code) == ("refused", "only_quoted")
    assert "reply with these lines above the quote.\n\nclaim: 0102\ntaxation: light\n" in text_of(post.answer())
    fate = post.press(links(post.answer())["File the quoted orders"], "examplia")
    assert fate.outcome == "accepted"
    assert post.filed() == {"claim": ["0102"], "edicts": {"taxation": "light"}}


def test_orders_too_long_for_a_link_have_none(post: Post) -> None:
    post.mail("examplia", "taxation: light\nrequests: " + "I ask for this. " * 150 + "\n")
    assert "Change them and send them again" not in links(post.answer())


def test_what_is_asked_can_be_answered_by_a_tap(post: Post) -> None:
    """A request that the GM grants by a rule that asks: here the state is made to ask, as a campaign of many turns would."""
    from kingdom.mail.outgoing import outlook

    sheet = {"pending": [{"key": "lose_hex", "question": "Which hex?", "choices": ["0202", "0203"], "default": "0202"}]}
    (one,) = outlook.asked(post.campaign, "examplia", 3, sheet)
    post.mail("examplia", "taxation: light\n")
    fate = post.press(one["choices"][1]["to"], "examplia")
    assert fate.outcome == "accepted"
    assert post.filed() == {"edicts": {"taxation": "light"}, "answers": {"lose_hex": "0203"}}
    assert outlook.asked(post.campaign, "examplia", 3, sheet, {"answers": {"lose_hex": "0203"}}) == []


@pytest.fixture(scope="module")
def feud(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign a turn later, when two houses of Oakhold are at feud: turn 4 may hire adventurers against it."""
    folder = tmp_path_factory.mktemp("feud") / "campaign"
    shutil.copytree(made, folder)
    order = "turn: 3\ngm: [{event: feud, to: examplia, in: Oakhold, reason: two houses}]\n"
    write(folder, "orders/0003/gm.yaml", order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        assert main(["turn", "--yes", str(folder)]) == 0
    return folder


@pytest.fixture
def asked(feud: Path, tmp_path: Path) -> Post:
    """That campaign, a week later."""
    post = postkit.fresh(feud, tmp_path / "campaign")
    post.now = postkit.at("2026-12-20T12:00")
    return post


def test_an_answer_that_needs_a_figure_is_offered_with_each(asked: Post) -> None:
    asked.mail("examplia", "taxation: light\n", "Re: Orders examplia 4")
    mail = asked.answer()
    offered = {name: to for name, to in links(mail).items() if name.startswith("Answer")}
    assert list(offered) == ["Answer none", "Answer adventurers 4", "Answer adventurers 8", "Answer adventurers 16"]
    assert (
        "To answer adventurers 4, reply with these lines above the quote.\n\namend: true\nanswers: {feud-1: {adventurers: 4}}\n"
        in text_of(mail)
    )
    for name, to in offered.items():
        asked.press(to, "examplia")
        assert "REFUSED" not in text_of(asked.answer()) and "STILL TO BE" not in text_of(asked.answer()), name
    assert asked.filed(turn=4) == {"edicts": {"taxation": "light"}, "answers": {"feud-1": {"adventurers": 16}}}


def test_the_cost_counts_what_answers_cost(asked: Post) -> None:
    asked.mail("examplia", "answers: {feud-1: {adventurers: 8}}\n", "Re: Orders examplia 4")
    text = " ".join(text_of(asked.answer()).replace("\u00a0", " ").split())
    cost, before, after = map(int, re.search(r"Cost: (\d+) BP\. Treasury: (\d+) before, (\d+) after", text).groups())
    assert cost == 8 == before - after


def test_an_answer_that_is_none_is_told_with_one_that_counts(asked: Post) -> None:
    asked.mail("examplia", "answers: {feud-1: adventurers}\n", "Re: Orders examplia 4")
    text = text_of(asked.answer())
    said = " ".join(text.split())
    assert "Your answer to Feud in Oakhold: say `none` or `{adventurers: 4}` or" in said
    assert "As it stands, none is taken." in said and "answers.feud-1" not in said and "STILL TO BE ANSWERED" in text
    cure = re.search(r"for example `(answers: .*?)`\.", said)[1]
    asked.mail("examplia", f"{cure}\n", "Re: Orders examplia 4")
    assert "REFUSED" not in text_of(asked.answer())


def test_an_answer_that_the_orders_leave_no_means_for_is_not_offered(asked: Post) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kingdom.games.realm.steps.events.scene.affordable", lambda kingdom, cost: cost <= 8)
        asked.mail("examplia", "holiday: long\n", "Re: Orders examplia 4")
    names = [name for name in links(asked.answer()) if name.startswith("Answer")]
    assert names == ["Answer none", "Answer adventurers 4", "Answer adventurers 8"]


# --- what else can be asked

WRONG = {  # subject -> what the answer names as right
    "report 9": "`report 2`", "report x": "`report 2`", "away": None, "away x": "`away 2`", "away 99": "`away 2`", "to nobody": "`to gm`",
    "to": "`to gm`", "to examplia": "`to gm`", "status now": "`status`", "form 3": "`form`", "rules all": "`rules`", "resign now": "`resign`",
    "extend 2d": "`help`", "hold": "`help`", "release": "`help`",
}  # fmt: skip


@pytest.mark.parametrize("subject", WRONG)
def test_a_wrong_argument_is_refused_with_the_right_form(post: Post, subject: str) -> None:
    fate = post.mail("examplia", "Hello there.\n", subject)
    text = text_of(post.answer())
    if WRONG[subject] is None:
        assert fate.outcome == "accepted"
        return
    assert fate.outcome == "refused" and "Not done." in text and WRONG[subject] in text
    assert post.filed() is None and not post.journal.away and not post.journal.resigned and not post.journal.put_off


@pytest.mark.parametrize(
    ("subject", "right"),
    [
        ("extend 2", "`extend 2d`"),
        ("extend", "`extend 2d`"),
        ("extend 0d", "`extend 2d`"),
        ("form", "`help`"),
        ("away 2", "`help`"),
    ],
)
def test_a_gm_s_wrong_argument_too(post: Post, subject: str, right: str) -> None:
    fate = post.mail("gm", "", subject)
    assert fate.outcome == "refused" and right in text_of(post.answer())
    assert not post.journal.put_off


def test_status(post: Post) -> None:
    post.mail("borderia", "taxation: heavy\n")
    post.mail("examplia", "", "status")
    text = text_of(post.answer())
    assert "turn 3 is next" in text and "Friday 18 December 2026" in text
    assert text.endswith("\nBo (Borderia)        filed\nAda (Examplia), you  nothing filed yet\n")
    assert "heavy" not in text and post.filed("borderia") and "receipt" not in text


def test_status_shows_ones_own_receipt_final_and_what_would_be_refused(asked: Post) -> None:
    asked.mail("examplia", "claim: 0404\nfinal: true\n", "Re: Orders examplia 4")
    receipt = re.search(r"Receipt: (\w+)", text_of(asked.answer()))[1]
    asked.mail("examplia", "", "status")
    text = " ".join(text_of(asked.answer()).split())
    assert f"Ada (Examplia), you filed and final, receipt {receipt}" in text
    assert "Would be refused: `claim: 0404`: 0404" in text and "(ruling" not in text
    assert "Still to be answered: Feud in Oakhold" in text and "Without an answer: none." in text
    asked.mail("borderia", "", "status")
    said = " ".join(text_of(asked.answer()).split())
    assert "Ada (Examplia) filed" in said and receipt not in said and "final" not in said and "refused" not in said
    asked.mail("gm", "", "status")
    said = " ".join(text_of(asked.answer()).split())
    assert f"Ada (Examplia) filed and final, receipt {receipt} would be refused: `claim: 0404`: 0404" in said


def test_status_tells_the_gm_what_strangers_wrote(post: Post) -> None:
    post.mail("eve@evil.example", "claim: 0102\n", "hello [none1]")
    post.mail("gm", "", "status")
    assert "1 mail came from strangers" in text_of(post.answer())
    post.mail("examplia", "", "status")
    assert "stranger" not in text_of(post.answer())


def test_report_form_and_rules_come_as_files(post: Post) -> None:
    post.mail("examplia", "", "report 1")
    assert set(enclosed(post.answer())) == {"examplia-0001.txt", "examplia-0001.html", "record.json"}
    post.mail("examplia", "", "report")
    assert set(enclosed(post.answer())) == {"examplia-0002.txt", "examplia-0002.html", "record.json"}
    post.mail("examplia", "", "rules")
    assert set(enclosed(post.answer())) == {"rules.html"}, "a page for people, and no file for editors"
    page = enclosed(post.answer())["rules.html"].decode()
    assert '<a href="#upkeep-phase">Upkeep phase</a>' in page and '<h3 id="control_dc">' in page
    assert '<a href="#control_dc">' in page and ".md" not in page
    post.mail("examplia", "", "Schema")
    schema = json.loads(enclosed(post.answer())["orders.schema.json"])
    assert "claim" in str(schema) and "$schema=orders.schema.json" in text_of(post.answer())
    post.mail("examplia", "", "form")
    form = enclosed(post.answer())["orders-0003.txt"].decode().replace("\r\n", "\n")
    assert form in text_of(post.answer()) and form.startswith("kingdom: examplia\nturn: 3\n")
    page = enclosed(post.answer())["form-0003.html"].decode()
    assert (
        page.startswith("<!DOCTYPE html>") and f"Orders examplia 3 [{turn_token(post.campaign, 'examplia', 3)}]" in page
    ), "it sends them under the right subject"
    assert post.mail("examplia", form).outcome == "accepted"
    post.mail("gm", "", "report")
    assert set(enclosed(post.answer())) == {"gm-0002.html"}


def test_the_form_is_the_one_of_the_report(post: Post) -> None:
    post.mail("examplia", "", "form")
    assert text_of(post.answer()).split("\n\n")[1] in (post.folder / "turns/0002/reports/examplia.txt").read_text()


def test_help_lists_what_can_be_asked_and_its_links_ask_it(post: Post) -> None:
    post.mail("examplia", "", "help")
    mail = post.answer()
    assert "away N" in text_of(mail) and "extend" not in text_of(mail) and not long_lines(text_of(mail))
    for name, link in links(mail).items():
        text = "Shall we talk?" if name.startswith("to ") else ""  # what a letter says is the player's to write
        assert post.press(link, "examplia", text).outcome == "accepted", name
    post.mail("gm", "", "help")
    assert "extend 2d" in text_of(post.answer()) and "away" not in text_of(post.answer())


def test_away_and_resign_are_noted(post: Post) -> None:
    post.mail("examplia", "", "away 2")
    assert "for turns 3 to 4" in text_of(post.answer())
    assert post.journal.away == {"examplia": (3, 4)}
    post.mail("borderia", "", "resign")
    assert post.journal.resigned == {"borderia": 3}
    post.mail("gm", "", "status")
    assert "Bo (Borderia)   nothing filed yet, gave up the seat" in text_of(post.answer())


def test_the_gm_puts_a_deadline_off_holds_and_releases(post: Post) -> None:
    post.mail("gm", "", "extend 2d")
    post.mail("examplia", "taxation: light\n")
    assert "Sunday 20 December 2026, 18:00" in text_of(post.answer())
    post.mail("gm", "", "hold")
    assert post.journal.held == 3
    post.mail("gm", "", "release")
    assert post.journal.held == 0


# --- messages between players


def test_a_message_goes_on_at_once_and_shows_no_address(post: Post) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n-- \nAda\n", "to borderia")
    (to_bo,) = [mail for mail in post.new() if mail["To"] == "bo@example.org"]
    assert "Ada (Examplia) writes to you:\n\nShall we talk of the ford?" in text_of(to_bo)
    assert to_bo["Subject"] == "[The two fords] Letter from Ada (Examplia)"
    assert to_bo["From"].addresses[0].display_name == "Ada (Examplia) via The two fords"
    assert to_bo["Reply-To"] == "orders@example.org"
    assert "ada@" not in to_bo.as_string() and "k7f3q" not in to_bo.as_string()
    to, subject, _ = pressed(links(to_bo)["Answer Ada (Examplia)"])
    assert (to, subject.partition(" [")[0]) == ("orders@example.org", "to examplia")
    assert post.mail("borderia", "At dawn.\n", subject).outcome == "accepted"
    assert any("At dawn." in text_of(mail) for mail in post.new() if mail["To"] == "ada@example.org")


def test_a_message_to_all_reaches_all_but_its_writer(post: Post) -> None:
    post.mail("gm", "Winter comes.\n", "to all")
    assert {mail["To"] for mail in post.new()} == {"gm@example.org", "ada@example.org", "bo@example.org"}
    post.mail("borderia", "Peace!\n", "to all")
    assert {mail["To"] for mail in post.new()} == {"ada@example.org", "bo@example.org"}


def test_without_messages_only_the_gm_can_be_written_to(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "campaign", CAMPAIGN + "messages: off\n")
    assert post.mail("examplia", "Hello\n", "to borderia").code == "no_messages"
    assert post.mail("examplia", "Hello\n", "to gm").outcome == "accepted"
    assert post.mail("examplia", "\n", "to gm").code == "no_message_text"


def test_a_token_in_a_message_does_not_go_on(post: Post) -> None:
    post.mail("examplia", "My word is k7f3q, keep it.\n", "to borderia")
    assert any("My word is [...], keep it." in text_of(mail) for mail in post.new() if mail["To"] == "bo@example.org")


# --- what is not proved


def test_proof_that_fails_is_told_in_one_line(post: Post) -> None:
    fate = post.mail("examplia", "taxation: light\nclaim: 0102\n", token="wrong1")
    text = text_of(post.answer())
    assert fate.code == "wrong_token" and post.filed() is None
    assert len(text.strip().split("\n\n")) == 1 and "taxation" not in text and "Treasury" not in text


def test_a_token_from_a_strange_address_is_told_to_the_player_once(post: Post) -> None:
    post.mail("eve@evil.example", "taxation: light\n", "Orders examplia 3 [k7f3q]")
    (mail,) = post.new()
    said = " ".join(text_of(mail).split())
    assert mail["To"] == "ada@example.org" and mail["Subject"] == "[The two fords] A mail with your token did nothing"
    assert (
        "from e…@evil.example, which is not on your list of addresses" in said
        and "send it from ada@example.org" in said
    )
    post.mail("eve@evil.example", "taxation: heavy\n", "Orders examplia 3 [k7f3q]")
    assert post.new() == []


def test_the_answer_says_when_the_letters_in_orders_go_out_and_how_to_write_at_once(post: Post) -> None:
    post.mail("examplia", "messages: {Bo: Peace it is., all: Peace to all.}\n")
    said = " ".join(text_of(post.answer()).split())
    assert (
        "Your 2 letters go out with the reports of turn 3. To write at once, reply with the line `to borderia`" in said
    )
    post.mail("examplia", "taxation: light\namend: false\n")
    assert "go out with the reports" not in text_of(post.answer())


def test_who_answers_a_mail_that_was_passed_on_is_told_so_and_can_answer_that(post: Post) -> None:
    post.mail("examplia", "", "status")
    passed_on = {"In-Reply-To": str(post.answer()["Message-ID"])}
    mails = []
    for _ in range(2):
        fate = post.mail("examplia", "taxation: heavy\n", "Re: Status", "bo@example.org", "none", **passed_on)
        assert fate.code == "unlisted_address" and post.filed() is None
        mails += post.new()
    told = {str(mail["To"]): mail for mail in mails}
    assert len(told) == len(mails) == 2, "each once"
    assert "from b…@example.org" in " ".join(text_of(told["ada@example.org"]).split())
    said = " ".join(text_of(told["bo@example.org"]).split())
    assert (
        said.startswith("Your mail `Status` that came on") and "it answers a mail that went to another player" in said
    )
    answer = {"In-Reply-To": str(told["bo@example.org"]["Message-ID"])}
    assert post.mail("borderia", "taxation: light\n", "Re: A mail", token="none", **answer).outcome == "accepted"
    assert post.filed("borderia") == {"edicts": {"taxation": "light"}}


def test_an_unproved_letter_goes_to_nobody_and_its_writer_hears_which_mail_it_was(post: Post) -> None:
    post.mail("examplia", "My secret plan.\n", "to Bo", token="none1")
    (warned,) = post.new()
    said = " ".join(text_of(warned).split())
    assert warned["To"] == "ada@example.org" and said.startswith("Your mail `to Bo` that came on")
    answer = {"In-Reply-To": str(warned["Message-ID"])}
    fate = post.mail("examplia", "to Bo\nMy secret plan.\n", "Re: A mail", token="none1", **answer)
    assert fate.outcome == "accepted" and {str(mail["To"]) for mail in post.new()} == {
        "ada@example.org",
        "bo@example.org",
    }


@pytest.mark.parametrize("head", [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"Return_Path": "<>"}])
def test_a_machine_is_never_answered(post: Post, head: dict[str, str]) -> None:
    assert post.mail("examplia", "taxation: light\n", **head).outcome == "ignored"
    assert post.new() == []


# --- what stands in journal and log


def test_journal_and_log_hold_no_token(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    post.mail("examplia", "taxation: light\n", "Orders examplia 3 [k7f3q] and k7f3q again")
    post.mail("examplia", "taxation: light\n", "Orders examplia 3 [k7f4q]")
    post.mail("eve@evil.example", "x\n", "Orders examplia 3 [k7f3q]")
    capsys.readouterr()
    assert main(["mail", "log", str(post.folder)]) == 0
    said = capsys.readouterr().out + (post.folder / "mail/journal.jsonl").read_text()
    assert "k7f3q" not in said and "k7f4q" not in said
    assert "Orders examplia 3 [...]" in said


# --- small things


def test_how_long_that_is() -> None:
    assert span_said(later(days=2, hours=3, minutes=4)) == "in 2 days 3 hours"
    assert span_said(later(minutes=1)) == "in 1 minute"
    assert span_said(-later(hours=40)) == "1 day 16 hours ago"
    assert span_said(later(seconds=5)) == "in less than a minute"


def test_no_chance_is_rounded_to_a_certainty() -> None:
    assert [percent(chance) for chance in (0, 0.001, 0.45, 0.999, 1)] == [
        "0 %",
        "under 1 %",
        "45 %",
        "over 99 %",
        "100 %",
    ]


def test_markup_in_orders_is_text_in_the_answer(post: Post) -> None:
    post.mail("examplia", 'requests: "<script>alert(1)</script> <img src=x onerror=y>"\n')
    assert "<script>" in text_of(post.answer())
    assert not {"script", "img"} & tags(post.answer()) and "&lt;script&gt;" in html_of(post.answer())


def test_what_differs_in_a_sheet_is_told_without_the_names_of_fields(post: Post) -> None:
    post.mail("examplia", "explore: from Oakhold for 2 weeks toward n\nclaim: 0102\nbuild: house in Oakhold\n")
    sheet = text_of(post.answer()).partition("WHAT THEY MAKE OF YOUR SHEET")[2].partition("The odds: ")[0]
    assert "Under way explore-1: new, home " in sheet and "turns left 2" in sheet
    assert not re.search(r"[a-z]_[a-z]|\d\.0\b", sheet)
