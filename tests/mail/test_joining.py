"""Joining a campaign by mail to its house: what is open, nothing before it is confirmed, who is asked, who waits, when it starts."""

from __future__ import annotations

import json
import re
import shutil
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from kingdom.campaign import clock, lock, settings
from kingdom.cli.main import main
from kingdom.mail.house import joining, reception
from tests.kit.housekit import ADDRESS, NOW, House, text

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def frees(house: House, name: str, *seats: str, newcomers: str = "open", more: str = "") -> Path:
    """Take the players of these seats out of a campaign, and let it take newcomers."""
    file = house.folder / name / "campaign.yaml"
    text_ = file.read_text()
    for seat in seats:
        text_, count = re.subn(rf"\b{seat}: {{[^}}]*email[^}}]*}}", f"{seat}: {{}}", text_)
        assert count == 1
    text_ = text_ if "newcomers:" in text_ else f"{text_}newcomers: {newcomers}\n"
    file.write_text(text_ + more)
    return file.parent


def replies(house: House, person: str, mail: EmailMessage, words: str = "yes", **headers: str) -> None:
    """A person answers a mail of the house."""
    head = {"In_Reply_To": mail["Message-ID"], "References": mail["References"], **headers}
    house.mail(person, f"Re: {mail['Subject']}", f"{words}\n\n> {mail['Subject']}", **head)


def player(campaign: Path, seat: str) -> settings.Player:
    return settings.read(campaign)[0].players[seat]


def asks(house: House, run, person: str, subject: str) -> EmailMessage:
    """A person asks something, and gets one mail."""
    before = len(house.got(person))
    house.mail(person, subject, "", From=f"Eve Adams <{person}@example.org>")
    code, _, errors = run()
    assert not errors, errors
    (mail,) = house.got(person)[before:]
    return mail


def test_list_says_what_is_open_and_nothing_of_others(house: House, run) -> None:
    house.campaign("dorn")
    frees(house, "alba", "bob", newcomers="ask")
    frees(house, "bern")
    frees(house, "caen", "cyn", more="calendar: {deadline: 2026-11-29T12:45, zone: UTC, every: 7d}\n")
    mail = asks(house, run, "eve", "list")
    assert mail["Subject"] == "[The North] What is open"
    assert "[Tally of Alba] tally: 1 of 3 seats free (bob); its GM starts it" in text(mail)  # it has no calendar
    assert "[Tally of Caen] tally: 1 of 3 seats free (cyn); it starts when it is full" in text(mail)
    assert (
        "its GM decides who joins" in text(mail)
        and "[Tally of Bern]" in text(mail)
        and "all 3 seats are taken" in text(mail)
    )
    assert "Dorn" not in mail.as_string() and "ann@" not in mail.as_string()
    assert not house.got("hal")
    stranger = asks(house, run, "sue", "May I play?")
    assert "does not know this address" in text(stranger) and "[Tally of Alba]" in text(stranger)


def test_a_seat_of_an_open_campaign_is_given_after_a_yes_from_that_address(house: House, run) -> None:
    alba = frees(house, "alba", "bob", "cyn")
    question = asks(house, run, "eve", "Join tally of alba as cyn, please")
    assert "asked with this address to join Tally of Alba as cyn" in text(question)
    assert question["Subject"] == "[The North] Please confirm: join Tally of Alba" and player(alba, "cyn").email == ()
    replies(house, "eve", question)
    code, out, _ = run()
    assert (code, player(alba, "cyn").email, player(alba, "cyn").name) == (0, ("eve@example.org",), "Eve Adams")
    assert "Tally of Alba: cyn has a player now." in out
    assert [mail["Subject"] for mail in house.got("eve")][1:] == ["[Tally of Alba] Welcome: you play cyn"]
    (told,) = [mail for mail in house.got("gm-alba") if mail["Subject"] == "[The North] cyn has a player"]
    assert "Eve Adams has the seat cyn" in text(told) and "eve@" not in told.as_string()
    assert not any(
        "eve@example.org" in mail.as_string() for person in ("ann", "gm-alba", "hal") for mail in house.got(person)
    )
    token = player(alba, "cyn").token
    run()
    assert player(alba, "cyn").token == token and len(house.got("eve")) == 2


@pytest.mark.parametrize(
    ("sender", "words", "headers"),
    [
        ("sue", "yes", {}),  # another address
        ("eve", "Who are you?", {}),
        ("eve", "no", {}),
        ("eve", "yes", {"In_Reply_To": "<confirm-1@example.org>", "References": "<confirm-2@example.org>"}),
        ("eve", "yes", {"Auto_Submitted": "auto-replied"}),
    ],
)
def test_nothing_else_confirms(house: House, run, sender: str, words: str, headers: dict[str, str]) -> None:
    alba = frees(house, "alba", "bob")
    replies(house, sender, asks(house, run, "eve", "join Tally of Alba"), words, **headers)
    assert run()[0] == 0 and player(alba, "bob").email == ()


