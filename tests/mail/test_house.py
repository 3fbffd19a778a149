"""Campaigns that share one mail address: which campaign a mail goes to, what becomes of the rest, one connection each way."""

from __future__ import annotations

import re
import shutil
from datetime import timedelta
from email import message_from_bytes
from typing import Any

import pytest

from kingdom.campaign import clock, lock
from kingdom.cli.main import main
from kingdom.mail.servers import imap
from tests.kit.housekit import ADDRESS, NOW, House, text
from tests.kit.mailservers import from_a_machine
from tests.kit.tiny_game import contents

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]


def test_each_mail_goes_to_its_campaign_over_one_connection_each_way(house: House, run) -> None:
    run()
    before, connections = len(house.box.commands()), house.post.connections
    report = house.got("ann")[0]
    house.mail("ann", "Re: " + report["Subject"], "take: 2", In_Reply_To=report["Message-ID"])
    house.mail("bob", "Orders bob 1 [bbbbbbern]")
    house.mail("cyn", "Orders cyn 1 CCCCCCAEN")
    house.mail("cyn", "my orders", "kingdom: cyn\nturn: 1\ntoken: cccccalba\ntake: 3")
    house.mail("ann", "[Tally of Bern] a question", "May I?")
    code, out, err = run()
    assert (code, err) == (0, "")
    assert out.startswith("5 mails came, 0 of them for no campaign or for several.\n")
    answered = report["Subject"].split("]")[0].split()[-1].lower()
    assert ("ann", "accepted") in house.handled(answered)
    assert ("bob", "accepted") in house.handled("bern") and ("ann", "refused") in house.handled("bern")
    assert ("cyn", "accepted") in house.handled("caen") and ("cyn", "accepted") in house.handled("alba")
    assert sum(len(house.handled(name)) for name in ("alba", "bern", "caen")) == 5
    assert house.box.messages() == [] and len(house.box.messages("Processed")) == 5
    assert house.post.connections == connections + 1
    assert [line.split()[0] for line in house.box.commands()[before:]].count("LOGOUT") == 1
    assert all(ADDRESS in mail["From"] and ADDRESS in mail["Reply-To"] for mail in house.got("bob"))


def test_a_disk_that_takes_no_dates_loses_no_mail(house: House, run, monkeypatch) -> None:
    house.mail("bob", "Orders bob 1 [bbbbbbern]")

    def refuse(*given: object, **named: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("os.utime", refuse)
    assert run()[0] == 0
    assert house.handled("bern") == [("bob", "accepted")]


def test_what_fits_two_campaigns_is_asked_about_once_a_day(house: House, run) -> None:
    run()
    for _ in range(3):
        house.mail("ann", "status", "")
    run()
    (asked,) = [mail for mail in house.got("ann") if "For which campaign" in mail["Subject"]]
    assert "[Tally of Alba] or [Tally of Bern] or [Tally of Caen]" in text(asked)
    assert not any(house.handled(name) for name in ("alba", "bern", "caen"))
    house.mail("ann", "Orders ann 1 [Tally of Bern] [aaaaabern]")
    run()
    assert house.handled("bern") == [("ann", "accepted")]


def test_a_token_or_thread_of_two_campaigns_proves_nothing(house: House, run) -> None:
    run()
    shutil.copytree(house.folder / "bern", house.folder / "copy")
    report = [mail for mail in house.got("bob") if "Bern" in mail["Subject"]][0]
    house.mail("bob", "Re: report", In_Reply_To=report["Message-ID"])
    house.mail("cyn", "Orders cyn 1 [cccccbern]")
    run()
    assert not house.handled("bern") and not house.handled("copy")
    assert [mail["Subject"] for mail in house.got("bob")][-1] == "[The North] For which campaign is it?"
    config = house.folder / "copy" / "campaign.yaml"
    config.write_text(config.read_text().replace("Tally of Bern", "Tally of Cork"))
    house.mail("cyn", "Orders cyn 1 [Tally of Cork] [cccccbern]")
    run()
    assert house.handled("copy") == [("cyn", "accepted")] and not house.handled("bern")


def test_a_stranger_gets_one_answer_a_day_and_the_host_hears(house: House, run, monkeypatch) -> None:
    house.mail("eve", "May I play?", "I would like to.")
    house.mail("eve", "Hello?", "Anybody?")
    house.box.deliver(from_a_machine(1))
    assert run()[0] == 0
    house.mail("eve", "Hello??", "Anybody?")
    run()
    (answer,) = house.got("eve")
    assert (
        answer["Subject"] == "[The North] Nobody here knows this address" and answer["Auto-Submitted"] == "auto-replied"
    )
    assert "hal@example.org" not in answer.as_string() and "Tally" not in answer.as_string()
    first, second = house.got("hal")
    assert "2 mails came that fit no campaign" in text(first) and "eve@example.org: May I play?" in text(first)
    assert "1 mail came" in text(second)
    assert len(list((house.folder / "mail" / "inbox").glob("*.eml"))) == 4
    monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(days=1))
    house.mail("eve", "Still here", "Anybody?")
    run()
    assert len(house.got("eve")) == 2


