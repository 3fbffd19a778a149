"""Words that may be an order or a command go to nobody before their writer says so; honest letters go at once."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from kingdom.campaign.campaign import Campaign
from kingdom.cli import table
from kingdom.engine.dice import GM
from kingdom.mail import headers as reading
from kingdom.mail.incoming import stages
from kingdom.mail.incoming.forwarding import ForGm, Letters, ToAsker
from kingdom.mail.incoming.outcome import Case, Message
from kingdom.mail.reading import order_lines, slips, subjects, terms
from kingdom.mail.records import Headers
from kingdom.orders import orders_file
from kingdom.orders.schema import (
    Choice,
    Either,
    Flag,
    Id,
    Label,
    ListOf,
    MapOf,
    Number,
    OneOf,
    Record,
    Short,
    Text,
    Word,
)
from tests.kit import postkit
from tests.kit.postkit import ADDRESSES, Post, links, text_of
from tests.mail.test_letters import reply, to

LETTERS = [
    (who, text)
    for who, texts in yaml.load(
        (Path(__file__).parent / "corpus/letters/to_people.yaml").read_bytes(), yaml.BaseLoader
    ).items()
    for text in texts
]
MOST_ASKED = 0.02  # of honest letters
EXAMPLES = {"KINGDOM": "examplia", "EMAIL": "dora@example.org", "ACCOUNT": "treasury", "ORDERS": "gm.yaml", "DIR": "books/", "FILE": "a.csv",
            "MESSAGE": "3f2a", "K": "examplia", "N": "1", "KEY": "3f2a9c", "SHELL": "bash"}  # fmt: skip


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        return postkit.campaign(tmp_path_factory.mktemp("attempts") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign")


# --- honest letters


def slipped(campaign: Campaign, seat: str, text: str) -> slips.Slip | None:
    """What of a letter from that seat to another player is asked about."""
    keys, reads = order_lines.keys_of(campaign), order_lines.reader(campaign)
    return slips.slip_in(text, keys, reads, cache(lambda: terms.terms_of(campaign, seat)), True)


def test_honest_letters_are_hardly_ever_asked_about(post: Post) -> None:
    assert len(LETTERS) >= 300
    players = [text for who, text in LETTERS if who != "gm"]
    asked = [text for text in players if slipped(post.campaign, "borderia", text)]
    asked += [text for who, text in LETTERS if who == "gm" and slipped(post.campaign, GM, text)]
    assert len(asked) <= MOST_ASKED * len(LETTERS), asked


def test_honest_letters_would_hardly_ever_be_asked_about_if_the_gm_wrote_them(post: Post) -> None:
    asked = [text for _, text in LETTERS if slipped(post.campaign, GM, text)]
    assert len(asked) <= MOST_ASKED * len(LETTERS), asked


# --- lines like orders and commands, made of the program's own tables


def typed_commands() -> list[str]:
    """Every command of the command line, with what it needs."""
    lines = []
    for name, command in table.COMMANDS.items():
        needed = [EXAMPLES[one.settings.get("metavar", "")] for one in command.arguments if is_needed(one)]
        lines += [f"{name} {' '.join(needed)}".strip()]
    return lines


def is_needed(argument: table.Argument) -> bool:
    """Whether a command does nothing without it; the campaign's folder is found by itself."""
    if argument is table.CAMPAIGN or argument is table.CAMPAIGNS or argument.settings.get("nargs") in ("?", "*"):
        return False
    return bool(argument.settings.get("required")) or not argument.names[0].startswith("-")


def mailed_commands(seat: str) -> list[str]:
    """Every command that the seat may mail, with what it takes."""
    takes = {"report": ["", " 1", " again"], "withdraw": ["", " 3"], "away": [" 2", " until Friday"], "run": [" it"],
             "extend": [" 2d", " two days", " until Friday", " back"], "skip": [" borderia"], "accept": [" 1", " 1 for borderia"],
             "invite": [" borderia dora@example.org"]}  # fmt: skip
    words = [word for word in subjects.COMMANDS if word != "to" and (seat == GM or word not in subjects.GMS)]
    return [f"{word}{behind}" for word in words for behind in takes.get(word, [""])]


def example(shape: Any, names: Mapping[str, Any]) -> Any:
    """A value of a shape, in the long form, as its declaration gives it for an example."""
    match shape:
        case Word():
            of = list(names.get(shape.of, ())) if isinstance(shape.of, str) else list(shape.of)
            return shape.example if shape.example in of else (of or list(shape.also))[0]
        case Text() | Number() | Id() | Label():
            return shape.example
        case Flag():
            return True
        case ListOf():
            return [example(shape.of, names)]
        case Record():
            return {key: example(shape.keys[key], names) for key in shape.required or shape.keys}
        case OneOf():
            return example(next(iter(shape.cases.values())), names)
        case MapOf():
            return {example(shape.key, names): example(shape.of, names)}
        case Choice():
            return next(iter(shape.cases))
        case Either():
            return example(shape.shapes[-1], names)
        case Short():
            return "claim 0404"
    return "x"