def test_the_link_of_the_question_confirms_from_any_program(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    question = asks(house, run, "eve", "join alba")
    word = question["Message-ID"].strip().split("@")[0].rpartition(".")[2]
    assert f"yes%20%5B{word}%5D" in question.as_string().replace("=\n", "")
    house.mail("sue", f"yes [{word}]", "")
    run()
    assert player(alba, "bob").email == ()
    house.mail("eve", f"yes [{word}]", "")
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


def test_the_gm_decides_unless_the_campaign_is_open(house: House, run) -> None:
    alba = frees(house, "alba", "bob", "cyn", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    (asked,) = [mail for mail in house.got("gm-alba") if "asks for the seat bob" in mail["Subject"]]
    assert "eve@" not in asked.as_string() and player(alba, "bob").email == ()
    replies(house, "sam", asks(house, run, "sam", "join alba"))
    run()
    (other,) = [mail for mail in house.got("gm-alba") if "asks for the seat cyn" in mail["Subject"]]
    replies(house, "ann", asked)  # a player who says yes in the GM's place
    run()
    assert player(alba, "bob").email == ()
    replies(house, "gm-alba", asked)
    replies(house, "gm-alba", other, "No.")
    run()
    assert player(alba, "bob").email == ("eve@example.org",) and player(alba, "cyn").email == ()
    assert "The GM did not give you the seat in Tally of Alba." in text(house.got("sam")[-1])


@pytest.mark.parametrize(
    ("gm", "asked", "sender"), [("", "hal", "hal"), ("[gm-alba@example.org, gwen@example.org]", "gm-alba", "gwen")]
)
def test_a_gm_replies_from_any_of_their_addresses_and_the_host_for_one_without(
    house: House, run, gm: str, asked: str, sender: str
) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    file = alba / "campaign.yaml"
    file.write_text(
        re.sub(r"gm: \{.*\}", f"gm: {{email: {gm}, token: ggggalba}}" if gm else "gm: {name: Gwen}", file.read_text())
    )
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    (question,) = [mail for mail in house.got(asked) if "asks for the seat bob" in mail["Subject"]]
    word = question["Message-ID"].strip().split("@")[0].rpartition(".")[2]
    house.mail("sue", f"yes [{word}]", "")
    run()
    assert player(alba, "bob").email == ()
    house.mail(sender, f"yes [{word}]", "")
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


def test_a_mail_of_our_own_that_comes_back_confirms_nothing(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    question = asks(house, run, "eve", "join alba")
    replies(house, "play", question)
    run()
    assert player(alba, "bob").email == ()


def test_without_the_word_of_its_settings_a_campaign_takes_nobody(house: House, run) -> None:
    alba = frees(house, "alba", "bob", newcomers="closed")
    mail = asks(house, run, "eve", "join Tally of Alba")
    assert "No campaign of that name takes newcomers" in text(mail) and "Alba" not in mail.as_string()
    assert len(house.got("hal")) == 1
    assert player(alba, "bob").email == ()


@pytest.mark.parametrize(
    "subject", ["join alba as BUY-www.example.net", "join BUY www.example.net", "observe www.example.net"]
)
def test_an_answer_repeats_nothing_that_a_stranger_wrote(house: House, run, subject: str) -> None:
    """It goes to whatever address the mail says it is from."""
    frees(house, "alba", "bob")
    mail = asks(house, run, "eve", subject)
    assert "www" not in mail.as_string() and "Adams" not in mail.as_string()
    assert ("it would be any that is free" in text(mail)) == (" as " in subject)


def test_a_seat_that_falls_free_goes_to_who_waits_in_their_order(house: House, run, monkeypatch) -> None:
    alba = frees(house, "alba")
    for person in ("eve", "sam", "tom"):
        replies(house, person, asks(house, run, person, "standby alba"))
        run()
        assert "You are on the list of Tally of Alba" in text(house.got(person)[-1])
    welcome = [mail for mail in house.got("bob") if "Alba" in mail["Subject"]][0]
    house.mail("bob", "resign", "", In_Reply_To=welcome["Message-ID"])
    run()
    replies(house, "may", asks(house, run, "may", "join alba"))
    run()
    (offer,) = [mail for mail in house.got("eve") if "A seat is free" in mail["Subject"]]
    assert "No seat is free" in text(house.got("may")[-1])
    assert not [mail for person in ("sam", "tom") for mail in house.got(person) if "A seat is free" in mail["Subject"]]
    replies(house, "eve", offer, "no")
    run()
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=4))  # sam says nothing
    run()
    (offer,) = [mail for mail in house.got("tom") if "A seat is free" in mail["Subject"]]
    replies(house, "tom", offer)
    run()
    assert player(alba, "bob").email == ("tom@example.org",)
    assert house.got("tom")[-1]["Subject"] == "[Tally of Alba] Welcome: you play bob"
    assert "no longer wait" in text(house.got("eve")[-1]) and "goes to the next" in text(house.got("sam")[-1])


def test_who_left_is_offered_nothing(house: House, run) -> None:
    frees(house, "alba")
    for subject in ("standby alba", "leave alba"):
        replies(house, "eve", asks(house, run, "eve", subject))
        run()
    frees(house, "alba", "bob")
    run()
    assert not [mail for mail in house.got("eve") if "A seat is free" in mail["Subject"]]
    assert "You are on no list there any more." in text(house.got("eve")[-1])


def test_a_watcher_hears_that_a_turn_was_played_and_nothing_of_it(house: House, run, monkeypatch) -> None:
    frees(house, "alba", more="calendar: {deadline: 2026-11-21T12:45, zone: UTC, every: 7d}\n")
    replies(house, "eve", asks(house, run, "eve", "observe alba"))
    run()
    mails = house.got("eve")[1:]
    assert [text(mail).partition(" [Tally")[0] for mail in mails] == ["Turn 1 was played."]
    assert not any(word in text(mails[0]) for word in ("ann", "bob", "cyn", "coins"))
    run()
    assert len(house.got("eve")) == 2
    file = house.folder / "alba" / "campaign.yaml"
    file.write_text(file.read_text() + "ends: {turn: 2}\n")
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=8))
    run()
    assert "Turn 2 was played. The campaign is over" in text(house.got("eve")[-1])
    run()
    assert len(house.got("eve")) == 3