def test_an_answer_to_a_stranger_proves_nothing_about_anybody(house: House, run) -> None:
    house.mail("eve", "May I play?", "I would like to.")
    run()
    (answer,) = house.got("eve")
    house.mail("eve", "Re: status", "status", In_Reply_To=answer["Message-ID"], References=answer["References"])
    run()
    assert not any(house.handled(name) for name in ("alba", "bern", "caen")) and len(house.got("hal")) == 2


def test_strangers_together_get_so_many_answers_a_day(house: House, run, monkeypatch) -> None:
    monkeypatch.setattr("kingdom.mail.house.joining.MOST_A_DAY", 3)
    for number in range(9):
        house.mail(f"eve{number}", "May I play?")
    run()
    assert sum("Nobody here knows" in str(message_from_bytes(one.data)["Subject"]) for one in house.post.received) == 3
    full, strays = house.got("hal")
    assert "answered so many mails of strangers today" in text(full) and "9 mails came" in text(strays)


def test_killed_between_the_disk_and_the_server_nothing_is_doubled(house: House, run, monkeypatch) -> None:
    class Killed(BaseException):
        pass

    def killed(*given: Any) -> None:
        raise Killed

    run()
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    house.mail("eve", "May I play?")
    with monkeypatch.context() as patch:
        patch.setattr(imap.Mailbox, "done", killed)
        with pytest.raises(Killed):
            run()
    assert len(house.box.messages()) == 2
    for _ in range(2):
        assert run()[0] == 0
    assert house.box.messages() == [] and house.handled("alba") == [("ann", "accepted")]
    assert len(house.got("eve")) == 1 and len(house.got("hal")) == 1
    assert len([mail for mail in house.got("ann") if mail["Auto-Submitted"] == "auto-replied"]) == 1


def test_a_second_run_on_the_same_house_says_so_and_does_nothing(house: House, run) -> None:
    data = house.mail("ann", "Orders ann 1 [aaaaaalba]")
    with lock.held(house.folder, "run", "house"):
        before = contents(house.folder)
        for words in ((), (str(house.folder / "alba"),)):
            code, out, err = run(*words)
            assert (code, out) == (3, "") and err.startswith(
                f"{house.folder}: another run holds this house (kingdom run,"
            )
        assert contents(house.folder) == before and house.box.messages() == [data]