def players_orders(campaign: Campaign) -> Iterator[str]:
    """Every key of a player's orders and every short form, each with its examples, with and without its colon."""
    declared = orders_file.declared(campaign.game, None)
    names = order_names(campaign)
    for key, shape in declared.keys.items():
        if key in ("kingdom", "turn", "token", "requests"):  # the last has words for the GM behind it
            continue
        cases = shape.of.cases if isinstance(shape, ListOf) and isinstance(shape.of, OneOf) else {}
        by = shape.of.by if cases else ""
        values = [[{**({by: case} if by else {}), **example(record, names)}] for case, record in cases.items()]
        for value in values or [example(shape, names)]:
            for line in orders_file.write_short({key: value}, campaign.game).splitlines()[:1]:
                if not line.endswith(":"):
                    yield line
                    yield re.sub(r": ?", " ", line, count=1)
                    item = line.partition(": ")[2]
                    if item.split(" ")[0] in cases:
                        yield item


def gms_orders(campaign: Campaign) -> Iterator[str]:
    """Every ruling of the GM's: as YAML, without braces, in plain words."""
    names, shape = order_names(campaign), orders_file.declared(campaign.game, GM).keys["gm"]
    assert isinstance(shape, ListOf) and isinstance(shape.of, OneOf)
    for case, record in shape.of.cases.items():
        whole = example(record, names)
        if any(isinstance(value, dict) for value in whole.values()):
            yield f"{case}: {{x: y}}"
            continue
        inner = ", ".join(f"{key}: {value}" for key, value in whole.items())
        yield from (inner, f"{{{inner}}}", f"- {{{inner}}}", inner.rpartition(", reason")[0] or inner)
        yield " ".join(str(value) if at else f"{case} {value}" for at, value in enumerate(whole.values()))
    yield from ("tell all: Winter comes early.", "tell examplia Winter comes early")


def order_names(campaign: Campaign) -> Mapping[str, Any]:
    from kingdom.campaign import campaign as campaigns

    return {**campaigns.names_today(campaign), "seats": ["borderia", "examplia"]}


def misspelt(line: str) -> Iterator[str]:
    """The line with a letter of its first word left out, doubled, or two of them the other way round."""
    word = re.match(r"\W*\w+", line)
    assert word is not None
    end = word.end()
    if end > 3:
        yield f"{line[: end - 2]}{line[end - 1 :]}"  # extnd
        yield f"{line[: end - 2]}{line[end - 1]}{line[end - 2]}{line[end:]}"  # exetdn
    if end > 4:
        yield f"{line[:end]}{line[end - 1 :]}"  # extendd


def polite(line: str) -> Iterator[str]:
    yield f"please {line}"
    yield f"Please {line}, thanks!"
    yield f"Hi,\n\n{line}\n\nThanks,\nGwen"
    yield f"{line} please"
    yield f"Hello, {line}"


def forms(line: str) -> Iterator[str]:
    yield line
    yield f"{line[0].upper()}{line[1:]}."
    yield from misspelt(line)
    yield from polite(line)


GOES = (Letters, ForGm, ToAsker)  # the intents that send words on


def goes(post: Post, seat: str, mail: Any, lines: Sequence[str]) -> list[str]:
    """Which of these, as plain replies to a mail, go to somebody unasked."""
    campaign, journal, gone = post.campaign, post.journal, []
    for line in lines:
        body = f"{line}\n\nOn Wed, 16 Dec 2026 at 12:00, The two fords <orders@example.org> wrote:\n> Hello.\n"
        head = f"From: {ADDRESSES[seat]}\r\nSubject: Re: {mail['Subject']}\r\nIn-Reply-To: {mail['Message-ID']}\r\nMessage-ID: <x@example.org>\r\n\r\n"
        data = (head + body.replace("\n", "\r\n")).encode()
        case = Case(campaign, journal, Message("0" * 64, data, post.now), Headers(), post.now)
        intent = stages.intent_of(case._replace(headers=reading.read(data)))
        if isinstance(intent, GOES):
            gone.append(line)
    return gone


def of_players(campaign: Campaign) -> list[str]:
    return [*players_orders(campaign), *mailed_commands("borderia")]