def test_a_campaign_that_is_forming_starts_when_it_is_full(house: House, run, monkeypatch, capsys) -> None:
    alba = frees(
        house, "alba", "cyn", more="calendar: {deadline: 2026-11-21T12:45, zone: UTC, every: 7d, remind: [6d]}\n"
    )
    out = run()[1]
    assert "It waits for players: 2 of 3 seats have one." in out and not (alba / "turns/0001").exists()
    assert "due on" not in text(house.got("ann")[-1])
    assert main(["status", str(alba)]) == 0
    said = capsys.readouterr().out
    assert "It waits for players" in said and "due" not in said
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    out = run()[1]
    assert "Every seat has a player: the campaign starts." in out and not (alba / "turns/0001").exists()
    for person in ("ann", "eve"):
        starts = [mail for mail in house.got(person) if "It starts" in str(mail["Subject"])]
        assert [mail["Subject"] for mail in starts] == [
            "[Tally of Alba] It starts: turn 1 is due on Saturday 28 November 2026, 12:45 (UTC)"
        ]
    capsys.readouterr()
    assert main(["status", str(alba)]) == 0
    assert "That is later by 7d from turn 1 on (it waited for players)." in capsys.readouterr().out
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=7))
    run()
    assert (alba / "turns/0001").exists()


def test_a_seat_that_falls_free_before_turn_1_is_told_to_all_who_were_told_a_deadline(house: House, run) -> None:
    frees(house, "alba", "cyn", more="calendar: {deadline: 2026-12-05T12:45, zone: UTC, every: 7d}\n")
    run()
    for person in ("eve", "sam"):
        replies(house, person, asks(house, run, person, "join alba"))
        run()
        starts = [mail for mail in house.got("ann") if "It starts" in str(mail["Subject"])]
        assert len(starts) == {"eve": 1, "sam": 2}[person]  # the same deadline, told anew
        (welcome,) = (mail for mail in house.got(person) if "Welcome" in str(mail["Subject"]))
        house.mail(person, "resign", "", In_Reply_To=welcome["Message-ID"])
        for _ in range(2):
            run()
        for reader in ("ann", "bob", "gm-alba"):
            told = [mail for mail in house.got(reader) if "no deadline counts" in str(mail["Subject"])]
            assert len(told) == {"eve": 1, "sam": 2}[person], reader
            assert "Orders for turn 1 are due once every seat has a player." in text(told[-1])
        assert not any("no deadline" in str(mail["Subject"]) for mail in house.got(person))


def test_a_campaign_that_opens_its_door_after_a_deadline_was_told_says_that_it_waits(house: House, run) -> None:
    dates = "calendar: {deadline: 2026-12-05T12:45, zone: UTC, every: 7d}\n"
    alba = frees(house, "alba", "cyn", newcomers="closed", more=dates)
    run()
    config = alba / "campaign.yaml"
    config.write_text(config.read_text().replace("newcomers: closed", "newcomers: open"))
    for _ in range(2):
        run()
    (told,) = (mail for mail in house.got("ann") if "no deadline counts" in str(mail["Subject"]))
    assert "A seat has no player, so the campaign waits for one." in text(told)


