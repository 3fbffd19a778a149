"""What the campaign sends of its own accord: reports, reminders, digests, welcome mails, news of a deadline."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import settings, store
from kingdom.cli.main import main
from kingdom.mail.outgoing import deadlines, letters, mail_page, notices, posting, reporting, welcoming
from kingdom.mail.outgoing.letters import LARGEST_INLINE, Enclosed
from kingdom.mail.tokens import turn_token
from kingdom.render import pictures
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post, enclosed, html_of, later, links, long_lines, pressed, tags, text_of
from tests.kit.tiny_game import file_orders, write

AGAIN = "Order again: taxation: light"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        folder = tmp_path_factory.mktemp("posting") / "campaign"
        postkit.campaign(folder)
        file_orders(
            folder,
            3,
            "examplia",
            "claim: 0102\ntaxation: light\nmessages: [{to: borderia, text: Hello}]\nrequests: May I dig?\nfinal: true\n",
        )
        assert main(["turn", "--yes", str(folder)]) == 0
        return folder


@pytest.fixture
def post(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    yield postkit.fresh(made, tmp_path / "campaign")


def reports(post: Post) -> dict[str, object]:
    """To -> the report's mail."""
    made = post.queue(posting.reports(post.campaign, post.journal, post.now))
    return {letter.kingdom: post.letter(letter.id) for letter in made}


# --- reports


def test_each_player_gets_text_page_form_and_deadline_in_one_mail(post: Post) -> None:
    found = reports(post)
    assert set(found) == {"examplia", "borderia", "gm"}
    mail = found["examplia"]
    assert (
        mail["To"] == "ada@example.org"
        and re.fullmatch(r"\[The two fords\] 3: -?\d+ BP, Unrest \d+(, [a-z ]+ (over |under )?\d+ %)?", mail["Subject"])
        and mail["Reply-To"] == "orders@example.org"
    )
    assert mail["Auto-Submitted"] == "auto-generated"
    assert set(enclosed(mail)) == {
        "examplia-0003.html",
        "record.json",
        "orders-0004.txt",
        "deadline.ics",
        "form-0004.html",
    }
    assert "The order form is attached as a page too." in " ".join(text_of(mail).split())
    kept = post.folder / "turns/0003/reports"
    page = enclosed(mail)["examplia-0003.html"].decode().replace("\r\n", "\n")
    before = (kept / "examplia.html").read_text()
    token = turn_token(post.campaign, "examplia", 4)
    assert "mailto:" in page and token in page and token not in before, (
        "the links stand in what is sent, not in what is kept"
    )
    assert "k7f3q" not in page + mail.as_string(), "a report that is passed on gives the seat of no later turn away"
    assert len(page) > len(before) and page.endswith(before[-200:])
    text = text_of(mail)
    first, _, second = (kept / "examplia.txt").read_text().partition("\n=== EVERYTHING ELSE")
    assert first.partition("\n\n")[2].strip() in text and "=== EVERYTHING" not in text and second
    due = "your orders for turn 4 are due Friday 25 December 2026, 18:00 (Europe/Berlin)"
    assert " ".join(text.split()).count(due) == " ".join(text.split()).count("18:00") == 1, "one deadline"
    assert (
        "\nORDER FORM FOR TURN 4\n" in text
        and len(text.partition("kingdom: examplia")[2].partition("\n\n")[0].splitlines()) <= 25
    )
    assert "The sheet and its sources" not in html_of(mail) and "What happened" in html_of(mail)
    assert not long_lines(text)


def test_the_subject_has_the_report_s_figures_unless_the_gm_wants_it_plain(made: Path, tmp_path: Path) -> None:
    for switch, said in (("", r"3: -?\d+ BP, Unrest \d+.*"), ("subject: plain\n", "Report of turn 3")):
        post = postkit.fresh(made, tmp_path / f"campaign{len(switch)}", CAMPAIGN + switch)
        found = reports(post)
        for seat in ("examplia", "borderia"):
            assert re.fullmatch(r"\[The two fords\] " + said, found[seat]["Subject"])
        assert found["gm"]["Subject"] == "[The two fords] Your book of turn 3"


