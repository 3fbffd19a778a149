"""The order form of the kingdom game in the real Chromium: its plans and its questions."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from kingdom.games.realm.rules.event_tables import PicksHost
from kingdom.games.realm.state import Event, replace, with_kingdoms
from kingdom.games.realm.steps.events.scene import question
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, SMALL, Place, place_of, places_of, unfold, wild_places
from tests.kit.pagekit import barriers

pytestmark = pytest.mark.package("chromium", PROGRAM)
TEXT = "OrderForm.draft.text()"
UNHELD = "OrderForm.draft.entries.filter(({ offer }) => !offer).map(({ line, own }) => line || own)"


def with_plans(place: Place) -> list[dict[str, Any]]:
    """The plans that the game has for that seat, as the form is given them."""
    known = place.game.known(place.state, place.seat, place.rules)
    assert place.game.advice
    plans = place.game.advice(known, place.seat, place.rules)
    return [{"title": "A plan", "effects": [], "text": plan["orders"]} for plan in plans]


SOME = [("war-of-the-ford", 6, "karrak"), ("war-of-the-ford", 15, "hartmark"), ("greenmarch", 9, "examplia")]
MANY = [pytest.param(None, marks=pytest.mark.long, id="many")]


@pytest.mark.parametrize("seat", [*SOME, *MANY])
def test_every_order_of_a_plan_has_its_control(
    browser: Browser, tmp_path: Path, seat: tuple[str, int, str] | None
) -> None:
    """Also an answer that is the default, a building of which it does not matter which, and what the page alone would not combine."""
    places = [place_of(*seat)] if seat else chain(places_of("greenmarch", 3), places_of("war-of-the-ford", 3))
    for place in places:
        plans = with_plans(place)
        place.show(browser, tmp_path, facts=FACTS._replace(advice=plans))
        for number, button in enumerate(browser.page.locator("#section-advice .add").all()):
            button.dispatch_event("click")
            assert browser.ask(UNHELD) == [], (place.name, plans[number]["text"])
            sent, meant = place.orders(browser.ask(TEXT)), place.orders(plans[number]["text"])
            assert {key: len(what) for key, what in sent.items() if isinstance(what, (list, dict))} == {
                key: len(what) for key, what in meant.items() if isinstance(what, (list, dict))
            }
            assert place.verdict(browser.ask(TEXT))[:2] == ([], []), (place.name, plans[number]["text"])
        assert browser.complaints == []


def test_questions_come_first_each_answer_with_its_price_and_its_odds(browser: Browser, tmp_path: Path) -> None:
    """What adds nothing to a cheaper answer is not offered: 16 BP make no more of a check that 8 BP make sure of."""
    place_of("war-of-the-ford", 6, "karrak").show(browser, tmp_path, 360)
    first = "document.querySelector('#section-answers').compareDocumentPosition(document.querySelector('#section-map'))"
    assert browser.ask(first) == 4  # it stands before
    page = browser.page.locator("#section-answers fieldset").nth(1)
    assert page.locator("legend").inner_text() == "Bandit activity"
    assert page.locator("p").inner_text() == "If you do nothing: nothing (80 %); BP -d6 (each 6 adds another) (20 %)."
    assert [row.replace("\u00a0", " ") for row in page.locator(".tick:visible label").all_inner_texts()] == [
        "do nothing its check succeeds: 80 %, if you say nothing",
        "hire adventurers 4 BP, its check succeeds: 90 %",
        "hire adventurers 8 BP, its check succeeds: 95 %",
    ]
    page.locator(".tick:visible input").nth(2).check()
    assert "answers: {bandit_activity-1: {adventurers: 8}}" in browser.ask(TEXT)
    assert browser.page.locator("#chosen .words").inner_text() == "Bandit activity: hire adventurers 8 BP"


@pytest.mark.parametrize("answer", ["none", "{adventurers: 16}"])
def test_an_answer_that_is_not_offered_comes_up_pressed_where_it_is_filed(
    browser: Browser, tmp_path: Path, answer: str
) -> None:
    place, filed = place_of("war-of-the-ford", 6, "karrak"), f"answers: {{bandit_activity-1: {answer}}}\n"
    place.show(browser, tmp_path, facts=FACTS._replace(filed=f"kingdom: karrak\nturn: 6\n{filed}"))
    assert browser.ask(UNHELD) == [] and filed in browser.ask(TEXT)
    assert browser.page.locator("#section-answers fieldset").nth(1).locator(".tick:visible").count() == 4


def test_tabs_lead_to_the_parts_and_no_control_is_too_small_for_a_finger(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path, 360)
    tabs = browser.page.locator("#tabs button")
    assert tabs.all_inner_texts() == ["Map", "Towns", "Armies", "Special", "Edicts", "Send"]
    for number, heading in enumerate(["map-title", "section-towns-title", "section-armies-title"]):
        tabs.nth(number).tap()
        assert browser.ask("document.activeElement.id") == heading
        assert 48 <= browser.ask("document.activeElement.getBoundingClientRect().top") < 370
    assert browser.ask(SMALL)[1] == [] and browser.complaints == []


def test_a_feast_is_asked_about_without_odds(browser: Browser, tmp_path: Path) -> None:
    """No check decides what comes of it."""
    place = place_of("greenmarch", 12, "examplia")
    kind = next(
        name for name, row in place.rules.event_kinds.items() if any(isinstance(each, PicksHost) for each in row.set_up)
    )
    feast = Event(kind, 12, facts={"cost": 3, "host": "borderia"})
    asked = question("feast-1", feast, place.rules)
    assert asked
    kingdom = replace(place.state.kingdoms["examplia"], events={"feast-1": feast}, pending=(asked,))
    place._replace(state=with_kingdoms(place.state, {"examplia": kingdom})).show(browser, tmp_path)
    rows = browser.page.locator("#section-answers .tick:visible label").all_inner_texts()
    assert rows == ["decline if you say nothing", "attend 3 BP"]


# --- what is folded, the sheet, later


# [how many parts of the page, the map apart, can have the keyboard, how many of them the Tab key stops at]
FOCUSABLE = """(() => {
  const all = [...document.querySelectorAll('button, select, input, textarea, summary, a[href], [tabindex]')];
  const able = all.filter((each) => !each.closest('#map') && (each.focus(), document.activeElement === each));
  return [able.length, able.filter((each) => each.tabIndex >= 0).length];
})()"""
MOST_FOCUSABLE = 60


def examplia(browser: Browser, folder: Path, width: int = 1280, **facts: Any) -> Place:
    """Show the form of a kingdom of 36 hexes."""
    place = place_of("greenmarch", 12, "examplia")
    place.show(browser, folder, width, FACTS._replace(**facts))
    return place


FILED = "claim: [0509, 0702, 0701]\nimprove: [{hex: 0508, build: sawmill}]\nleadership: [economy, stability]\nbuild: [{in: Oakhold, build: house}]\n"


@pytest.mark.parametrize("filed", ["", f"kingdom: examplia\nturn: 12\n{FILED}"])
def test_of_what_is_folded_nothing_is_made(browser: Browser, tmp_path: Path, filed: str) -> None:
    examplia(browser, tmp_path, 360, filed=filed)
    focusable, stops = browser.ask(FOCUSABLE)
    assert stops <= focusable <= MOST_FOCUSABLE
    assert browser.ask("document.querySelectorAll('#sections .offer, #sections .filled, #sections input').length") == 0
    unfold(browser, "towns")
    opened = "[...document.querySelectorAll('#section-towns .part .part .fold[aria-expanded=true]')].map((each) => each.innerText)"
    assert browser.ask(opened) == ["Oakhold"]  # the capital, so that the tab leads straight to its list
    assert 0 < browser.ask("document.querySelectorAll('#section-towns .row').length") <= 8


def test_a_group_is_one_stop_and_arrows_go_from_one_to_the_next(browser: Browser, tmp_path: Path) -> None:
    examplia(browser, tmp_path)
    assert browser.page.locator("#tabs button[tabindex='0']").count() == 1
    browser.page.locator("#tabs button").first.focus()
    browser.page.keyboard.press("ArrowRight")
    assert browser.ask("document.activeElement.textContent") == "Towns"
    browser.page.keyboard.press("Enter")
    assert browser.ask("document.activeElement.id") == "section-towns-title"
    for key in ("Tab", "Tab", "Tab", "ArrowDown"):  # the first town, its filter, its first building, the next one
        browser.page.keyboard.press(key)
    rows = browser.page.locator("#section-towns .row .offer:enabled")
    assert rows.nth(1).evaluate("(row) => row === document.activeElement") and rows.count() > 2
    assert browser.page.locator("#section-towns .rows button[tabindex='0']").count() == 1


@pytest.mark.parametrize("width", [360, 1280])
def test_a_hex_opens_a_sheet_that_back_and_escape_close_first(browser: Browser, tmp_path: Path, width: int) -> None:
    examplia(browser, tmp_path, width)
    page, sheet = browser.page, browser.page.locator("#hex")
    address, box = (
        page.url,
        "(({ left, top, bottom, height }) => ({ left, top, bottom, height }))(document.getElementById('hex').getBoundingClientRect())",
    )
    press, back = page.tap if width < 600 else page.click, page.go_back
    for close in (lambda: page.keyboard.press("Escape"), back, lambda: press("#hex-close")):
        press('#map [data-hex="0404"]')
        at = browser.ask(box)
        seen = browser.ask("document.querySelector('#map [data-hex][tabindex=\"0\"]').getBoundingClientRect().bottom")
        assert sheet.is_visible() and browser.ask("document.activeElement.id") == "hex-title"
        if width < 600:  # from below, over the tabs, with the hex in view above it
            assert at["left"] == 0 and at["height"] <= 0.7 * 800 and seen <= at["top"]
        else:
            assert at["left"] >= browser.ask("document.getElementById('map').getBoundingClientRect().right")
        if close is back:
            assert barriers(browser) == []
        close()
        browser.wait_for("document.getElementById('hex').hidden")
        assert browser.ask("document.activeElement.dataset.hex") == "0404" and page.url == address
    assert browser.ask("history.state") is None and browser.complaints == []


def test_the_sheet_of_the_capital_shows_what_helps_the_weakest_chance_most_for_a_bp(
    browser: Browser, tmp_path: Path
) -> None:
    """The weakest is Stability: eight buildings are open, the rest behind a press or a filter; what can't be had says why in one line."""
    place = examplia(browser, tmp_path)
    browser.page.click('#map [data-hex="0404"]')
    rows, more = browser.page.locator("#hex .rows > .row"), browser.page.locator("#hex .more-rows")
    assert rows.count() == 8
    gains = [
        (int(text.split("\u2192")[1].split("%")[0]) - int(text.split("Stability ")[1].split("%")[0]), price)
        for text, price in (
            (
                row.locator(".effect").inner_text().replace("\u00a0", ""),
                int(row.locator(".price").inner_text().split()[0]),
            )
            for row in rows.all()
            if "\u2192" in row.inner_text()
        )
    ]
    each = [gain / price for gain, price in gains]
    assert len(each) > 2 and each == sorted(each, reverse=True)
    first = rows.first.locator(".offer")
    told = first.locator(".effect").inner_text().replace("\u00a0", " ").removeprefix("Stability ").split(" \u2192 ")
    shown = browser.page.locator('[data-figure="stability"] b')
    assert shown.inner_text().replace("\u00a0", " ") == told[0]
    first.click()
    assert shown.inner_text().replace("\u00a0", " ") == told[1] and first.is_visible()
    assert place.verdict(browser.ask(TEXT))[:2] == ([], [])
    more.click()
    everything = rows.count()
    browser.page.fill("#hex input[type=search]", "ca")
    some = [text.lower() for text in rows.all_inner_texts()]
    assert 0 < len(some) < everything and all("ca" in text for text in some)
    browser.page.fill("#hex input[type=search]", "castle")
    assert browser.page.locator("#hex .closed:visible").all_inner_texts() == [] or "BP" not in some
    assert browser.complaints == []