def test_a_campaign_that_closes_its_door_starts_with_the_players_it_has(house: House, run) -> None:
    alba = frees(house, "alba", "cyn", more="calendar: {deadline: 2026-11-21T12:45, zone: UTC, every: 7d}\n")
    run()
    file = alba / "campaign.yaml"
    file.write_text(file.read_text().replace("newcomers: open", "newcomers: closed"))
    assert "It waits for players no longer: the campaign starts." in run()[1]
    starts = [mail for mail in house.got("ann") if "It starts" in str(mail["Subject"])]
    assert len(starts) == 1 and "Every seat" not in text(starts[0])


def test_a_campaign_that_was_never_forming_keeps_its_deadline(house: House, run) -> None:
    alba = frees(house, "alba", more="calendar: {deadline: 2026-11-21T12:45, zone: UTC, every: 7d}\n")
    run()
    assert (alba / "turns/0001").exists()


def test_a_campaign_that_another_run_holds_gets_its_player_later(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    with lock.held(alba, "turn"):
        run()
    assert player(alba, "bob").email == ()
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


def test_a_run_that_is_killed_after_the_seat_was_given_gives_it_once(house: House, run, monkeypatch) -> None:
    from kingdom.mail.house import seating

    class Killed(BaseException):
        pass

    def killed(*given: object) -> None:
        raise Killed

    alba = frees(house, "alba", "bob", "cyn")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    with monkeypatch.context() as patch:
        patch.setattr(seating.Seats, "_end", killed)
        with pytest.raises(Killed):
            run()
    token = player(alba, "bob").token
    run()
    assert player(alba, "bob").token == token and player(alba, "cyn").email == ()
    assert sum("Welcome" in mail["Subject"] for mail in house.got("eve")) == 1


def test_two_who_want_the_last_seat(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    first, second = (asks(house, run, person, "join alba as bob") for person in ("eve", "sam"))
    replies(house, "sam", second)
    replies(house, "eve", first)
    run()
    assert player(alba, "bob").email == ("sam@example.org",) and "No seat is free" in text(house.got("eve")[-1])


@pytest.mark.parametrize("name", ["Gwen", "ANN", "", "eve@example.org"])
def test_a_newcomer_takes_nobodys_name(house: House, run, name: str) -> None:
    alba = frees(house, "alba", "bob")
    file = alba / "campaign.yaml"
    file.write_text(file.read_text().replace("gm: {", "gm: {name: Gwen, "))
    house.mail("eve", "join alba", "", From=f'"{name}" <eve@example.org>' if name else "eve@example.org")
    run()
    replies(house, "eve", house.got("eve")[-1])
    run()
    assert (player(alba, "bob").email, player(alba, "bob").name) == (("eve@example.org",), "Player of bob")


def test_a_player_of_one_campaign_joins_another(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    bern = house.folder / "bern"
    run()
    replies(house, "bob", asks(house, run, "bob", "join alba"))
    run()
    assert player(alba, "bob").email == ("bob@example.org",) and not house.handled("bern")
    assert player(bern, "bob").email == ("bob@example.org",)


@pytest.mark.parametrize("many", [30, pytest.param(10_000, marks=pytest.mark.long)])
def test_strangers_who_join_in_a_storm(house: House, run, monkeypatch, many: int) -> None:
    """Each address is asked once a day, all together so often, and nobody gets a seat."""
    if many < joining.MOST_A_DAY:
        monkeypatch.setattr(joining, "MOST_A_DAY", 10)
    alba = frees(house, "alba", "bob")
    for number in range(many):
        house.mail("eve" if number % 2 else f"eve{number}", "join alba as bob", f"{number}")
    assert run()[0] == 0
    asked = [one for one in house.post.received if b"Please confirm" in one.data]
    assert len(asked) == joining.MOST_A_DAY and len({one.to for one in asked}) == len(asked)
    assert player(alba, "bob").email == () and len(house.got("eve")) == 1
    host = house.got("hal")
    assert sum("No more answers" in mail["Subject"] for mail in host) == 1 and len(host) <= reception._MOST_TO_HOST + 1
    journal = [json.loads(line) for line in (house.folder / "mail/journal.jsonl").read_text().splitlines()]
    assert sum(line["event"] == "handled" for line in journal) == many
    run()
    assert len([one for one in house.post.received if b"Please confirm" in one.data]) == len(asked)
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=1))
    question = asks(house, run, "eve", "join alba as bob")
    replies(house, "eve", question)
    run()
    assert player(alba, "bob").email == ("eve@example.org",) and ADDRESS in question["From"]


@pytest.mark.parametrize(
    "words", ["No objection", "No problem, welcome!", "Hi Hal,\n\nyes, Eve Adams can have it", "👍"]
)
def test_a_gm_says_yes_in_plain_words(house: House, run, words: str) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    replies(house, "gm-alba", house.got("gm-alba")[-1], words, Content_Type="text/plain; charset=utf-8")
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


@pytest.mark.parametrize("words", ["Yes, but not before May", "No idea who she is", "Nothing", "Yes\nif Ann agrees"])
def test_an_unclear_reply_is_asked_about_and_a_reply_to_that_counts(house: House, run, words: str) -> None:
    alba = frees(house, "alba", "bob", "cyn", newcomers="ask")
    for person in ("eve", "sam"):
        replies(house, person, asks(house, run, person, "join alba"))
        run()
        replies(house, "gm-alba", house.got("gm-alba")[-1], words)
        run()
        seat = {"eve": "bob", "sam": "cyn"}[person]
        which = f"about Eve Adams, who asks for the seat {seat} in Tally of Alba, was not understood"
        assert which in text(house.got("gm-alba")[-1])
    assert not player(alba, "bob").email and not player(alba, "cyn").email
    again = house.got("gm-alba")[-1]
    house.mail(
        "gm-alba", "Re: Yes or no?", "Yes", In_Reply_To=again["Message-ID"]
    )  # a program that names no older mail
    run()
    assert not player(alba, "bob").email and player(alba, "cyn").email == ("sam@example.org",)


def test_a_campaign_is_found_with_an_article(house: House, run) -> None:
    frees(house, "alba", "bob")
    assert asks(house, run, "eve", "Join the Tally of Alba")["Subject"].endswith("Please confirm: join Tally of Alba")
    assert "No campaign of that name" in text(asks(house, run, "sue", "join the Tally of Alb"))


def test_a_welcome_before_the_campaign_is_full_names_no_deadline(house: House, run) -> None:
    """Also one that was made before any run looked at the campaign."""
    alba = frees(house, "alba", "bob", "cyn", more="calendar: {deadline: 2026-11-29T12:45, zone: UTC, every: 7d}\n")
    assert main(["invite", str(alba), "bob", "eve@example.org", "--name", "Eve"]) == 0
    drawn = [file.read_bytes() for file in (alba / "mail" / "outbox").glob("welcome-bob-*")]
    assert all(b"29 November" not in mail for mail in drawn)
    run()
    (welcome,) = (mail for mail in house.got("eve") if "Welcome" in mail["Subject"])
    assert "Orders for turn 1 are due once every seat has a player. Then a mail names the deadline." in text(welcome)
    assert "29 November" not in text(welcome)


def test_a_later_yes_counts(house: House, run) -> None:
    """Of who wished something, of a GM, of who was offered a seat."""
    alba = frees(house, "alba", "bob", "cyn", newcomers="ask")
    question = asks(house, run, "eve", "join alba")
    for words in ("no", "yes"):
        replies(house, "eve", question, words)
        run()
    (asked,) = [mail for mail in house.got("gm-alba") if "asks for the seat bob" in mail["Subject"]]
    replies(house, "gm-alba", asked, "no")
    run()
    assert "did not give you the seat" in text(house.got("eve")[-1])
    replies(house, "gm-alba", asked, "yes")
    run()
    assert player(alba, "bob").email == ("eve@example.org",)
    replies(house, "gm-alba", asked, "no")
    run()
    assert player(alba, "bob").email == ("eve@example.org",)
    assert "The seat was given already" in text(house.got("gm-alba")[-1])


def test_a_gm_who_says_nothing_keeps_no_seat_for_ever(house: House, run, monkeypatch) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    (asked,) = [mail for mail in house.got("gm-alba") if "asks for the seat bob" in mail["Subject"]]
    assert "Until then the seat is kept, for 7 days." in text(asked)
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=6, hours=23))
    run()
    assert len(house.got("eve")) == 1
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=7))
    run()
    assert "said neither yes nor no for 7 days, so the seat bob is kept for you no longer" in text(house.got("eve")[-1])
    assert "The seat is free for others again." in text(house.got("gm-alba")[-1])
    replies(house, "sam", asks(house, run, "sam", "join alba"))
    run()
    assert (
        "Sam" in house.got("gm-alba")[-1]["Subject"] or "asks for the seat bob" in house.got("gm-alba")[-1]["Subject"]
    )
    replies(house, "gm-alba", asked)  # for eve, but the seat is kept for sam now
    run()
    assert not player(alba, "bob").email and "bob has a player by now, or is kept for one" in text(
        house.got("gm-alba")[-1]
    )
    assert "You are on the list" in text(house.got("eve")[-1]) or "No seat is free" in text(house.got("eve")[-1])