def test_no_turn_is_played_while_the_house_cannot_fetch(house: House, run, monkeypatch) -> None:
    with monkeypatch.context() as before:
        before.setattr(clock, "now", lambda: NOW - timedelta(days=9))
        run()
    for name in ("alba", "bern"):
        config = house.folder / name / "campaign.yaml"
        config.write_text(config.read_text() + "calendar: {deadline: 2026-11-21T12:45, zone: UTC, every: 7d}\n")
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    config = house.folder / "house.yaml"
    right = config.read_text()
    config.write_text(right.replace(f"{house.box.server().port}", "1"))
    code, _, err = run()
    assert code == 4 and not list(house.folder.glob("*/turns/0001"))
    assert err.count("takes no calls") == 1, err
    config.write_text(right)
    assert run()[0] == 0
    assert len(list(house.folder.glob("*/turns/0001"))) == 2 and house.handled("alba") == [("ann", "accepted")]
    assert "take" in (house.folder / "alba/turns/0001/orders/ann.yaml").read_text()


def test_a_deadline_that_passes_while_others_are_played_is_for_the_next_run(house: House, run, monkeypatch) -> None:
    """Mail that came meanwhile lies on the server, and may be in time."""
    with monkeypatch.context() as before:
        before.setattr(clock, "now", lambda: NOW - timedelta(days=9))
        run()
    config = house.folder / "caen" / "campaign.yaml"
    config.write_text(config.read_text() + "calendar: {deadline: 2026-11-21T13:00, zone: UTC, every: 7d}\n")
    at = iter([NOW - timedelta(seconds=10)])
    monkeypatch.setattr(clock, "now", lambda: next(at, NOW + timedelta(minutes=5)))
    run()
    assert not (house.folder / "caen/turns/0001").exists()
    run()
    assert (house.folder / "caen/turns/0001").exists()


def test_the_index_is_made_again_from_the_campaigns(house: House, run) -> None:
    run()
    report = [mail for mail in house.got("cyn") if "Caen" in mail["Subject"]][0]
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    run()
    index = house.folder / "mail" / "index.sqlite"
    index.write_bytes(b"this is no database" * 100)
    house.mail("cyn", "Re: report", In_Reply_To=report["Message-ID"])
    assert run()[0] == 0
    assert house.handled("caen") == [("cyn", "accepted")]


def test_a_campaign_that_cannot_be_opened_gets_its_mail_later_and_the_host_hears_once(house: House, run) -> None:
    run()
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    run()
    config = house.folder / "alba" / "campaign.yaml"
    right = config.read_text()
    config.write_text("nmae: x\n")
    house.mail("bob", "Orders bob 1 [bbbbbalba]")
    house.mail("bob", "Orders bob 1 [bbbbbbern]")
    for _ in range(2):
        assert run()[0] == 1
    (told,) = house.got("hal")
    assert "campaign can't be opened" in told["Subject"] and "`nmae` is not a key" in text(told)
    assert house.handled("bern") == [("bob", "accepted")]
    config.write_text(right)
    assert run()[0] == 0
    assert house.handled("alba") == [("ann", "accepted"), ("bob", "accepted")]


def test_a_run_of_one_campaign_takes_in_the_mail_of_its_house(house: House, run) -> None:
    run()
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    house.mail("bob", "Orders bob 1 [bbbbbbern]")
    assert run(str(house.folder / "alba"))[0] == 0
    assert house.handled("alba") == [("ann", "accepted")] and house.handled("bern") == []
    run()
    assert house.handled("bern") == [("bob", "accepted")]


def test_a_folder_with_a_house_of_somebody_else_is_none(house: House, monkeypatch) -> None:
    from kingdom.campaign import house as houses

    assert houses.around(house.folder / "alba") is not None
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    shown = (house.folder / "alba").stat().st_uid
    assert (houses.around(house.folder / "alba") is not None) == (shown == (house.folder / "house.yaml").stat().st_uid)


def test_a_new_token_is_none_that_a_seat_of_the_house_has(house: House, monkeypatch, capsys) -> None:
    made = iter(["aaaaacaen", "bbbbbalba", "gggggalba", "nnnnnnew"])
    monkeypatch.setattr("kingdom.campaign.settings.new_token", lambda: next(made))
    assert main(["invite", str(house.folder / "bern"), "ann", "zoe@example.org"]) == 0
    assert "nnnnnnew" in (house.folder / "bern" / "campaign.yaml").read_text()