def test_every_link_of_a_report_files_what_it_says(post: Post) -> None:
    found = links(reports(post)["examplia"])
    assert set(found) == {AGAIN, "Write a mail with the order form in it"}
    assert post.press(found[AGAIN], "examplia").outcome == "accepted"
    assert post.filed(turn=4) == {"edicts": {"taxation": "light"}}, "what was carried out can't be done again"
    assert "WOULD BE REFUSED" not in text_of(post.answer())
    assert post.press(found["Write a mail with the order form in it"], "examplia").outcome == "accepted"
    assert post.filed(turn=4)["edicts"] == {"holiday": "very_long", "promotion": "none", "taxation": "light"}


@pytest.mark.parametrize(
    ("orders", "again"),
    [
        ("claim: 0103\nmessages: {borderia: Hello}\n", {}),
        ("improve: road 0404\ntaxation: heavy\n", {"Order again: taxation: heavy": "taxation: heavy"}),
        ("holiday: short\ntaxation: light\n", {"The same orders as last turn": "holiday: short\ntaxation: light"}),
        ("claim: 0103 0201\n", {"Order again: claim: 0201": "claim: 0201"}),  # beyond the limit, and it counts anew
    ],
)
def test_what_is_over_when_it_is_done_is_not_proposed_again(post: Post, orders: str, again: dict[str, str]) -> None:
    """The link says what it holds; where nothing of the orders can be given again there is none."""
    post.mail("examplia", orders, "Orders examplia 4")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    made = reporting.again(post.campaign, campaigns.kept(post.campaign), "examplia")
    assert {link.name: "\n".join(link.lines) for link in made} == again


def test_a_plain_reply_to_a_report_is_a_filing(post: Post) -> None:
    mail = reports(post)["examplia"]
    quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    body = f"taxation: heavy\n\nOn Wed, 16 Dec 2026 at 12:00, The two fords <orders@example.org> wrote:\n{quoted}"
    fate = post.mail("examplia", body, f"Re: {mail['Subject']}", token="", **{"In-Reply-To": mail["Message-ID"]})
    assert fate.outcome == "accepted" and post.filed(turn=4) == {"edicts": {"taxation": "heavy"}}


def test_the_attached_form_is_a_valid_filing(post: Post) -> None:
    form = enclosed(reports(post)["borderia"])["orders-0004.txt"].decode()
    assert post.mail("borderia", form, "Orders borderia 4").outcome == "accepted"


def test_reports_are_made_once(post: Post) -> None:
    reports(post)
    assert posting.reports(post.campaign, post.journal, post.now + later(days=1)) == []


def test_a_turn_resolved_again_sends_reports_that_say_so(post: Post) -> None:
    reports(post)
    post.forward()
    write(
        post.folder,
        "orders/0003/gm.yaml",
        'turn: 3\ngm: [{grant: examplia, account: treasury, by: 5, reason: "a gift"}]\n',
    )
    assert main(["redo", str(post.folder), "--yes"]) == 0
    again = reports(post)
    assert set(again) == {"examplia", "borderia", "gm"}
    assert "This report corrects an earlier one of turn 3" in " ".join(text_of(again["examplia"]).split())
    assert "corrects an earlier one" in html_of(again["examplia"])


SECRET = "turn: 4\ntell: [{to: examplia, text: Your spy sits in Fordham.}]\n"  # it was for somebody else


@pytest.mark.parametrize("seen", [True, False])
def test_who_never_saw_a_report_is_not_told_what_the_gm_took_out_of_it(post: Post, seen: bool) -> None:
    """Who saw it reads what is other now."""
    write(post.folder, "orders/0004/gm.yaml", SECRET)
    assert main(["turn", str(post.folder), "--yes"]) == 0
    post.mail("borderia", "", "status")  # the campaign has mail
    reports(post)
    if seen:
        post.forward()
    report = post.folder / "turns/0004/reports/examplia.txt"
    assert "Your spy sits in Fordham" in " ".join(report.read_text().split())
    write(post.folder, "orders/0004/gm.yaml", "turn: 4\n")
    assert main(["redo", str(post.folder), "--yes"]) == 0
    said = " ".join(report.read_text().split())
    assert ("no longer: tell: Your spy sits in Fordham" in said) == seen and ("spy" in said) == seen