def test_a_late_yes_of_the_gm_gives_a_seat_that_is_still_free(house: House, run, monkeypatch) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    (asked,) = [mail for mail in house.got("gm-alba") if "asks for the seat bob" in mail["Subject"]]
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=9))
    run()
    replies(house, "gm-alba", asked)
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


def test_a_late_yes_of_a_standby_takes_nothing_from_the_next(house: House, run, monkeypatch) -> None:
    alba = frees(house, "alba")
    for person in ("eve", "sam"):
        replies(house, person, asks(house, run, person, "standby alba"))
        run()
    frees(house, "alba", "bob")
    run()
    (first,) = [mail for mail in house.got("eve") if "A seat is free" in mail["Subject"]]
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=4))
    run()
    (second,) = [mail for mail in house.got("sam") if "A seat is free" in mail["Subject"]]
    replies(house, "eve", first)
    replies(house, "sam", second)
    run()
    assert player(alba, "bob").email == ("sam@example.org",)
    assert "bob in Tally of Alba is not free any more. You stay on the list" in text(house.got("eve")[-1])
    frees(house, "alba", "cyn", "bob")
    run()
    offers = [mail for mail in house.got("eve") if "A seat is free" in mail["Subject"]]
    assert (
        len(offers) == 2 and player(alba, "cyn").email == () == player(alba, "bob").email
    )  # asked anew, not seated by the old yes
    replies(house, "eve", offers[-1])
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