def test_mail_check_tries_the_mailbox_of_the_house(house: House, capsys) -> None:
    config = house.folder / "house.yaml"
    config.write_text(config.read_text().replace(f"{house.box.server().port}", "1"))
    for words in ([str(house.folder)], [str(house.folder / "alba")]):
        assert main(["mail", "check", *words]) == 4
        said = capsys.readouterr().out
        assert said.startswith(f"{house.folder} has the mailbox (house.yaml) of all its campaigns.")
        assert (
            "imap: WRONG. The IMAP server localhost, port 1, takes no calls." in said and "smtp: all is well." in said
        )


def test_a_dry_run_and_mail_fetch_name_the_house_that_fetches(house: House, run, capsys) -> None:
    run()
    data = house.mail("ann", "Orders ann 1 [aaaaaalba]")
    assert f"The mail of the house {house.folder} would be fetched" in run("--dry-run", str(house.folder / "alba"))[1]
    assert main(["mail", "fetch", str(house.folder / "alba")]) == 0
    assert f"`kingdom run {house.folder}` fetches the mail of the house" in capsys.readouterr().err
    assert house.box.messages() == [data]


def test_the_cure_of_what_fits_two_campaigns_works_to_the_letter(house: House, run) -> None:
    """A reply to our question with one of the names is taken there, without a token: only who got the question can reply to it."""
    run()
    house.mail("ann", "Orders", "take: 1")
    run()
    asked = house.got("ann")[-1]
    names = re.findall(r"\[Tally of \w+\]", text(asked))
    assert names == ["[Tally of Alba]", "[Tally of Bern]", "[Tally of Caen]"]
    for name in names[:2]:
        house.mail("ann", f"Re: {asked['Subject']} {name}", "take: 2", In_Reply_To=asked["Message-ID"])
    house.mail("ann", f"Re: {asked['Subject']}", "Tally of Caen\n\ntake: 2", In_Reply_To=asked["Message-ID"])
    house.mail("eve", f"Re: {asked['Subject']} [Tally of Alba]", "take: 3", In_Reply_To=asked["Message-ID"])
    run()
    assert sorted(house.handled("alba")) == [("", "refused"), ("ann", "accepted")]
    assert house.handled("bern") == [("ann", "accepted")] and house.handled("caen") == [("ann", "accepted")]


def test_a_reply_to_the_question_that_names_none_is_asked_about_again(house: House, run) -> None:
    run()
    house.mail("ann", "Orders", "take: 1")
    run()
    asked = house.got("ann")[-1]
    house.mail("ann", f"Re: {asked['Subject']}", "take: 2", In_Reply_To=asked["Message-ID"])
    run()
    assert house.got("ann")[-1]["Subject"] == asked["Subject"] and house.got("ann")[-1] != asked
    assert not any(house.handled(name) for name in ("alba", "bern", "caen"))


@pytest.mark.parametrize(
    "name", ["The North", "A very long name of a campaign that no subject holds", "The [old] North", "Tally of Bern"]
)
def test_the_cure_works_for_campaigns_of_any_name(house: House, run, name: str) -> None:
    """Also for one that is called as the house, and for two of one name."""
    config = house.folder / "alba" / "campaign.yaml"
    config.write_text(config.read_text().replace("name: Tally of Alba", f"name: {name!r}"))
    run()
    house.mail("ann", "Orders", "take: 1")
    run()
    asked = house.got("ann")[-1]
    (first, *_) = re.findall(r"\[[^\]]+\]", text(asked).partition("into the subject,")[2])
    house.mail("ann", f"Re: {asked['Subject']} {first}", "take: 2", In_Reply_To=asked["Message-ID"])
    run()
    assert house.handled("alba") == [("ann", "accepted")] and not house.handled("bern")