def test_what_can_no_longer_be_had_says_why_in_its_place(browser: Browser, tmp_path: Path) -> None:
    examplia(browser, tmp_path)
    browser.page.click('#map [data-hex="0404"]')
    names = browser.page.locator("#hex .rows .offer bdi").all_inner_texts()
    browser.ask("OrderForm.draft.counted.steps[0].state.left.treasury = 0, OrderForm.draft.counted.left.treasury = 0")
    browser.ask(
        "OrderForm.draft.model.counters.find(({ id }) => id === 'treasury').left = 0, OrderForm.draft.changed()"
    )
    reasons = browser.page.locator("#hex .rows .closed:visible").all_inner_texts()
    assert [reason.split(":")[0] for reason in reasons] == names
    assert all("Treasury: " in reason and "needed, 0 left" in reason for reason in reasons)


def test_a_hex_says_what_it_lacks_the_means_for(browser: Browser, tmp_path: Path) -> None:
    """A claim when all claims are used, what the treasury can't pay; but nothing that hangs on another order."""
    examplia(browser, tmp_path)
    shut = browser.page.locator("#hex .closed:visible")
    browser.page.click('#map [data-hex="0509"]')
    assert browser.page.locator("#hex .offer:visible").all_inner_texts()[0].startswith("Claim 0509")
    assert shut.count() == 0
    browser.ask("OrderForm.draft.model.counters.find(({ id }) => id === 'claims').left = 0, OrderForm.draft.changed()")
    assert shut.all_inner_texts() == ["Claim 0509, forest: Claims: 1 needed, 0 left"]
    browser.ask("OrderForm.draft.model.counters.find(({ id }) => id === 'claims').left = 4, OrderForm.draft.changed()")
    assert shut.count() == 0 and browser.complaints == []