@pytest.mark.parametrize("newcomers", ["open", "ask"])
def test_who_comes_back_in_the_run_in_which_a_standby_says_yes_keeps_the_seat(
    house: House, run, monkeypatch, newcomers: str
) -> None:
    alba = frees(house, "alba", newcomers=newcomers)
    replies(house, "eve", asks(house, run, "eve", "standby alba"))
    run()
    welcome = [mail for mail in house.got("bob") if "Alba" in mail["Subject"]][0]
    house.mail("bob", "resign", "", In_Reply_To=welcome["Message-ID"])
    for _ in range(2):
        run()
    (last,) = [mail for mail in house.got("eve") if "A seat is free" in mail["Subject"]]
    if newcomers == "ask":
        replies(house, "eve", last)
        run()
        (last,) = [mail for mail in house.got("gm-alba") if "asks for the seat bob" in mail["Subject"]]
    replies(house, "eve" if newcomers == "open" else "gm-alba", last)
    house.mail("bob", "back", "", In_Reply_To=welcome["Message-ID"])
    run()
    assert player(alba, "bob").email == ("bob@example.org",)
    run()
    assert player(alba, "bob").email == ("bob@example.org",)
    assert "is not free any more. You stay on the list" in text(house.got("eve")[-1])


def test_a_seat_given_up_is_handed_on_in_the_run_in_which_others_write(house: House, run) -> None:
    alba = frees(house, "alba")
    replies(house, "eve", asks(house, run, "eve", "standby alba"))
    run()
    welcome = [mail for mail in house.got("bob") if "Alba" in mail["Subject"]][0]
    house.mail("bob", "resign", "", In_Reply_To=welcome["Message-ID"])
    for _ in range(2):
        run()
    replies(house, "eve", house.got("eve")[-1])
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    _, out, _ = run()
    assert player(alba, "bob").email == ("eve@example.org",) and "Tally of Alba: bob has a player now." in out
    run()
    assert "Welcome" in house.got("eve")[-1]["Subject"]


def test_who_can_not_join_is_told_that_they_wait_and_where_seats_are_free(house: House, run) -> None:
    alba = frees(house, "alba")
    frees(house, "bern", "cyn")
    question = asks(house, run, "eve", "join alba")
    assert "No seat is free there now, so you would wait for one" in text(question)
    replies(house, "eve", question)
    run()
    told = text(house.got("eve")[-1])
    assert "No seat is free in Tally of Alba now, so you are on the list of Tally of Alba" in told
    assert "Seats are free here: [Tally of Bern] tally: 1 of 3 seats free (cyn)" in told
    run()
    assert len(house.got("eve")) == 2
    frees(house, "alba", "bob")
    run()
    assert "A seat is free in Tally of Alba: bob" in text(house.got("eve")[-1])
    replies(house, "eve", house.got("eve")[-1])
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


def test_who_wants_a_seat_that_is_taken_hears_which_are_free(house: House, run) -> None:
    frees(house, "alba", "bob")
    replies(house, "eve", asks(house, run, "eve", "join alba as ann"))
    run()
    assert "The seat ann in Tally of Alba is not free. Free: bob. `join Tally of Alba as bob` asks" in text(
        house.got("eve")[-1]
    )


def test_who_plays_there_already_hears_so(house: House, run) -> None:
    frees(house, "alba", "bob")
    run()
    replies(house, "ann", asks(house, run, "ann", "join alba"))
    run()
    assert "You have a seat in Tally of Alba" in text(house.got("ann")[-1])


