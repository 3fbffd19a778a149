"""Advice in mails, pages and forms: each plan with its price, its effect and a link that sends it; the GM can switch it off."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kingdom.campaign import advice, preview
from kingdom.cli.main import main
from kingdom.mail.outgoing import posting, reporting
from kingdom.orders import cache
from tests.kit import postkit
from tests.kit.mailkit import CAMPAIGN
from tests.kit.postkit import Post, enclosed, html_of, links, text_of

ON = CAMPAIGN.replace("advice: off\n", "")
SEND = "Send this: "


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small campaign, whose GM gives advice."""
    return postkit.campaign(tmp_path_factory.mktemp("advice") / "campaign")


@pytest.fixture
def post(made: Path, tmp_path: Path) -> Post:
    return postkit.fresh(made, tmp_path / "campaign", ON)


def plans_of(post: Post, seat: str = "examplia") -> list[advice.Plan]:
    return advice.told(post.campaign, preview.start_of(post.campaign), seat)


def report_of(post: Post) -> str:
    (found,) = [mail for mail in posting.reports(post.campaign, post.journal, post.now) if mail.kingdom == "examplia"]
    post.queue([found])
    return found.id


def test_a_report_brings_each_plan_behind_its_first_screen_with_a_link_that_sends_it(post: Post) -> None:
    mail, plans = post.letter(report_of(post)), plans_of(post)
    text, page = text_of(mail), enclosed(mail)["examplia-0002.html"].decode().replace("\u00a0", " ")
    assert 0 < len(plans) <= 3
    assert text.index("; BP ") < text.index("Advice for turn 3") < text.index("ORDER FORM FOR TURN 3")
    assert page.index('class="heads"') < page.index("Advice for turn 3") < page.index("<figure")
    for plan in plans:
        assert (
            plan.title in html_of(mail).replace("\u00a0", " ")
            and plan.title in page
            and plan.title in " ".join(text.split())
        )
        assert "\n".join(plan.lines) in text and plan.price.endswith(" BP")
        assert post.press(links(mail)[SEND + plan.name], "examplia").outcome == "accepted"
        assert "WOULD BE REFUSED" not in text_of(post.answer()).upper()


def test_what_a_plan_says_of_the_sheet_holds_what_comes_without_it_on_both_sides(post: Post) -> None:
    """An event that is announced acts before the orders do: the figures on the left are no longer those of the sheet then."""
    start = preview.start_of(post.campaign)
    for plan, told in zip(plans_of(post), advice.plans(post.campaign, start, "examplia"), strict=True):
        moved = ", ".join(
            f"{row['account'].replace('_', ' ')} {row['before']} to {row['after']}" for row in told["numbers"]
        )
        wanted = f"Without these orders and with them, before any die of the turn, its events' too: {moved}."
        assert plan.effects[-1] == (wanted if moved else "These orders move no number.")


def test_a_plan_that_brings_more_than_it_costs_says_so(post: Post) -> None:
    start = preview.start_of(post.campaign)
    plan = advice.plans(post.campaign, start, "examplia")[0]
    for cost, price in ((-7, "brings 7 BP"), (0, "0 BP"), (7, "7 BP")):
        assert advice.said(post.campaign, start, "examplia", {**plan, "cost": cost}).price == price


def test_the_form_shows_the_warning_of_a_plan(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    warning = "This makes dangers worse: Bankruptcy from 0 % to 18 %, by Consumption 3 to 10."
    plans = advice.plans(post.campaign, preview.start_of(post.campaign), "examplia")
    monkeypatch.setattr(advice, "plans", lambda *_: [plans[0], {**plans[0], "warning": warning}])
    assert reporting.form_page(post.campaign, "examplia").count(warning) == 1
    mail = post.letter(report_of(post))
    assert html_of(mail).replace("\u00a0", " ").count(warning) == " ".join(text_of(mail).split()).count(warning) == 1


def test_the_kept_report_has_none(post: Post) -> None:
    kept = post.folder / "turns/0002/reports"
    assert "Advice" not in (kept / "examplia.txt").read_text() + (kept / "examplia.html").read_text()


def test_the_word_advice_brings_the_same_plans_and_files_nothing(post: Post) -> None:
    assert post.mail("examplia", "", "advice").outcome == "accepted"
    answer = post.answer()
    assert answer["Subject"] == "[The two fords] Advice for turn 3" and post.filed() is None
    found = {name.removeprefix(SEND) for name in links(answer) if name.startswith(SEND)}
    assert found == {plan.name for plan in plans_of(post)}
    assert all("\n".join(plan.lines) in text_of(answer) for plan in plans_of(post))
    assert post.mail("gm", "", "advice").outcome == "refused", "it is a player's word"


def test_a_reply_with_a_plan_above_the_quote_files_it(post: Post) -> None:
    mail, plan = post.letter(report_of(post)), plans_of(post)[0]
    quoted = "".join(f"> {line}\n" for line in text_of(mail).splitlines())
    head = {"In_Reply_To": mail["Message-ID"]}
    text = "\n".join(plan.lines) + f"\n\nOn Wed, 16 Dec 2026 at 12:00, The two fords wrote:\n{quoted}"
    assert post.mail("examplia", text, f"Re: {mail['Subject']}", **head).outcome == "accepted"
    assert post.filed()


def test_a_report_that_comes_back_whole_files_no_plan(post: Post) -> None:
    mail = post.letter(report_of(post))
    post.mail("examplia", text_of(mail), f"Re: {mail['Subject']}", In_Reply_To=mail["Message-ID"])
    assert post.filed() is None


def test_the_form_begins_with_the_plans(post: Post) -> None:
    page = reporting.form_page(post.campaign, "examplia")
    data = page.partition('id="form-data">')[2]
    titles = re.findall(r'"title":"([^"]*)","effects"', data)
    assert titles == [plan.title for plan in plans_of(post)]
    assert page.index('id="section-advice"') < page.index('id="sections"')


def test_a_gm_switches_it_off(made: Path, tmp_path: Path) -> None:
    post = postkit.fresh(made, tmp_path / "campaign")
    assert plans_of(post) == []
    mail = post.letter(report_of(post))
    assert "Advice" not in text_of(mail) + html_of(mail)
    assert '"advice":[]' in reporting.form_page(post.campaign, "examplia")
    post.mail("examplia", "", "advice")
    assert "has switched advice off" in text_of(post.answer())


def test_a_welcome_names_plans_first(post: Post) -> None:
    assert main(["invite", str(post.folder), "borderia", "cleo@example.org", "--name", "Cleo"]) == 0
    (id,) = [id for id in post.journal.mails if id.startswith("welcome-borderia")]
    text = text_of(post.letter(id))
    for plan in plans_of(post, "borderia"):
        assert "\n".join(plan.lines) in text


def test_it_is_worked_out_once_for_what_a_seat_knows(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: dict[str, bytes] = {}
    monkeypatch.setattr(cache, "get", kept.get)
    monkeypatch.setattr(cache, "put", kept.__setitem__)

    def advised() -> list[str]:
        return [name for name in kept if name.startswith("kingdom-advice-")]

    plans_of(post)
    (name,) = advised()
    kept[name] = kept[name].replace(b'"Secure"', b'"From the cache"')
    assert "From the cache" in [plan.name for plan in plans_of(post)] and advised() == [name]
    plans_of(post, "borderia")
    (post.folder / "campaign.yaml").write_text(ON + "rules: {control_dc: {base: 11}}\n")
    assert "From the cache" not in [plan.name for plan in plans_of(post)] and len(advised()) == 3