def test_the_rows_of_a_hex_are_as_wide_as_its_sheet(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path, 360)
    browser.page.locator('#map [data-hex="0509"]').dispatch_event("click")
    row, sheet = (browser.page.locator(each).first.bounding_box() for each in ("#hex .offer:visible", "#hex-inside"))
    assert row["width"] > sheet["width"] - 2


def test_a_building_that_lacks_a_neighbour_names_who_could_be_it(browser: Browser, tmp_path: Path) -> None:
    examplia(browser, tmp_path)
    browser.page.click('#map [data-hex="0404"]')
    browser.page.fill("#hex input[type=search]", "alchemist")
    reasons = browser.page.locator("#hex .closed:visible").all_inner_texts()
    assert reasons == ["Alchemist: Alchemist must stand beside 1 of these that serve nothing else: House"]


def test_an_order_marked_later_says_that_it_may_be_done_this_turn_still(browser: Browser, tmp_path: Path) -> None:
    examplia(browser, tmp_path, filed=f"kingdom: examplia\nturn: 12\n{FILED}")
    browser.page.get_by_role("button", name="Later: Claim 0509").click()
    assert browser.page.inner_text("#said").endswith("This turn still, if what is left allows it.")
    row = browser.page.locator("#chosen li", has_text="Claim 0509")
    assert "this turn if it still can be, else later" in row.inner_text()