def of_the_gm(campaign: Campaign) -> list[str]:
    return [*gms_orders(campaign), *mailed_commands(GM), *typed_commands()]


def with_program(lines: Sequence[str]) -> Iterator[str]:
    """`kingdom` before commands, right and misspelt."""
    for line in lines:
        yield from (f"kingdom {line}", f"$ kingdom {line}", f"scripts/kingdom {line}", f"Please kingdom {line}")
        yield from (f"kingdom {one}" for one in misspelt(line))


def chosen(lines: Sequence[str], every: bool) -> list[str]:
    """The lines in all of their forms, or each as it stands and in one more, by turns."""
    made = [list(forms(line)) for line in lines if line not in ANSWERS]
    return (
        [form for all_of in made for form in all_of]
        if every
        else [
            form for number, all_of in enumerate(made) for form in (all_of[0], all_of[1 + number % (len(all_of) - 1)])
        ]
    )


EVERY = pytest.mark.parametrize(
    "every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some forms", "every form"]
)
ANSWERS = ("back", "hold", "release")  # what people also answer to a letter


@EVERY
def test_no_order_or_command_of_a_player_goes_to_a_rival_unasked(post: Post, every: bool) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    letter = to(post, "bo@example.org")
    lines = chosen(of_players(post.campaign), every)
    lines += list(with_program([*mailed_commands("borderia"), *typed_commands()]))[:: 1 if every else 5]
    assert len(lines) > (1000 if every else 150) and goes(post, "borderia", letter, lines) == []


@EVERY
def test_no_order_or_command_of_the_gm_goes_to_a_player_unasked(post: Post, every: bool) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    letter = to(post, "gm@example.org")
    lines = chosen(of_the_gm(post.campaign), every)
    lines += list(with_program([*mailed_commands(GM), *typed_commands()]))[:: 1 if every else 5]
    assert len(lines) > (1500 if every else 250) and goes(post, GM, letter, lines) == []


@pytest.mark.parametrize("text", [
    "undo, sorry", "`undo`", "KINGDOM UNDO", "can you undo turn 3?", "correct turn 2: Bo had 5 BP", "Ok.\nundo", "extend the deadline until Friday",
    "Sure!\n\ninvite borderia dora@example.org", "invite borderia", "grant 6 BP to borderia", "give hex 0405 to borderia",
    "rename borderia to Greater Borderia", "hold the turn", "!hold the turn", "python -m kingdom undo", "uv run kingdom reseed .",
    "Bitte Frist verlängern: extend 2d", "Hello,\nplease do: undo\nThank you\nGwen", "I invite now: examplia dora@example.net Dora",
    "examplia -> dora@example.net", "seat examplia: dora@example.net", "replace Ada with dora@example.net", "Examplia:\ndora@example.net", "accept message 3", "First Foot to 0405", "set unrest of borderia to 4",
])  # fmt: skip
def test_what_only_begins_as_a_command_of_the_gms_is_asked_about(post: Post, text: str) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    assert reply(post, GM, to(post, "gm@example.org"), text).code in (
        "letter_or_command",
        "letter_or_orders",
        "only_typed",
    )
    (asked,) = post.new()
    assert asked["To"] == "gm@example.org"
    assert post.press(links(asked)["Send it to Bo (Borderia)"], GM).outcome == "accepted"
    assert text.splitlines()[0] in text_of(to(post, "bo@example.org"))


@pytest.mark.parametrize(
    "body",
    [
        "to Ada\nclaim 0404\nShall we keep the peace?\n",
        "to Ada\nShall we keep the peace?\nclaim: 0404\nAnswer me soon.\n",
        "to all\n\n* **claim**: 0404\n\nShall we keep the peace?\n",
    ],
)
@pytest.mark.parametrize("above", ["line", "subject"])
def test_a_letter_with_orders_in_it_is_asked_about_before_a_rival_reads_them(post: Post, body: str, above: str) -> None:
    first, _, rest = body.partition("\n")
    post.mail("borderia", "taxation: light\n")
    answer = to(post, "bo@example.org")
    fate = post.mail("borderia", rest, first) if above == "subject" else reply(post, "borderia", answer, body)
    assert fate.code == "letter_or_orders"
    assert [str(one["To"]) for one in post.new()] == ["bo@example.org"]
    ways = links(post.answer())
    send = next(ways[name] for name in ways if name.startswith("Send it to "))
    assert (sent := post.press(send, "borderia")).outcome == "accepted", (sent, send)
    assert "keep the peace" in text_of(to(post, "ada@example.org"))