def test_list_is_answered_to_who_was_answered_by_prose_the_same_day(house: House, run) -> None:
    frees(house, "alba", "bob")
    asks(house, run, "eve", "May I play?")
    assert "[Tally of Alba]" in text(asks(house, run, "eve", "list"))
    assert "No campaign of that name" in text(asks(house, run, "eve", "join Nowhere"))
    house.mail("eve", "list", "")
    run()
    assert len(house.got("eve")) == 3  # each kind once a day


@pytest.mark.parametrize("proof", ["reply", "token", "results", "none", "wrong results"])
def test_forged_mails_swallow_no_join_that_proves_who_wrote_it(house: House, run, monkeypatch, proof: str) -> None:
    monkeypatch.setattr(joining, "MOST_A_DAY", 5)
    frees(house, "alba", "bob")
    if "results" in proof:
        file = house.folder / "house.yaml"
        file.write_text(
            file.read_text().replace(
                "mail: {", "mail: {authenticate: [sender, token, authentication_results], authserv_id: mx.example.org, "
            )
        )
    answer = asks(house, run, "eve", "What is this?")
    for number in range(20):
        house.mail(f"forged{number}", "join alba", "")
    run()
    before, host = len(house.got("eve")), [mail["Subject"] for mail in house.got("hal")]
    assert host.count("[The North] No more answers to strangers today") == 1
    headers = {
        "reply": {"In_Reply_To": answer["Message-ID"]},
        "results": {"Authentication-Results": "mx.example.org; dkim=pass header.d=example.org"},
        "wrong results": {"Authentication-Results": "mx.example.net; dkim=pass header.d=example.org"},
    }.get(proof, {})
    sender = "ann" if proof == "token" else "eve"
    before = len(house.got(sender))
    house.mail(sender, "join alba [aaaaabern]" if proof == "token" else "join alba", "", **headers)
    run()
    found = [mail["Subject"] for mail in house.got(sender)[before:]]
    assert found == (["[The North] Please confirm: join Tally of Alba"] if "none" != proof != "wrong results" else [])
    if not found:
        assert "From eve@example.org: join alba" in text(house.got("hal")[-1])


def test_what_is_proved_has_a_measure_of_its_own_and_each_domain_a_part_of_it(house: House, run, monkeypatch) -> None:
    monkeypatch.setattr(joining, "MOST_PROVED_A_DAY", 8)
    monkeypatch.setattr(joining, "MOST_OF_A_DOMAIN", 5)
    frees(house, "alba", "bob")
    file = house.folder / "house.yaml"
    file.write_text(
        file.read_text().replace(
            "mail: {", "mail: {authenticate: [sender, token, authentication_results], authserv_id: mx.example.org, "
        )
    )
    for domain in ("one", "two"):
        vouched = {"Authentication-Results": f"mx.example.org; dkim=pass header.d={domain}.net"}
        for number in range(9):
            house.mail("x", "join alba", "", From=f"x{number}@{domain}.net", **vouched)
    run()
    asked = [one.to[0].partition("@")[2] for one in house.post.received if b"Please confirm" in one.data]
    assert asked == ["one.net"] * 5 + ["two.net"] * 3
    assert sum("No more answers" in mail["Subject"] for mail in house.got("hal")) == 1
    assert "Please confirm" in asks(house, run, "eve", "join alba")["Subject"]


def test_a_gm_without_a_calendar_hears_that_it_is_full_and_what_to_do(house: House, run) -> None:
    frees(house, "alba", "bob")
    run()
    assert not any("Every seat" in text(mail) for mail in house.got("gm-alba"))
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    for _ in range(2):
        run()
    (told,) = [text(mail) for mail in house.got("gm-alba") if "Every seat has a player" in text(mail)]
    assert "no calendar" in told and "`kingdom turn" in told and "`calendar`" in told


@pytest.mark.parametrize(
    ("name", "words", "is_yes"),
    [
        ("But not now", "Yes. But not now.", False),
        ("No", "No", False),
        ("Not", "Not welcome", False),
        ("Hardly", "Hardly welcome", False),
        ("Eve Stone", "No objection, Eve Stone", True),
        ("Eve Stone", "No, Eve", False),
        ("eve", "Yes, eve", False),
    ],
)
def test_nobody_turns_a_no_into_a_yes_by_a_name(house: House, run, name: str, words: str, is_yes: bool) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    house.mail("eve", "join alba", "", From=f'"{name}" <eve@example.org>')
    run()
    replies(house, "eve", house.got("eve")[-1])
    run()
    replies(house, "gm-alba", house.got("gm-alba")[-1], words)
    run()
    assert bool(player(alba, "bob").email) == is_yes