def test_an_order_marked_later_stands_in_the_plan(browser: Browser, tmp_path: Path) -> None:
    """With what hangs on it; filed, it comes up marked; pressed again it is ordered now."""
    place = examplia(
        browser,
        tmp_path,
        filed=f"kingdom: examplia\nturn: 12\n{FILED}improve: [{{hex: 0509, build: sawmill}}]\n".replace(
            "improve: [{hex: 0508, build: sawmill}]\n", ""
        ),
    )
    later = browser.page.locator("#chosen .later")
    assert later.count() == 5  # leadership can't wait
    browser.page.get_by_role("button", name="Later: Claim 0509").click()
    filed = browser.ask(TEXT)
    orders = place.orders(filed)
    assert (
        orders["plan"] == ["claim 0509", "sawmill 0509"]
        and "improve" not in orders
        and orders["claim"] == ["0702", "0701"]
    )
    browser.page.get_by_role("button", name="Later: Oakhold: House").click()
    orders = place.orders(filed := browser.ask(TEXT))
    assert orders["plan"][-1] == "house in Oakhold" and "build" not in orders
    place.show(browser, tmp_path, facts=FACTS._replace(filed=filed))
    assert browser.ask(TEXT) == filed and browser.ask(UNHELD) == []
    assert browser.page.locator("#chosen .later[aria-pressed=true]").count() == 3
    browser.page.get_by_role("button", name="Later: Claim 0509").click()
    assert "0509" in place.orders(browser.ask(TEXT))["claim"]
    assert place.verdict(browser.ask(TEXT))[:2] == ([], [])