@pytest.mark.parametrize("again", ["redo", "turn"])
@pytest.mark.parametrize("review", ["0h", "12h", "released"])
def test_a_report_speaks_of_an_earlier_one_only_where_there_may_be_one(
    tmp_path: Path, made: Path, again: str, review: str
) -> None:
    """One that waited for the GM's release reached nobody."""
    post = postkit.fresh(
        made,
        tmp_path / "fords",
        CAMPAIGN.replace("every: 7d", f"every: 7d, review: {review.replace('released', '12h')}"),
    )
    assert main(["turn", str(post.folder), "--yes"]) == 0
    posting.post(post.campaign, post.journal, post.now)
    if review == "released":
        assert main(["release", str(post.folder)]) == 0
    if review != "12h":
        post.forward()
    number = campaigns.newest(post.campaign)
    write(post.folder, f"orders/{number:04}/gm.yaml", f"turn: {number}\ntell: [{{to: examplia, text: Hear me.}}]\n")
    if again == "turn":
        assert main(["undo", str(post.folder)]) == 0
    assert main([again, str(post.folder), "--yes"]) == 0
    for ending in ("txt", "html"):
        said = " ".join((post.folder / f"turns/{number:04}/reports/examplia.{ending}").read_text().split())
        assert ("resolved again: this report takes the place of any earlier one." in said) == (review != "12h")
        assert ("The turn was resolved again before its report went out." in said) == (review == "12h")


def test_a_long_report_is_cut_in_the_mail_and_whole_in_the_page(post: Post) -> None:
    view = posting.head_of(post.campaign, post.journal, campaigns.kept(post.campaign), "examplia", post.now)
    report = "".join(
        f"CHAPTER {number}\n" + "A line of a very long report, with ümläuts.\n" * 20 + "\n" for number in range(200)
    )
    long = "".join(f"<section><h2>Chapter {number}</h2><p>{'x' * 9_000}</p></section>" for number in range(20))
    text, html, _ = posting.inline(view, report, f"<html><body><p>Dear Ada</p>{long}</body></html>")
    assert letters.size_inline(text, html) < LARGEST_INLINE
    assert "Dear Ada" in html and "<h2>Chapter 0</h2>" in html and "<h2>Chapter 19</h2>" not in html
    assert "In the attached page, whole:" in html and "Chapter 19." in html
    assert "&lt;/p" not in html
    assert "cut short" in text and "CHAPTER 0" in text and "CHAPTER 199" not in text
    assert text.endswith("ümläuts.\n"), "it ends with a whole paragraph"


def test_a_first_tier_of_many_letters_is_cut_behind_a_line_and_says_so(post: Post) -> None:
    view = posting.head_of(post.campaign, post.journal, campaigns.kept(post.campaign), "examplia", post.now)
    report = "Head\n" + "  | A line of a letter.\n" * 3_000 + "\n=== EVERYTHING ELSE ====\n--- THE SHEET ---\n"
    page = (
        f"<body><p>Head</p>{posting.LINKS}<p>{'x' * 200_000}</p><!-- everything --><section>the sheet</section></body>"
    )
    text, html, _ = posting.inline(view, report, page)
    assert letters.size_inline(text, html) < LARGEST_INLINE and "the sheet" not in html and "THE SHEET" not in text
    assert "A line of a letter.\n\nWhat stands here is cut short: the whole report is in the page.\n" in text