@pytest.mark.parametrize(
    ("subject", "words", "is_asked"),
    [
        ("Re: {subject}", "take: 2", False),
        ("Re: {subject} [Tally of Alba]", "take: 2", True),
        ("[Tally of Alba] my orders", "take: 2", True),
        ("[alba] my orders", "take: 2", True),
        ("Orders ann 1 [aaaaaalba]", "take: 2", True),
        ("Re: {subject}", "kingdom: ann\nturn: 1\ntoken: aaaaaalba\ntake: 2", True),
        ("Re: {subject}", "kingdom: ann\nturn: 1\ntoken: aaaaabern\ntake: 2", False),
        ("Re: {subject} [Tally of Bern]", "take: 2", False),
    ],
)
def test_a_thread_of_one_campaign_with_the_name_or_token_of_another_is_asked_about(
    house: House, run, subject: str, words: str, is_asked: bool
) -> None:
    run()
    (report,) = [mail for mail in house.got("ann") if "Bern" in mail["Subject"]]
    house.mail("ann", subject.format(subject=report["Subject"]), words, In_Reply_To=report["Message-ID"])
    run()
    assert house.handled("bern") == ([] if is_asked else [("ann", "accepted")]) and not house.handled("alba")
    asked = house.got("ann")[-1]
    assert is_asked == (asked["Subject"] == "[The North] For which campaign is it?")
    if is_asked:
        assert "[Tally of Alba] or [Tally of Bern]" in text(asked) and "Caen" not in text(asked)
        head = {"In_Reply_To": asked["Message-ID"], "References": f"{report['Message-ID']} {asked['Message-ID']}"}
        house.mail("ann", f"Re: {asked['Subject']} [Tally of Alba]", "take: 2", **head)
        run()
        assert house.handled("alba") == [("ann", "accepted")] and not house.handled("bern")
        (filed,) = [
            mail for mail in house.got("ann") if "Tally of Alba" in mail["Subject"] and "Filed" in mail["Subject"]
        ]
        house.mail(
            "ann", f"Re: {filed['Subject']}", "take: 3", In_Reply_To=filed["Message-ID"], References=filed["References"]
        )
        run()
        assert len(house.handled("alba")) == 2, "an answer to a campaign's mail is no answer to the older question"


@pytest.mark.parametrize(
    "said", ["0: 13 BP, Unrest 3, anarchy 57 %", "Report of turn 0", "0, corrected: 9 BP, Unrest 1"]
)
@pytest.mark.parametrize("mark", ["Re:", "Uudelleen:", "Why so? (was:"])
def test_the_name_before_a_report_s_figures_tells_the_campaign(house: House, run, mark: str, said: str) -> None:
    run()
    house.mail("ann", f"{mark} [Tally of Bern] {said}", "kingdom: ann\nturn: 1\ntoken: aaaaabern\ntake: 2")
    run()
    assert house.handled("bern") == [("ann", "accepted")] and not house.handled("alba")


def test_a_token_of_one_campaign_with_the_name_of_another_is_asked_about(house: House, run) -> None:
    run()
    house.mail("ann", "[Tally of Bern] Orders ann 1 [aaaaaalba]")
    run()
    assert not house.handled("bern") and not house.handled("alba")
    assert "For which campaign" in house.got("ann")[-1]["Subject"]


def test_the_host_gets_the_words_of_mail_for_no_campaign(house: House, run) -> None:
    house.mail(
        "eve",
        "May I play?",
        "Hello,\nI would like to.\n\nIs <b>Alba</b> good for beginners?\n\n> On Monday ann wrote:\n> secret",
    )
    house.mail("zoe", "Token aaaaaalba", "My friend's token is aaaaaalba, is it not?\nIt is!")
    house.mail("max", "Long", "\n".join(f"line {number}" for number in range(99)))
    run()
    (told,) = house.got("hal")
    whole = text(told)
    assert "From eve@example.org: May I play? " in whole and "Is <b>Alba</b> good for beginners?" in whole
    assert (
        "secret" not in whole
        and "aaaaaalba" not in told.as_string()
        and "*** is it not?" in whole.replace("***,", "***")
    )
    assert "line 29 (and 69 more lines)" in whole
    html = told.get_body(("html",)).get_content()
    assert "&lt;b&gt;Alba" in html and "<b>Alba" not in html