def test_a_plan_that_stands_stays_before_what_is_marked_later(browser: Browser, tmp_path: Path) -> None:
    place = place_of("greenmarch", 12, "examplia")
    stands = ("house in Oakhold", "claim 0102", "farm 9901")
    kingdom = replace(place.state.kingdoms["examplia"], plan=stands)
    place = place._replace(state=with_kingdoms(place.state, {"examplia": kingdom}))
    place.show(browser, tmp_path, facts=FACTS._replace(filed=f"kingdom: examplia\nturn: 12\n{FILED}"))
    assert "plan" not in place.orders(browser.ask(TEXT))
    browser.page.get_by_role("button", name="Later: Claim 0509").click()
    assert place.orders(browser.ask(TEXT))["plan"] == [*stands, "claim 0509"]


LINES = """(() => {
  const { draft } = OrderForm;
  const lines = draft.offers.flatMap((offer) => Later.lineOf(draft, { offer, values: { name: 'New Wick', place: 'A1' } }) || []);
  const again = lines.map((line) => Later.lineOf(draft, Later.entryOf(draft, line)));
  return [lines, lines.filter((line, index) => again[index] !== line)];
})()"""


@pytest.mark.parametrize("seat", [("greenmarch", 12, "examplia"), ("war-of-the-ford", 15, "hartmark")])
def test_whatever_a_plan_may_hold_the_engine_reads_and_filed_it_is_marked(
    browser: Browser, tmp_path: Path, seat: tuple[str, int, str]
) -> None:
    """Claims, improvements, settlements, buildings and districts, upgrades, demolitions."""
    place = place_of(*seat)
    place.show(browser, tmp_path)
    lines, lost = browser.ask(LINES)
    assert lost == [] and browser.complaints == []
    assert {"claim", "farm", "house", "district", "demolish"} <= {line.split()[0] for line in lines}
    for number in range(0, len(lines), 40):
        some = lines[number : number + 40]
        assert place.orders(place.head() + f"plan: [{', '.join(some)}]\n")["plan"] == some


def test_the_tab_send_opens_the_mail_and_keeps_the_draft(browser: Browser, tmp_path: Path) -> None:
    """Where nothing is chosen, or the campaign has no address, it shows how to send."""
    for address, chosen, opened in ((FACTS.address, True, 1), (FACTS.address, False, 0), ("", True, 0)):
        examplia(browser, tmp_path, 360, address=address)
        if chosen:
            browser.page.locator("#map .claimable").first.dispatch_event("click")
            browser.page.locator("#hex .offer").first.click()
        mails: list[str] = []
        session = browser.page.context.new_cdp_session(browser.page)
        session.send("Page.enable")
        session.on("Page.frameRequestedNavigation", lambda event, mails=mails: mails.append(event["url"]))
        browser.page.locator("#tabs button", has_text="Send").tap()
        browser.page.wait_for_timeout(200)
        assert len([each for each in mails if each.startswith("mailto:orders@example.org")]) == opened
        assert browser.ask("document.activeElement.id") == "send-title"
        if opened:
            assert browser.ask("localStorage.length") == 1