def test_the_mail_has_what_mail_programs_render(post: Post) -> None:
    """No script, no drawing but a picture that is a part of the message, nothing folded, no link that leads nowhere."""
    view = posting.head_of(post.campaign, post.journal, campaigns.kept(post.campaign), "examplia", post.now)
    drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><title>A &lt;b&gt; map</title><path d="M0 0h40v20z"/></svg>'
    long = "<p>the plains of Nowhere</p>" * 3_000
    page = (
        "<html><head><style>p { color: red }</style><script>alert(1)</script></head><body><nav><a href='#map'>Map</a></nav>"
        f"<h1>Us &amp; them</h1><section id='map'><h2>Map</h2>{drawing}<a href='#map'>here</a></section>"
        "<section><h2>Land</h2><details><summary>40 hexes</summary>"
        f"{long}</details>"
        "<details open><summary>2 towns</summary><p onclick='x()'>Oakhold</p></details></section></body></html>"
    )
    _, html, pictures = posting.inline(view, "text\n", page, "report-7")
    assert [picture.id for picture in pictures] == ["report-7-0@picture"] and pictures[0].data.startswith(b"\x89PNG")
    assert '<img src="cid:report-7-0@picture" alt="A &lt;b&gt; map" width="40"' in html
    for word in ("<svg", "<script", "alert", "onclick", "<details", "<nav", 'href="#', "Nowhere"):
        assert word not in html.partition("</head>")[2], word
    for words in (
        "Us &amp; them",
        "<em>40 hexes</em>: in the attached page.",
        "<strong>2 towns</strong></p><p>Oakhold</p>",
        "Land: 40 hexes.",
    ):
        assert words in html, words
    _, html, _ = posting.inline(view, "text\n", page.replace(long, "<p>the plains of Nowhere</p>"), "report-7")
    assert "Nowhere" in html and "In the attached page" not in html, "what has room is unfolded"


def test_charts_and_the_line_of_a_number_stand_in_the_attached_page_alone() -> None:
    drawn = [f'<svg class="{kind}" viewBox="0 0 9 9"><title>Unrest</title><polyline points="0,0"/></svg>' for kind in ("spark", "chart")]  # fmt: skip
    page = f"<body><p>Size 4{drawn[0]}</p><section><h2>Odds</h2>{drawn[1]}</section></body>"
    html, made, left_out = mail_page.body_of(page, 4_000, "report-7")
    assert "<p>Size 4</p>" in html and "<h2>Odds</h2>" in html and "Unrest" not in html
    assert not made and not left_out


def test_a_picture_without_room_is_drawn_smaller_and_then_only_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "png", lambda svg, width, small: bytes(width * 160))
    drawn = "".join(f'<svg viewBox="0 0 900 400"><title>Map {number}</title></svg>' for number in range(3))
    html, made, _ = mail_page.body_of(f"<body>{drawn}</body>", 4_000, "report-7")
    assert [len(one.data) for one in made] == [540 * 160, 270 * 160], "in twentieths of 900"
    assert html.count('width="540"') == 2 and "<p><em>Map 2</em>: in the attached page.</p>" in html