def test_a_player_joins_another_campaign_from_a_mail_of_the_first(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    run()
    report = [mail for mail in house.got("ann") if "Caen" in mail["Subject"]][0]
    file = alba / "campaign.yaml"
    file.write_text(file.read_text().replace("ann@", "zoe@"))
    house.mail("ann", "join Tally of Alba", "", In_Reply_To=report["Message-ID"])
    run()
    replies(house, "ann", house.got("ann")[-1])
    run()
    assert player(alba, "bob").email == ("ann@example.org",) and not house.handled("caen")


def test_a_campaign_that_can_not_be_read_just_now_loses_nobody_who_waits(house: House, run) -> None:
    alba = frees(house, "alba")
    replies(house, "eve", asks(house, run, "eve", "standby alba"))
    run()
    file = alba / "campaign.yaml"
    right = file.read_text()
    file.write_text("nmae: x\n")
    run()
    file.write_text(right)
    frees(house, "alba", "bob")
    run()
    assert "A seat is free in Tally of Alba" in text(house.got("eve")[-1])


def test_who_plays_with_an_address_in_capitals_gets_no_second_seat(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    file = alba / "campaign.yaml"
    file.write_text(file.read_text().replace("ann@example.org", "Ann@Example.org"))
    run()
    replies(house, "ann", asks(house, run, "ann", "join alba"))
    run()
    assert player(alba, "bob").email == () and "You have a seat" in text(house.got("ann")[-1])


def test_a_yes_for_who_left_seats_nobody_and_says_so(house: House, run) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    asked = house.got("gm-alba")[-1]
    replies(house, "eve", asks(house, run, "eve", "leave alba"))
    run()
    assert "Eve Adams wants the seat bob in Tally of Alba no longer" in text(house.got("gm-alba")[-1])
    replies(house, "gm-alba", asked)
    run()
    assert player(alba, "bob").email == () and "wants it no longer" in text(house.got("gm-alba")[-1])


def test_of_a_campaign_that_lies_there_twice_no_seat_is_given(house: House, run) -> None:
    alba = frees(house, "alba", "bob")
    file = alba / "campaign.yaml"
    file.write_text(re.sub("public_seed: .*\n", "", file.read_text()))  # with one nobody minds a copy
    question = asks(house, run, "eve", "join alba")
    copy = shutil.copytree(alba, house.folder / "copy")
    run()
    replies(house, "eve", question)
    run()
    assert player(alba, "bob").email == () == player(copy, "bob").email
    shutil.rmtree(copy)
    run()
    assert player(alba, "bob").email == ("eve@example.org",)


@pytest.mark.parametrize(
    "subject", ["join [Tally of Alba]", "Re: join [Tally of Alba] as bob", "join [alba]", "join Tally of Alba [EXT]"]
)
def test_a_campaign_is_named_as_the_list_has_it(house: House, run, subject: str) -> None:
    frees(house, "alba", "bob")
    assert asks(house, run, "eve", subject)["Subject"] == "[The North] Please confirm: join Tally of Alba"


def test_a_yes_to_a_question_whose_seat_was_given_by_hand_is_answered(house: House, run) -> None:
    alba = frees(house, "alba", "bob", "cyn", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "join alba"))
    run()
    asked = house.got("gm-alba")[-1]
    assert main(["invite", str(alba), "bob", "tom@example.org", "--name", "Tom"]) == 0
    run()
    assert "asks for the seat cyn" in house.got("gm-alba")[-1]["Subject"]
    replies(house, "gm-alba", asked)
    run()
    assert "That seat is not free any more" in text(house.got("gm-alba")[-1]) and player(alba, "cyn").email == ()


def test_a_gm_hears_when_a_standby_takes_the_yes_back(house: House, run) -> None:
    alba = frees(house, "alba", newcomers="ask")
    replies(house, "eve", asks(house, run, "eve", "standby alba"))
    run()
    frees(house, "alba", "bob")
    run()
    offer = house.got("eve")[-1]
    for words in ("yes", "no"):
        replies(house, "eve", offer, words)
        run()
    assert "wants the seat bob in Tally of Alba no longer" in text(house.got("gm-alba")[-1])
    replies(house, "gm-alba", house.got("gm-alba")[-2])
    run()
    assert player(alba, "bob").email == ()


def test_who_takes_a_confirmation_back_waits_for_no_gm_until_they_confirm_again(house: House, run, capsys) -> None:
    alba = frees(house, "alba", "bob", newcomers="ask")
    question = asks(house, run, "eve", "join alba")
    for words in ("yes", "no"):
        replies(house, "eve", question, words)
        run()
    capsys.readouterr()
    assert main(["status", str(alba)]) == 0 and "asks for the seat" not in capsys.readouterr().out
    replies(house, "gm-alba", house.got("gm-alba")[-1])
    run()
    assert player(alba, "bob").email == () and "wants it no longer" in text(house.got("gm-alba")[-1])
    replies(house, "eve", question, "yes")
    run()
    assert player(alba, "bob").email == ("eve@example.org",)