def test_a_town_in_which_nothing_can_be_built_says_why(browser: Browser, tmp_path: Path) -> None:
    place = next(each for each in wild_places(range(2, 3)) if each.name == "wild 2, turn 6, cravonia")
    place.show(browser, tmp_path)
    unfold(browser, "towns")
    rows = browser.page.locator("#section-towns .rows > .row:visible")
    assert rows.all_inner_texts() == ["Buildings: Nothing is built in 0103 while a monster of ACR 2 is there"]
    place_of("greenmarch", 4, "dunmoor").show(browser, tmp_path)
    unfold(browser, "towns")
    more = browser.page.locator("#section-towns .more-rows")
    count = int(more.inner_text().removesuffix(" that can't be had now"))
    more.click()
    assert rows.count() == count and "Academy: costs 52 BP" in rows.all_inner_texts()


# --- what is proposed


def with_treasury(place: Place, left: int) -> Place:
    """The seat with so many BP."""
    kingdom = replace(place.state.kingdoms[place.seat], treasury=left)
    return place._replace(state=with_kingdoms(place.state, {place.seat: kingdom}))


def chosen_in(browser: Browser, card: str) -> dict[str, str]:
    """Label -> what its list or box shows, of what is filled in under that name."""
    shown = """(card) => Object.fromEntries([...card.querySelectorAll('select, input')].map((field) =>
        [field.labels[0].textContent, field.options ? field.options[field.selectedIndex].text : field.value]))"""
    told: dict[str, str] = browser.page.get_by_role("group", name=card).evaluate(shown)
    return told


def test_what_is_filled_in_comes_up_as_it_is_proposed(browser: Browser, tmp_path: Path) -> None:
    """Two weeks toward the most new land; the largest army with the least Consumption, by a name that nobody has yet."""
    place = place_of("war-of-the-ford", 6, "karrak")
    place.show(browser, tmp_path)
    unfold(browser, "armies", "special")
    expedition = {
        "From": "Karrakhold",
        "Weeks": "2",
        "Toward": "south-east",
        "Back before": "nothing",
        "Escort": "nobody",
    }
    assert chosen_in(browser, "Send an expedition") == expedition
    army = {"Its name": "First Foot", "Size": "medium", "Unit": "Warriors", "In": "Karrakhold", "With": "nothing"}
    assert chosen_in(browser, "Recruit an army") == army
    order = browser.page.get_by_role("group", name="Recruit an army").get_by_role("button", name="Order it")
    order.click()
    assert chosen_in(browser, "Recruit an army") == {**army, "Its name": "First Foot 2"}
    order.click()
    assert [each["recruit"] for each in place.orders(browser.ask(TEXT))["armies"]] == ["First Foot", "First Foot 2"]
    assert place.verdict(browser.ask(TEXT))[:2] == ([], []) and browser.complaints == []


def test_of_what_is_proposed_as_much_as_can_be_paid_until_it_is_changed_by_hand(
    browser: Browser, tmp_path: Path
) -> None:
    """Other orders spend what it was proposed for, and their undo brings it back; where nothing can be paid the reason stands there."""
    with_treasury(place_of("war-of-the-ford", 6, "karrak"), 9).show(browser, tmp_path)
    unfold(browser, "special")
    card = browser.page.get_by_role("group", name="Send an expedition")

    def told() -> tuple[str, str]:
        return chosen_in(browser, "Send an expedition")["Weeks"], card.locator(".why").inner_text()

    assert told() == ("2", "Costs 8 BP.")
    claims = [f"claim {label}" for label in ("0707", "0804")]
    for id in claims:
        browser.page.evaluate(
            "(id) => OrderForm.draft.add(OrderForm.draft.offers.find((offer) => offer.id === id))", id
        )
    assert told() == ("1", "Costs 4 BP.")
    browser.page.locator("#chosen .undo").first.click()
    assert told() == ("2", "Costs 8 BP.")
    card.get_by_label("Weeks").select_option(label="1")
    browser.page.locator("#chosen .undo").first.click()
    assert told() == ("1", "Costs 4 BP.")
    with_treasury(place_of("war-of-the-ford", 6, "karrak"), 3).show(browser, tmp_path)
    unfold(browser, "special")
    assert card.locator(".why").inner_text() == "Treasury: 4 needed, 3 left."