@pytest.mark.parametrize("size", [0, 1, 40_000, 60_000, 89_000, 500_000])
def test_the_inline_part_is_below_its_limit(post: Post, size: int) -> None:
    view = posting.head_of(post.campaign, post.journal, campaigns.kept(post.campaign), "examplia", post.now)
    text, html, _ = posting.inline(view, "=ü\n" * (size // 4), f"<body>{'ü' * (size // 2)}</body>")
    assert letters.size_inline(text, html) < LARGEST_INLINE


def test_who_is_away_is_told_in_all_reports_unless_it_is_switched_off(made: Path, tmp_path: Path) -> None:
    for switch, told in (("", True), ("absences: off\n", False)):
        post = postkit.fresh(made, tmp_path / f"campaign{told}", CAMPAIGN + switch)
        post.mail("borderia", "", "away 3")
        said = " ".join(text_of(reports(post)["examplia"]).split())
        assert ("Players: Bo (Borderia) is away until turn 6." in said) is told


def test_the_gm_gets_the_book_and_the_digest(post: Post) -> None:
    post.mail("eve@evil.example", "hi\n", "Buy [none1]")
    post.mail("borderia", "", "resign")
    text = " ".join(text_of(reports(post)["gm"]).split())
    assert "Turn 3 of The two fords is resolved." in text
    assert "No orders came from Bo (Borderia). A bot gave those of Bo (Borderia), as steward." in text
    assert "1 mail came from strangers" in text and "eve" not in text
    assert "Bo (Borderia) gave up the seat" in text
    assert "Ada (Examplia), request 1, still open: | May I dig?" in text


def test_the_last_report_tells_the_seed_and_asks_for_nothing(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "campaign", CAMPAIGN + "ends: {turn: 3}\n")
    found = reports(post)
    for seat in ("examplia", "gm"):
        assert (
            "public, this is a test" in text_of(found[seat])
            and "due on" not in text_of(found[seat]).split("AT A GLANCE")[0]
        )
    assert links(found["examplia"]) == {} and set(enclosed(found["examplia"])) == {"examplia-0003.html", "record.json"}


def test_a_seat_without_an_address_gets_no_mail(made: Path, tmp_path: Path) -> None:
    without = CAMPAIGN.replace("{name: Bo, email: bo@example.org, token: b8w2m}", "{name: Bo}").replace(
        "email: gm@example.org, ", ""
    )
    assert set(reports(postkit.fresh(made, tmp_path / "campaign", without))) == {"examplia"}


# --- the first lines


def test_a_mail_begins_with_what_happened(post: Post) -> None:
    """Thunderbird shows the first 250 letters of a mail in its list: they are no deadline and no heading."""
    text = text_of(reports(post)["examplia"])
    assert re.search(r"\nSize \d+.*; BP -?\d+.*; Unrest \d+", text[:400]), text[:400]


@pytest.mark.parametrize(("report", "said"), [
    ("Ada   Turn 2\n====\nAda, your orders are due.\n\n  Now     Round 2 of 9; the next council\n          ends round 3.\n  Points  0\n\n\nMORE\n", "Now: Round 2 of 9; the next council ends round 3. Points: 0."),
    ("Ada   Turn 2\n====\nOrders  None came in.\n", ""),
    ("Ada   Turn 2\n====\n\nWords without rows.\n", ""),
    (f"A\n=\n\nNow  x\nMore  {'y' * 300}\n", "Now: x."),
    ("", ""),
])  # fmt: skip
def test_the_rows_below_a_heading_are_told_in_a_line(report: str, said: str) -> None:
    assert posting.happened(report) == said


# --- the deadline


def test_the_deadline_is_a_calendar_file(post: Post) -> None:
    (file,) = deadlines.deadline_file(post.campaign, post.journal, 4, post.now)
    lines = file.data.decode().split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR" and lines[-1] == "" and lines[-2] == "END:VCALENDAR"
    assert (
        "DTSTART:20261225T163000Z" in lines
        and "DTEND:20261225T170000Z" in lines
        and "SUMMARY:The two fords: orders for turn 4 are due" in lines
    )
    assert all(len(line.encode()) <= 75 for line in lines)


def test_what_is_enclosed_goes_as_it_is_where_a_mail_leaves_it_so(post: Post) -> None:
    """Filters count base64 that no text needs; bytes that a mail would change stay in it. A page can't go as it is (its lines are
    long), but needs no base64, which would be a third more."""
    plain, marked = (
        Enclosed("a.txt", "text/plain", b"turn: 4\n# claim: 0404\n"),
        Enclosed("b.txt", "text/plain", "für\n".encode()),
    )
    quoted, long = Enclosed("c.txt", "text/plain", b"turn: 4\nFrom Ada\n"), Enclosed("d.csv", "text/csv", b"x" * 2000)
    page = Enclosed("e.html", "text/html", ("<p>für " + "x" * 2000 + "\nFrom Ada</p>\n").encode())
    greek = Enclosed("f.html", "text/html", ("Αθήνα" * 90 + "\n").encode())
    files = [plain, marked, quoted, long, page, greek]
    letter = letters.letter(
        post.campaign, "x", "x", "examplia", 4, "ada@example.org", letters.Content("x", "x", "", files), post.now
    )
    sent = message_from_bytes(letter.data, policy=default)
    assert [part["Content-Transfer-Encoding"] for part in sent.iter_attachments()] == [
        "7bit",
        "base64",
        "base64",
        "base64",
        "quoted-printable",
        "base64",
    ]
    assert not re.search(rb"^From ", letter.data, re.MULTILINE), "some programs would write >From"
    assert [part.get_payload(decode=True).replace(b"\r\n", b"\n") for part in sent.iter_attachments()] == [
        each.data for each in files
    ]


def test_a_long_or_odd_name_stays_in_its_line(made: Path, tmp_path: Path) -> None:
    name = "Ä, b; c\\\\d " + "ö" * 70
    post = postkit.fresh(made, tmp_path / "campaign", CAMPAIGN.replace("name: The two fords", f'name: "{name}"'))
    (file,) = deadlines.deadline_file(post.campaign, post.journal, 4, post.now)
    lines = file.data.decode().split("\r\n")
    assert lines.count("BEGIN:VEVENT") == 1 and all(len(line.encode()) <= 75 for line in lines)
    unfolded = file.data.decode().replace("\r\n ", "")
    assert "SUMMARY:Ä\\, b\\; c\\\\d" in unfolded


def test_a_deadline_that_moved_is_told_to_all_and_replaces_the_one_before(post: Post) -> None:
    (old,) = deadlines.deadline_file(post.campaign, post.journal, 4, post.now)
    post.mail("gm", "", "extend 2d")
    told = notices.moved(post.campaign, post.journal, 4, post.now)
    assert {letter.to for letter in told} == {"ada@example.org", "bo@example.org"}, "the answer told the GM"
    post.queue(told)
    mail = post.letter(told[0].id)
    assert "Sunday 27 December 2026, 18:00 (Europe/Berlin)" in " ".join(text_of(mail).split())
    new = enclosed(mail)["deadline.ics"].decode()
    uid = next(line for line in new.split("\r\n") if line.startswith("UID"))
    assert uid in old.data.decode() and "SEQUENCE:0" in old.data.decode() and "SEQUENCE:1" in new


def test_the_report_itself_names_the_deadline_that_was_put_off(post: Post) -> None:
    post.mail("gm", "", "extend 2d")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    report = " ".join((post.folder / "turns/0004/reports/examplia.txt").read_text().split())
    assert "orders for turn 5 are due Sunday 3 January 2027, 18:00 (Europe/Berlin)" in report


# --- reminders and the digest before the deadline


def test_a_reminder_has_the_form_and_the_links(post: Post) -> None:
    (letter,) = post.queue(notices.reminder(post.campaign, post.journal, "examplia", 4, "48h", post.now))
    mail = post.letter(letter.id)
    assert "Nothing is filed for Examplia yet." in text_of(mail) and "kingdom: examplia\nturn: 4\n" in text_of(mail)
    assert post.press(links(mail)[AGAIN], "examplia").outcome == "accepted"
    assert notices.reminder(post.campaign, post.journal, "examplia", 4, "48h", post.now) == []


def test_a_day_before_the_gm_is_told_who_is_missing(post: Post) -> None:
    post.mail("examplia", "taxation: light\n", "Orders examplia 4")
    (letter,) = post.queue(notices.before_deadline(post.campaign, post.journal, 4, post.now))
    text = " ".join(text_of(post.letter(letter.id)).split())
    assert letter.to == "gm@example.org"
    assert (
        "Nothing is filed yet for Bo (Borderia)." in text
        and "Ada (Examplia), request 1, still open: | May I dig?" in text
    )
    assert notices.before_deadline(post.campaign, post.journal, 4, post.now) == []


def test_a_turn_that_is_open_again_mails_what_is_promised_for_its_new_dice(post: Post) -> None:
    told = post.queue(notices.reopened(post.campaign, post.journal, 4, 2, post.now))
    text = text_of(post.letter(next(letter.id for letter in told if letter.kingdom == "examplia")))
    promised = campaigns.commitments(post.campaign, 4)
    assert promised["examplia"] in text and promised["gm"] in text and promised["borderia"] not in text


# --- status


def test_status_shows_how_the_mail_stands(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    reports(post)
    post.mail("eve@evil.example", "hi\n", "Buy this [none1]")
    capsys.readouterr()
    assert main(["status", str(post.folder)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 mail came from strangers" in said and "eve" not in said
    assert "3 mails wait in mail/outbox" in said and "examplia, request 1: May I dig?" in said


def test_who_takes_a_seat_over_and_all_others_hear_from_whom(post: Post) -> None:
    for address in ("bea@exampel.org", "bea@example.org"):
        assert main(["invite", str(post.folder), "borderia", address, "--name", "Bea"]) == 0
    newest = [id for id in post.journal.mails if id.startswith("welcome")][-1]
    assert "You play Borderia; Gm is the GM. You take over from Bo." in " ".join(text_of(post.letter(newest)).split())
    assert main(["turn", "--yes", str(post.folder)]) == 0
    said = {
        one.kingdom: text_of(post.letter(one.id))
        for one in post.queue(posting.reports(post.campaign, post.journal, post.now))
    }
    assert "Players: Bea (Borderia) plays on in place of Bo." in " ".join(said["examplia"].split())
    assert main(["turn", "--yes", str(post.folder)]) == 0
    again = post.queue(posting.reports(post.campaign, post.journal, post.now))
    assert all("in place of" not in text_of(post.letter(one.id)) for one in again)


def test_a_seat_is_given_by_the_name_of_the_kingdom_or_the_player_too(post: Post) -> None:
    for name in ("Borderia", "BORDERIA", "Bo"):
        assert main(["invite", str(post.folder), name, "bo@example.org"]) == 0, name
    assert post.campaign.settings.players["borderia"].email[0] == "bo@example.org"
    assert main(["invite", str(post.folder), "Nowhere", "bo@example.org"]) == 1


# --- the GM files by hand


def test_a_refused_message_is_accepted_by_the_gm_and_the_player_gets_the_receipt(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    post.mail("borderia", "taxation: light\n", "Orders borderia 4", token="wrong1")
    (digest_of,) = post.journal.handled
    assert main(["mail", "accept", str(post.folder), digest_of[:12], "--for", "borderia"]) == 0
    receipt = capsys.readouterr().out.split("Receipt: ")[1][:12]
    assert post.filed("borderia", 4) == {"edicts": {"taxation": "light"}}
    (id,) = [id for id in post.journal.mails if id.startswith("accepted")]
    text = text_of(post.letter(id))
    assert text.startswith(f"Filed for turn 4. Receipt: {receipt}.") and "taxation: light\n" in text
    assert "The GM filed these orders for you." in text
    assert post.journal.handled[digest_of]["reason"] == "Filed by the GM."


def test_dictated_orders_are_filed_from_a_file_and_merged_where_they_say_so(post: Post) -> None:
    post.mail("borderia", "taxation: light\n", "Orders borderia 4")
    write(post.folder, "dictated.yaml", "amend: true\nholiday: long\n")
    assert main(["mail", "accept", str(post.folder), str(post.folder / "dictated.yaml"), "--for", "borderia"]) == 0
    assert post.filed("borderia", 4) == {"edicts": {"taxation": "light", "holiday": "long"}}


# --- a seat is given to a player


@pytest.fixture
def invited(post: Post, capsys: pytest.CaptureFixture[str]) -> Post:
    post.before = set()
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", "Cleo"]) == 0
    return post


def welcome(post: Post) -> object:
    (id,) = [id for id, mail in post.journal.mails.items() if mail["kind"] == "welcome"]
    return post.letter(id)


def test_the_seat_is_the_new_player_s_and_nothing_else_changed(post: Post, capsys: pytest.CaptureFixture[str]) -> None:
    before = (post.folder / settings.FILE).read_text()
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", "Cleo"]) == 0
    player = post.campaign.settings.players["borderia"]
    assert (
        (player.name, player.email) == ("Cleo", ("cleo@example.org",))
        and player.token != "b8w2m"
        and len(player.token) >= 8
    )
    after = (post.folder / settings.FILE).read_text()
    line = next(number for number, line in enumerate(before.splitlines()) if line.startswith("  borderia"))
    assert [one for number, one in enumerate(after.splitlines()) if number != line] == [
        one for number, one in enumerate(before.splitlines()) if number != line
    ]
    assert "Cleo" in capsys.readouterr().out


def test_the_old_token_is_dead(invited: Post) -> None:
    assert invited.mail("borderia", "taxation: light\n", "Orders borderia 4").outcome == "refused"
    assert (
        invited.mail("borderia", "taxation: light\n", "Orders borderia 4", sender="cleo@example.org").outcome
        == "refused"
    )
    token = invited.campaign.settings.players["borderia"].token
    assert (
        invited.mail(
            "borderia", "taxation: light\n", "Orders borderia 4", sender="cleo@example.org", token=token
        ).outcome
        == "accepted"
    )


def test_the_welcome_mail_has_all_that_a_newcomer_needs(invited: Post) -> None:
    mail, token = welcome(invited), invited.campaign.settings.players["borderia"].token
    assert mail["To"] == "cleo@example.org" and mail["Subject"] == "[The two fords] Welcome: you play Borderia"
    assert token in text_of(mail), "it is needed for a mail that answers none of ours"
    files = enclosed(mail)
    assert set(files) == {
        "borderia-0003.html",
        "players-guide.txt",
        "form.html",
        "deadline.ics",
    }
    assert "Welcome to The two fords, Cleo." in text_of(mail) and not long_lines(text_of(mail))
    assert not long_lines(files["players-guide.txt"].decode())


def test_its_first_orders_are_filed_by_a_tap_and_none_is_refused(invited: Post) -> None:
    token = turn_token(invited.campaign, "borderia", 4)
    found = [
        link for name, link in links(welcome(invited)).items() if name not in ("What else can I ask?", "Get the rules")
    ]
    assert len(found) >= 2
    for link in found:
        _, subject, body = pressed(link)
        assert token in subject
        assert invited.mail("borderia", body, subject, sender="cleo@example.org", token="").outcome == "accepted"
        assert "REFUSED" not in text_of(invited.answer())


def test_its_report_is_not_sent_twice(invited: Post) -> None:
    assert set(reports(invited)) == {"examplia", "gm"}


def test_a_newcomer_is_not_away_nor_gone(post: Post) -> None:
    post.mail("borderia", "", "resign")
    post.mail("borderia", "", "away 5")
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org"]) == 0
    assert not post.journal.resigned and not post.journal.away


def test_an_entry_that_can_t_be_changed_is_told_as_the_line_to_write(
    post: Post, capsys: pytest.CaptureFixture[str]
) -> None:
    text = CAMPAIGN.replace(
        "{name: Bo, email: bo@example.org, token: b8w2m}",
        "\n    email:\n      - bo@example.org\n      - b@example.org\n    token: b8w2m",
    )
    write(post.folder, settings.FILE, text)
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", "Cleo"]) == 1
    said = capsys.readouterr().err
    line = "  " + said.partition("write `")[2].partition("` instead")[0]
    assert line.startswith("  borderia: {name: Cleo, ") and (post.folder / settings.FILE).read_text() == text
    by_hand = text[: text.index("  borderia")] + line + "\n" + text[text.index("calendar:") :]
    write(post.folder, settings.FILE, by_hand)
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", "Cleo"]) == 0


def test_the_file_stays_as_secret_as_it_was(post: Post) -> None:
    os.chmod(post.folder / settings.FILE, 0o600)
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org"]) == 0
    assert (post.folder / settings.FILE).stat().st_mode & 0o777 == 0o600


def test_before_the_start_the_report_is_as_the_start_would_be(tmp_path: Path) -> None:
    assert main(["new", str(tmp_path / "new")]) == 0
    seat = campaigns.open_campaign(tmp_path / "new").seats[0]
    assert main(["invite", str(tmp_path / "new"), seat, "ada@example.org"]) == 0
    post = Post.__new__(Post)
    post.folder, post.now, post.sent = tmp_path / "new", postkit.NOW, 0
    mail = welcome(post)
    assert {
        f"{seat}-0000.html",
        "record.json",
        "players-guide.txt",
        "form.html",
    } == set(enclosed(mail))
    assert "Your kingdom begins." in text_of(mail), "the report stands in the mail"
    assert store.numbers(tmp_path / "new/turns") == []
    assert welcoming.guide(post.campaign)


def test_what_a_mail_shows_are_few_plain_elements(post: Post) -> None:
    for mail in (reports(post)["gm"], post.letter(notices_of(post))):
        assert tags(mail) <= {
            "html",
            "blockquote",
            "head",
            "meta",
            "title",
            "body",
            "p",
            "a",
            "pre",
            "h3",
            "table",
            "tr",
            "th",
            "td",
            "ul",
            "li",
            "b",
            "strong",
            "code",
        }


def notices_of(post: Post) -> str:
    (letter,) = post.queue(notices.reminder(post.campaign, post.journal, "examplia", 4, "12h", post.now))
    return letter.id


@pytest.mark.parametrize("name", ["Cleo\r\nBcc: eve@evil.example", "C" * 200, 'Cleo "the, {great}"', "\u202eoelC"])
def test_an_odd_name_is_one_line_of_the_entry(post: Post, name: str) -> None:
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", name]) == 0
    found = post.campaign.settings.players["borderia"].name
    assert 0 < len(found) <= 80 and found.isprintable()
    assert "Bcc" not in welcome(post)