@pytest.mark.parametrize(
    "body, filed",
    [
        ("to Ada\n\nShall we keep the peace?\n\nclaim: 0404\ntaxation: light\n", "0404"),
        ("to Ada and Gm\n\nShall we keep the peace?\n\nBo\n\ntaxation: heavy\n", "heavy"),
        ("to Ada\nShall we keep the peace?\ntaxation: heavy\n", "heavy"),
        ("to Ada\nShall we keep the peace?\n\nMy orders:\n\n```\nclaim: 0404\n```\nYours,\nBo\n", "0404"),
        ("claim 0404\n\nTo Ada: Shall we keep the peace?\n", "0404"),
        ('MESSAGE examplia "Shall we keep the peace?"\nclaim: 0404\n', "0404"),
        ("Message to Ada: Shall we keep the peace?\n\nclaim: 0404\n", "0404"),
        ("claim: 0404\n\nDear Ada,\n\nShall we keep the peace?\n", "0404"),
    ],
)
def test_orders_below_a_letter_or_above_it_are_filed_and_the_letter_goes_without_them(
    post: Post, body: str, filed: str
) -> None:
    post.mail("borderia", "taxation: light\n")
    fate = reply(post, "borderia", to(post, "bo@example.org"), body)
    assert fate.outcome == "accepted" and filed in (fate.filed or b"").decode()
    letter = text_of(to(post, "ada@example.org"))
    assert "keep the peace" in letter and filed not in letter
    told = " ".join(text_of(post.answer()).split()).replace("Dear Ada, ", "")
    assert "Sent to Ada (Examplia)" in told and '"Shall we keep the peace?' in told
    assert "orders" not in letter


def test_one_mail_may_hold_letters_to_several_and_words_for_the_gm(post: Post) -> None:
    text = "to Ada\nPeace to you.\n\nto all\nPeace to all!\n\nDear Gm,\nwhere is my map?\n"
    post.mail("borderia", "taxation: light\n")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).outcome == "accepted"
    texts = [(str(one["To"]), text_of(one)) for one in post.new()]
    assert [address for address, _ in texts] == [
        "bo@example.org",
        "ada@example.org",
        "ada@example.org",
        "gm@example.org",
    ]
    assert "where is my map" in texts[3][1] and not any("map" in text for _, text in texts[1:3])


def test_a_letter_that_only_speaks_of_orders_goes_at_once(post: Post) -> None:
    for text in (
        "Claim 0404 if you like, and I take 0405.",
        "Message received: build what you want.",
        "I claim 0404 next turn.",
    ):
        assert post.mail("borderia", f"{text}\n", "to examplia").code == "to", text


@pytest.mark.parametrize(
    "text",
    [
        "Dear Ada,\n\nlet us attack Gm together.\n\nBo",
        "tell ada i wont attack if he leaves 0404 alone thx",
        "Please tell Ada that I will not attack before turn 5.",
    ],
)
def test_words_to_a_player_by_name_are_a_letter_and_none_to_the_gm(post: Post, text: str) -> None:
    post.mail("borderia", "taxation: light\n")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "to"
    assert [str(one["To"]) for one in post.new()] == ["bo@example.org", "ada@example.org"]


@pytest.mark.parametrize("text", ["Ada: shall we be at peace?", "Hi Ada, shall we be at peace?"])
def test_words_that_only_begin_with_a_players_name_are_asked_about_before_the_gm_reads_them(
    post: Post, text: str
) -> None:
    post.mail("borderia", "taxation: light\n")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "to_another"
    assert [str(one["To"]) for one in post.new()] == ["bo@example.org"]


@pytest.mark.parametrize(
    "added, is_told", [(" - when is the deadline?", True), (" (when is it?)", True), ("", False), (" ?", False)]
)
def test_a_question_added_to_the_subject_of_a_reply_with_orders_goes_to_the_gm(
    post: Post, added: str, is_told: bool
) -> None:
    post.mail("borderia", "taxation: light\n")
    answer = to(post, "bo@example.org")
    body = "taxation: heavy\n"
    head = {"In-Reply-To": str(answer["Message-ID"])}
    post.new()
    assert post.mail("borderia", body, f"Re: {answer['Subject']}{added}", **head).outcome == "accepted" and post.filed(
        "borderia"
    ) == {"edicts": {"taxation": "heavy"}}
    told = [text_of(one) for one in post.new() if one["To"] == "gm@example.org"]
    assert bool(told) == is_told and all("when is" in text for text in told)


@pytest.mark.parametrize("text", ["hold", "Hold.", "!hold", "@kingdom hold", "release"])
def test_a_whole_command_of_the_gms_as_a_reply_to_a_letter_is_no_letter(post: Post, text: str) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    reply(post, GM, to(post, "gm@example.org"), text)
    assert {str(one["To"]) for one in post.new() if "Letter from" in one["Subject"]} == set()