def test_a_list_with_one_entry_is_chosen_and_says_so(browser: Browser, tmp_path: Path) -> None:
    place = place_of("greenmarch", 4, "dunmoor")
    assert len(place.state.kingdoms["dunmoor"].settlements) == 1
    with_treasury(place, 20).show(browser, tmp_path)
    unfold(browser, "armies")
    town = browser.page.get_by_role("group", name="Recruit an army").get_by_label("In", exact=True)
    (only,) = town.locator("option").all_inner_texts()
    assert only.startswith("only ") and chosen_in(browser, "Recruit an army")["In"] == only


def test_a_hex_orders_what_goes_there_and_takes_it_back(browser: Browser, tmp_path: Path) -> None:
    """An army's march and an expedition, each with its price; no expedition to land of one's own."""
    place = place_of("war-of-the-ford", 15, "hartmark")
    place.show(browser, tmp_path, 360)
    browser.page.locator('#map [data-hex="0707"]').dispatch_event("click")
    pressed = browser.page.locator("#hex .offer[aria-pressed=true] span").first
    for name in ("Order Second Levy (go to 0707)", "Send an expedition (from Wendford; weeks 2; toward 0707) 8 BP"):
        button = browser.page.locator("#hex .offer", has_text=name)
        button.tap()
        assert pressed.inner_text().startswith(name) and place.verdict(browser.ask(TEXT))[:2] == ([], [])
        assert button.is_visible()
        button.tap()
        assert browser.ask("OrderForm.draft.entries.length") == 0
    browser.page.locator('#map [data-hex="0605"]').dispatch_event("click")
    assert browser.page.locator("#hex .offer", has_text="Order Second Levy").is_visible()
    assert browser.page.locator("#hex .offer", has_text="Send an expedition").count() == 0
    assert browser.complaints == []


def test_a_hex_of_others_may_be_attacked_by_a_press_on_it(browser: Browser, tmp_path: Path) -> None:
    """Beside the march alone, of which neither is the other."""
    place = place_of("war-of-the-ford", 15, "hartmark")
    place.show(browser, tmp_path, 360)
    words = browser.page.locator("#hex .offer", has_text="Second Levy")
    browser.page.locator('#map [data-hex="0805"]').dispatch_event("click")
    march, attack = (words.nth(number) for number in range(2))
    assert [each.inner_text().split("\n")[0].strip() for each in words.all()] == [
        "Order Second Levy (go to 0805)",
        "Order Second Levy (go to 0805; then attack)",
    ]
    assert (
        browser.page.locator("#hex .offers button[tabindex='0']:visible").count() <= 2
    )  # a stop of the Tab key for each group
    march.focus()
    browser.page.keyboard.press("ArrowDown")
    assert attack.evaluate("(button) => button === document.activeElement")
    attack.tap()
    assert place.orders(browser.ask(TEXT))["armies"] == [{"army": "Second Levy", "move": ["0805"], "then": "attack"}]
    assert place.verdict(browser.ask(TEXT))[:2] == ([], [])
    assert (march.is_visible(), attack.get_attribute("aria-pressed")) == (False, "true")
    browser.page.locator('#map [data-hex="0707"]').dispatch_event("click")
    browser.page.locator('#map [data-hex="0804"]').dispatch_event("click")
    assert words.filter(visible=True).count() == 0  # it has its order
    browser.page.locator("#chosen .undo").dispatch_event("click")
    assert words.filter(visible=True).count() == 1 and browser.complaints == []  # land that nobody holds