def test_a_reply_to_a_mail_of_the_house_is_for_the_house(house: House, run) -> None:
    """Also of somebody who plays in one campaign, which would get it as theirs."""
    config = house.folder / "alba" / "campaign.yaml"
    config.write_text(config.read_text().replace("bob@", "zoe@"))
    run()
    house.mail("zoe", "list", "")
    run()
    answer = house.got("zoe")[-1]
    house.mail(
        "zoe", f"Re: {answer['Subject']}", "Which of them is good for a beginner?", In_Reply_To=answer["Message-ID"]
    )
    run()
    assert not house.handled("alba") and "good for a beginner" in text(house.got("hal")[-1])


def test_a_host_who_plays_in_two_campaigns_is_asked_as_others_are(house: House, run) -> None:
    for name in ("alba", "bern"):
        config = house.folder / name / "campaign.yaml"
        config.write_text(config.read_text().replace("ann@", "hal@"))
    run()
    house.mail("hal", "Orders", "take: 1")
    run()
    assert "For which campaign" in house.got("hal")[-1]["Subject"]


def test_a_server_that_lets_the_house_send_nothing_drops_no_campaigns_mail_and_is_said_once(house: House, run) -> None:
    people = ("ann", "bob", "cyn", *(f"gm-{name}" for name in ("alba", "bern", "caen")))
    house.post.answers |= {
        f"{one}@example.org": f"554 5.7.1 <{one}@example.org>: Relay access denied" for one in people
    }
    code, said, errors = run()
    assert code == 5 and errors.count("Relay access denied") == 1 and "refused for good" in said
    journals = [(house.folder / name / "mail" / "journal.jsonl").read_text() for name in ("alba", "bern", "caen")]
    assert not any('"dropped"' in journal for journal in journals)
    asked = sum(journal.count('"failed"') for journal in journals)
    assert asked == 5  # three of the first, then one of each
    house.post.answers.clear()
    assert run()[0] == 0
    assert len(house.post.received) == 12 and {mail.to[0].partition("@")[0] for mail in house.post.received} == {
        *people
    }


def test_a_reply_goes_to_its_campaign_where_another_has_the_same_name(house: House, run) -> None:
    for name in ("alba", "bern"):
        config = house.folder / name / "campaign.yaml"
        config.write_text(re.sub("name: Tally.*", "name: Base", config.read_text()))
    run()
    for report in [mail for mail in house.got("ann") if "[Base]" in mail["Subject"]]:
        house.mail("ann", f"Re: {report['Subject']}", "take: 2", In_Reply_To=report["Message-ID"])
    house.mail("bob", "[Base] Orders bob 1 [bbbbbbern]", "take: 2")
    run()
    assert house.handled("alba") == [("ann", "accepted")]
    assert sorted(house.handled("bern")) == [("ann", "accepted"), ("bob", "accepted")]
    house.mail("cyn", "[Base] Orders", "take: 1")
    run()
    assert "[alba] or [bern]" in text(house.got("cyn")[-1])
    house.mail("cyn", "Re: For which campaign is it? [bern]", "take: 1", In_Reply_To=house.got("cyn")[-1]["Message-ID"])
    run()
    assert ("cyn", "accepted") in house.handled("bern") and len(house.handled("alba")) == 1


def test_a_thread_with_tokens_of_its_campaign_and_of_another_is_asked_about(house: House, run) -> None:
    run()
    report = [mail for mail in house.got("ann") if "Bern" in mail["Subject"]][0]
    house.mail("ann", "Orders ann 1 [aaaaabern] [aaaaaalba]", "take: 2", In_Reply_To=report["Message-ID"])
    run()
    assert not house.handled("bern") and not house.handled("alba")