def test_an_address_that_the_reader_knows_makes_no_invitation(post: Post) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    letter = to(post, "gm@example.org")
    for text in ("Bo, write to gm@example.org at any time.", "Is bo@example.org still right, Bo?"):
        assert reply(post, GM, letter, text).code == "to", text


@pytest.mark.parametrize(
    "text", ["Please file: claim 0404", "ich beanspruche: claim 0404", "My orders for turn 1: claim 0404"]
)
def test_an_order_that_a_few_words_announce_is_asked_about(post: Post, text: str) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "letter_or_orders"
    assert [str(one["To"]) for one in post.new()] == ["bo@example.org"]


@pytest.mark.parametrize(
    "text", ["@gm is Ada cheating?", "Dear GM,\n\nis Ada cheating?", "For Gm - is Ada cheating?", "Hi all,\n\npeace!"]
)
def test_a_reply_to_a_letter_that_begins_with_anothers_name_is_asked_about(post: Post, text: str) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "to_another"
    assert [str(one["To"]) for one in post.new()] == ["bo@example.org"]
    pressed = links(post.answer())
    assert post.press(pressed["Send it to Ada (Examplia)"], "borderia").outcome == "accepted"
    assert text.splitlines()[0] in text_of(to(post, "ada@example.org"))


@pytest.mark.parametrize(
    "text", ["Ada: I agree.", "Dear Ada,\n\nyes.", "To Gm I said nothing.", "All right, then.", "Gm and I agree."]
)
def test_a_reply_to_a_letter_that_only_names_somebody_goes_to_its_writer(post: Post, text: str) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    assert reply(post, "borderia", to(post, "bo@example.org"), text).code == "to"
    assert text.splitlines()[-1] in text_of(to(post, "ada@example.org"))


@pytest.mark.parametrize(
    "text", ["To the GM: is Ada cheating?", "Question to the GM: is Ada cheating?", "To the gm\nis Ada cheating?"]
)
def test_a_letter_to_the_gm_in_a_reply_to_a_rival_goes_to_the_gm(post: Post, text: str) -> None:
    post.mail("examplia", "Shall we talk of the ford?\n", "to borderia")
    letter = to(post, "bo@example.org")
    post.new()
    assert reply(post, "borderia", letter, text).code == "to"
    assert sorted(str(one["To"]) for one in post.new()) == ["bo@example.org", "gm@example.org"]


@pytest.mark.parametrize(
    "text",
    [
        "recruit First Foot as medium warrior",
        "kingdom status",
        "withdrw",
        "clam 0404",
        "KINGDOM UNDO",
        "cancel my orders",
    ],
)
def test_what_only_begins_as_a_players_command_goes_not_to_the_gm_either(post: Post, text: str) -> None:
    post.mail("borderia", "taxation: light\n")
    answer = to(post, "bo@example.org")
    assert reply(post, "borderia", answer, text).outcome == "refused"
    assert [str(one["To"]) for one in post.new()] == ["bo@example.org"]


def test_an_order_of_an_army_without_its_key_is_filed_where_it_reads_whole(post: Post) -> None:
    assert post.mail("borderia", "recruit First Foot as medium warrior from Oakhold\n").outcome == "accepted"
    assert list(post.filed("borderia") or {}) == ["armies"]


def test_what_is_asked_about_says_what_is_missing(post: Post) -> None:
    post.mail("borderia", "May my people hold a feast?\n", "to gm")
    letter = to(post, "gm@example.org")
    reply(post, GM, letter, "grant: borderia, account: treasury, by: 6")
    assert "`reason` is missing" in text_of(post.answer())
    reply(post, GM, letter, "claim 0404 please")
    assert post.filed("gm") is None


@pytest.mark.parametrize("subject", ["undo", "correct turn 2", "kingdom undo", "reseed"])
def test_a_subject_that_can_only_be_typed_is_answered_with_that(post: Post, subject: str) -> None:
    assert post.mail(GM, "", subject).code == "unknown_command"
    assert f"`kingdom {subject.removeprefix('kingdom ')}` is typed where the campaign lies" in " ".join(
        text_of(post.answer()).split()
    )


def test_what_can_be_typed_is_what_the_command_line_has() -> None:
    assert sorted((*terms.TYPED_ALONE, *terms.TYPED_WITH_MORE)) == sorted(table.COMMANDS)
    alone = [name for name, command in table.COMMANDS.items() if not any(map(is_needed, command.arguments))]
    assert sorted(terms.TYPED_ALONE) == sorted(alone)