def test_a_mail_that_the_program_fails_over_goes_to_the_host_and_stops_nobody(house: House, run, monkeypatch) -> None:
    from kingdom.mail.reading import parts

    def fails(data: bytes) -> Any:
        if b"deep" in data:
            raise RecursionError
        return right(data)

    right = parts.read
    monkeypatch.setattr(parts, "read", fails)
    house.mail("eve", "token", "token deep")
    house.mail("ann", "Orders ann 1 [aaaaaalba]")
    assert run()[0] == 0
    assert house.handled("alba") == [("ann", "accepted")]
    assert "(nothing that can be read)" in text(house.got("hal")[-1])


def test_an_answer_to_a_campaign_that_moved_away_is_for_none(house: House, run) -> None:
    """It was written for another GM than that of the one campaign that lists its writer still."""
    config = house.folder / "caen" / "campaign.yaml"
    config.write_text(config.read_text().replace("bob@", "zoe@"))
    run()
    report = [mail for mail in house.got("bob") if "Bern" in mail["Subject"]][0]
    shutil.move(house.folder / "bern", house.folder.parent / "bern")
    house.mail("bob", f"Re: {report['Subject']}", "Dear GM, Ann is up to something.", In_Reply_To=report["Message-ID"])
    house.mail("bob", "Re: your turn", "Orders", In_Reply_To="<CAB-x.0123456789abcdef@mail.gmail.com>")
    run()
    assert house.handled("alba") == [("bob", "refused")]  # the second, by its address
    assert "Ann is up to something" in text(house.got("hal")[-1])


def test_a_delivery_report_goes_by_our_references_where_a_relay_writes_its_own_message_id(house: House, run) -> None:
    """All three campaigns have a seat of that name and address; the thread says whose mail it was."""
    run()
    (report,) = [mail for mail in house.got("ann") if "Bern" in mail["Subject"]]
    back = (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.example.org\r\nTo: play@example.org\r\nSubject: Undelivered\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n'
        "Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; ann@example.org\r\nAction: failed\r\n"
        "Diagnostic-Code: smtp; 550 5.1.1 User unknown\r\n\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"Message-ID: <0100018c@relay.example>\r\nReferences: {report['References']}\r\n\r\n--b--\r\n"
    )
    house.box.deliver(back.encode())
    run()
    assert [len(house.handled(name)) for name in ("alba", "bern", "caen")] == [0, 1, 0]
    assert "ann@example.org came back" in " ".join(text(mail) for mail in house.got("gm-bern"))


@pytest.mark.parametrize("marks", ["Re: ", "AW: Re: ", "Re: AW: Fwd: "])
@pytest.mark.parametrize("is_folded", [False, True], ids=["one line", "folded"])
def test_a_name_with_brackets_and_of_many_words_routes_a_reply_whose_thread_is_lost(
    house: House, run, marks: str, is_folded: bool
) -> None:
    file = house.folder / "alba" / "campaign.yaml"
    long = "Tally [old] of a far land, of which nobody here has ever heard a word"
    file.write_text(file.read_text().replace("name: Tally of Alba", f'name: "{long}"'))
    run()
    (report,) = [mail for mail in house.got("ann") if "Tally (old)" in mail["Subject"]]
    subject = " ".join(f"{marks}{report['Subject']}".split())
    folded = subject.replace(" far", "\r\n far").replace("] ", "]\r\n ") if is_folded else subject
    house.mail("ann", folded, "take: 2")  # no token: the name alone says where it goes
    house.mail("bob", f"{marks}[Tally of Bern] Report of turn 0", "take: 2")
    run()
    assert [name for name in ("alba", "bern", "caen") if house.handled(name)] == ["alba", "bern"]
    assert house.handled("alba")[0][0] == "ann" and house.handled("bern")[0][0] == "bob"
    assert not [mail for mail in house.got("ann") if "For which campaign" in mail["Subject"]]
