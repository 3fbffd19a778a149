"""The order form in the real Chromium: what it gives is an orders file that the engine takes, however it is filled in. What is pressed at
random on the pages of every game tests/games/test_form_pages.py holds against the engine."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from kingdom.campaign.campaign import newest, open_campaign
from kingdom.cli.start import run as run_program
from kingdom.engine.problems import Faults
from kingdom.games.realm.game import GAME
from kingdom.games.realm.state import replace, with_kingdoms
from kingdom.mail.outgoing.reporting import form_pages
from kingdom.mail.tokens import turn_token
from kingdom.orders import orders_file, yaml_out
from kingdom.render.order_form import as_data
from tests.games.realm.kit import rules_of, world_of
from tests.kit import archives, tiny_game
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import FACTS, PRESSED, TEXT, Place, add, amiss, fresh_places, place_of, unfold, wild_places

pytestmark = pytest.mark.package("chromium", PROGRAM)
WAR = "war-of-the-ford"
LEFT = "OrderForm.draft.counted.left"
LAND = "#section-land .offer:visible"


@pytest.fixture(scope="module")
def hartmark() -> Place:
    return place_of(WAR, 15, "hartmark")


@pytest.fixture
def shown(browser: Browser, tmp_path: Path, hartmark: Place) -> Browser:
    """The browser, with hartmark's form in it, its land and edicts unfolded."""
    hartmark.show(browser, tmp_path)
    unfold(browser, "land", "edicts")
    return browser


def orders_in(place: Place, browser: Browser) -> dict[str, Any]:
    """The orders that the form shows, as the engine reads them; it finds nothing amiss."""
    text = browser.ask(TEXT)
    assert amiss(browser, place, text) == []
    return place.orders(text)


# --- chosen with the keyboard and a finger, and counted as one goes


def test_the_keyboard_alone_is_enough(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    """From the top of the page: Tab to the map, arrows to a hex that may be claimed, Enter; Escape goes back to it; then to a level."""
    hartmark.show(shown := browser, tmp_path)
    keys, focused = shown.page.keyboard, "document.activeElement.closest('#map') !== null"
    for _ in range(12):
        keys.press("Tab")
        if shown.ask(focused):
            break
    assert shown.ask(focused)
    turns = ("ArrowUp", "ArrowLeft", "ArrowDown", "ArrowRight")
    for key in [key for steps in range(1, 12) for key in [turns[steps % 4]] * steps]:
        if shown.ask("document.activeElement.classList.contains('claimable')"):
            break
        keys.press(key)
    for key in ("Enter", "Tab", "Space"):
        keys.press(key)
    assert len(orders_in(hartmark, shown)["claim"]) == 1
    keys.press("Escape")
    assert shown.ask(focused) and not shown.page.is_visible("#hex")
    shown.ask("document.getElementById('section-edicts-title').focus()")
    keys.press("Enter")
    shown.ask("document.querySelector('#section-edicts input:checked').focus()")
    keys.press("ArrowDown")
    assert orders_in(hartmark, shown)["edicts"]["holiday"]
    shown.ask("document.querySelector('#chosen .undo').focus()")
    keys.press("Enter")
    assert "claim" not in orders_in(hartmark, shown)


def test_a_finger_presses_the_map_and_lists_too(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    hartmark.show(browser, tmp_path, 360)
    browser.page.locator("#map .claimable").first.tap()
    browser.page.locator("#hex .offer", has_text="Claim").tap()
    browser.page.locator("#hex-close").tap()
    unfold(browser, "towns", "edicts")
    browser.page.locator("#section-towns .offer:enabled").first.tap()
    browser.page.locator("#section-edicts input[type=radio]:not(:checked)").first.tap()
    assert set(orders_in(hartmark, browser)) == {"kingdom", "turn", "claim", "build", "edicts"}


def test_an_undo_takes_back_what_hangs_on_it(shown: Browser, hartmark: Place) -> None:
    """A hex is claimed and improved; without the claim there is nothing to improve."""
    left = shown.ask(LEFT)
    label = shown.ask("""(() => {
      const draft = OrderForm.draft;
      for (const claim of draft.offers.filter((offer) => offer.key === 'claim' && !draft.tried(offer).why)) {
        draft.add(claim);
        const better = draft.offers.find((offer) => offer.key === 'improve' && offer.at === claim.at && !draft.tried(offer).why);
        if (better) { draft.add(better); return claim.at; }
        draft.load({});
      }
    })()""")
    found = orders_in(hartmark, shown)
    assert found["claim"] == [label] and found["improve"][0]["hex"] == label
    assert shown.ask(LEFT)["treasury"] < left["treasury"]
    shown.page.get_by_role("button", name=f"Undo: Claim {label}").click()
    assert set(orders_in(hartmark, shown)) == {"kingdom", "turn"} and shown.ask(LEFT) == left


@pytest.mark.long
def test_what_is_built_into_a_wall_goes_with_the_wall(browser: Browser, tmp_path: Path) -> None:
    place = next(place for place in wild_places(range(6, 7)) if place.name == "wild 6, turn 7, borderia")
    place.show(browser, tmp_path)
    wall, gate = "build Millford city_wall", "build Millford watergate"
    assert [bool(add(browser, id)) for id in (gate, wall, gate)] == [True, False, False]
    assert [each["build"] for each in orders_in(place, browser)["build"]] == ["city_wall", "watergate"]
    browser.page.locator("#chosen .undo").first.click()
    assert "build" not in orders_in(place, browser)


def test_a_list_holds_only_what_the_treasury_and_the_limits_leave(shown: Browser, hartmark: Place) -> None:
    more = shown.page.locator("#section-land .part .part").first.locator(".offer:visible:not([aria-pressed=true])")
    pressed = 0
    while more.count():
        more.first.click()
        pressed += 1
    left = shown.ask(LEFT)
    assert left["claims"] == 0 <= left["treasury"] and len(orders_in(hartmark, shown)["claim"]) == pressed > 1


def test_what_later_orders_have_taken_is_named_by_what_is_left(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    """An expedition is paid behind all else: once it took the treasury, what is paid before it is too dear by what the bar shows."""
    mine = replace(hartmark.state.kingdoms["hartmark"], treasury=5)
    hartmark._replace(state=with_kingdoms(hartmark.state, {"hartmark": mine})).show(browser, tmp_path)
    unfold(browser, "special", "armies")
    browser.page.get_by_role("group", name="Send an expedition").get_by_role("button", name="Order it").click()
    browser.page.locator("#map .claimable").first.click()
    browser.page.locator("#hex .offer", has_text="Claim").click()
    assert browser.ask(LEFT)["treasury"] == 0
    short = [line for line in browser.page.locator("#hex .closed").all_inner_texts() if "Treasury" in line]
    assert len(short) > 2 and all(line.endswith("needed, 0 left") for line in short)
    browser.page.keyboard.press("Escape")
    army = browser.page.get_by_role("group", name="Recruit an army")
    assert army.locator(".why").inner_text() == "Treasury: 1 needed, 0 left."


def test_a_hex_says_why_an_army_with_an_order_is_not_sent_there(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    hartmark.show(browser, tmp_path)
    sent = browser.page.locator("#hex .offer:visible", has_text="Order Second Levy")
    browser.page.locator("[data-hex='0606']").click()
    assert browser.page.locator("#hex .closed", has_text="Second Levy").count() == 0
    sent.click()
    assert browser.page.locator("#hex .closed", has_text="Second Levy").count() == 0  # it goes there
    browser.page.locator("[data-hex='0707']").click()
    closed = browser.page.locator("#hex .closed", has_text="Second Levy").all_inner_texts()
    assert closed == ["Order Second Levy: not together with what you chose: Order Second Levy"] and sent.count() == 0


# --- orders files, in and out


def test_what_is_wrong_with_what_is_filed_is_said_in_the_engines_words(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    text = f"{hartmark.head()}claim: [99]\nedict: {{holiday: long}}\n"
    hartmark.show(browser, tmp_path, facts=FACTS._replace(filed=text))
    said = browser.page.locator("#filed-problems li").all_inner_texts()
    problems = orders_file.read(text.encode(), "o", hartmark.game, hartmark.names, "hartmark", 15).problems
    assert said == [f"Line {each.line}: {each.message}".replace("`", "") for each in problems] and len(said) == 2
    assert browser.page.locator("#filed-problems code").first.inner_text() == "99"  # what was typed, in its own type
    assert browser.ask("OrderForm.draft.entries.length") == 0
    assert not browser.page.locator("#start-filed").is_visible()


def test_the_last_turns_orders_are_pressed_by_a_button(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    last = "kingdom: hartmark\nturn: 14\nholiday: short\n"
    hartmark.show(browser, tmp_path, facts=FACTS._replace(filed=f"{hartmark.head()}taxation: light\n", last=last))
    assert orders_in(hartmark, browser)["edicts"] == {"taxation": "light"}, "what is filed comes up pressed"
    for button, edicts in (("#start-last", {"holiday": "short"}), ("#start-filed", {"taxation": "light"})):
        browser.page.click(button)
        assert orders_in(hartmark, browser)["edicts"] == edicts


def test_of_the_last_turns_orders_what_is_done_is_left_out_and_told(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    own = next(iter(hartmark.state.kingdoms["hartmark"].hexes))
    hartmark.show(browser, tmp_path, facts=FACTS._replace(last=f"{hartmark.head()}claim: ['{own}']\nholiday: short\n"))
    browser.page.click("#start-last")
    chosen = orders_in(hartmark, browser)
    assert chosen["edicts"] == {"holiday": "short"} and "claim" not in chosen
    told = browser.page.locator("#said").inner_text()
    assert told.endswith(f'1 order. Left out, as it can\'t be pressed here now: claim: "{own}".'), told


DROPPED = """(bytes) => {
  const data = new DataTransfer();
  data.items.add(new File([new Uint8Array(bytes)], 'mine.yaml'));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


def test_a_file_is_sent_alone_and_as_it_is(shown: Browser, tmp_path: Path) -> None:
    """Whether it is chosen or dropped, and whatever is pressed; taken back, what was pressed is sent again."""
    file = tmp_path / "mine.yaml"
    file.write_text("# mine\r\ntaxation: light", encoding="utf-8", newline="")
    shown.page.locator(LAND).first.click()
    pressed = shown.ask(TEXT)
    shown.page.set_input_files("#own-file", file)
    shown.wait_for("OrderForm.draft.file")
    assert shown.ask(TEXT) == "# mine\r\ntaxation: light"
    assert shown.page.locator("#orders").input_value() == "# mine\ntaxation: light"
    assert not shown.page.locator("#sections").is_visible() and not shown.page.locator("#section-map").is_visible()
    shown.page.click("#file-back")
    assert shown.ask(TEXT) == pressed and shown.page.locator("#sections").is_visible()
    shown.page.evaluate(DROPPED, list(b"holiday: short\n"))
    shown.wait_for("OrderForm.draft.file")
    assert shown.ask(TEXT) == "holiday: short\n" and shown.complaints == []


@pytest.mark.parametrize(
    ("content", "why"), [("[255, 254]", "no text in UTF-8"), ("new Uint8Array(300000).fill(35)", "at most 262144")]
)
def test_a_file_that_no_program_would_read_is_not_taken(shown: Browser, content: str, why: str) -> None:
    shown.ask(f"({DROPPED})({content})")
    shown.wait_for("document.getElementById('said').textContent.startsWith('Not taken')")
    assert why in shown.page.inner_text("#said") and shown.ask("OrderForm.draft.file") is None


def add_own(browser: Browser, text: str) -> str:
    """Add a line of one's own. Gives what the page has against it."""
    unfold(browser, "own")
    browser.page.fill("#own-text", text)
    browser.page.click("#own-add")
    return browser.page.inner_text("#own-problem")


def test_a_line_of_ones_own_is_sent_as_it_is_written(shown: Browser, hartmark: Place) -> None:
    """The page reads nothing of it but its first word: what is wrong with it the program says when it arrives."""
    assert add_own(shown, "taxation: light\nbuild:\n  - {in: Nowhere, build: hosue}\n\n# remark\n") == ""
    assert shown.ask(TEXT).endswith("taxation: light\nbuild:\n  - {in: Nowhere, build: hosue}\n")
    assert "the program reads it when it arrives" in shown.page.inner_text("#chosen")
    assert "hosue" in str(hartmark.verdict(shown.ask(TEXT))[0])
    shown.page.get_by_role("button", name="Undo: build").click()
    assert orders_in(hartmark, shown)["edicts"] == {"taxation": "light"}


def test_all_that_the_engine_knows_can_be_asked_for_in_a_line_of_ones_own(shown: Browser, hartmark: Place) -> None:
    """The example of every key in docs/contract.md, with the names of this campaign."""
    page = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
    block = page.split("## 5. Orders")[1].split("```yaml\n")[1].split("```")[0].replace("borderia", "karrak")
    for head in ("turn: 3\n", "kingdom: examplia\n", "amend: true"):
        block = block.replace(head, "")
    assert add_own(shown, block) == ""
    wanted = hartmark.orders(hartmark.head() + block)
    assert hartmark.orders(shown.ask(TEXT)) == wanted
    assert set(wanted) == set(hartmark.game.orders.keys) - {"amend", "token"}


PRESSED_ALREADY = (
    "claim: 0404", "Claim : [0404]", '"claim": 0404', "edicts: {holiday: long}", "holiday: long", "kingdom: karrak", "turn: 16", "final: true\nfinal: yes",
)  # fmt: skip
NO_KEY = ("claim 0404", "- claim: 0404", "{claim: 0404}", "? claim", "  claim: 0404", "claim:0404")


def test_a_line_whose_first_word_is_pressed_or_is_no_key_is_refused(shown: Browser, hartmark: Place) -> None:
    """No file may hold a key twice."""
    shown.page.locator(LAND).first.click()
    shown.ask("OrderForm.draft.add(OrderForm.draft.offers.find((offer) => offer.value[0] === 'holiday'))")
    before = shown.ask(TEXT)
    for lines, why in ((PRESSED_ALREADY, "a file may hold it only once"), (NO_KEY, "a colon")):
        for line in lines:
            assert why in add_own(shown, line) and shown.ask(TEXT) == before, line
    orders_in(hartmark, shown)


def test_what_a_line_of_ones_own_says_is_not_pressed_beside_it(shown: Browser, hartmark: Place) -> None:
    label = shown.page.locator(LAND).first.get_attribute("data-offer").split()[-1]
    assert add_own(shown, f"claim: {label}\ntaxation: light\nleadership: [economy]\n") == ""
    assert shown.page.locator("#section-land .part .part").first.locator(".offer:visible").count() == 0
    shown.page.locator("#section-edicts input[type=radio]:visible:not(:checked)").first.check()
    for box in shown.page.locator("input[type=checkbox]:visible").all():
        box.click()
    found = hartmark.orders(shown.ask(TEXT))
    assert hartmark.verdict(shown.ask(TEXT))[:2] == ([], [])
    assert found["claim"] == [label] and found["edicts"]["taxation"] == "light" and len(found["edicts"]) == 2
    assert found["leadership"] == ["economy"]


def test_the_file_is_saved_copied_and_mailed(shown: Browser) -> None:
    page, text = shown.page, shown.page.locator(LAND).first.click() or shown.ask(TEXT)
    with page.expect_download() as caught:
        page.click("#save")
    saved = Path(caught.value.path()).read_text(encoding="utf-8")
    assert (caught.value.suggested_filename, saved) == ("hartmark.yaml", text)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copy")
    shown.wait_for("document.getElementById('said').textContent === 'Copied.'")
    assert shown.ask("navigator.clipboard.readText()") == text
    link = urlsplit(page.get_attribute("#send", "href"))
    sent = parse_qs(link.query)
    assert (link.scheme, unquote(link.path)) == ("mailto", FACTS.address)
    assert sent["subject"] == [FACTS.subject] and sent["body"][0].replace("\r\n", "\n") == text
    assert page.locator("#too-long:visible").count() == 0


def test_what_the_page_says_is_seen_where_it_is_pressed(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    hartmark.show(browser, tmp_path, 360)
    browser.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    browser.page.tap("#copy")
    browser.wait_for("document.getElementById('said').textContent === 'Copied.'")
    top, bottom = browser.ask(
        "(({ top, bottom }) => [top, bottom])(document.querySelector('#said span').getBoundingClientRect())"
    )
    assert browser.ask("scrollY") > 740 and 40 <= top < bottom <= 120
    under = "document.elementFromPoint(20, 60).closest('#said')"
    assert browser.ask(under) is None  # what lies below can be pressed


def test_without_an_address_the_form_says_whom_to_give_the_orders(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    cure = "This campaign has no mail address: copy or save the orders and give them to your GM."
    for address in ("", FACTS.address):
        hartmark.show(browser, tmp_path, facts=FACTS._replace(address=address))
        assert (cure in browser.page.inner_text("#section-send")) == (not address) != browser.page.is_visible("#send")


def test_the_map_opens_at_the_capital_and_fits_a_phone_where_a_finger_still_can_press_its_hexes(
    browser: Browser, tmp_path: Path
) -> None:
    for place in (
        place_of("greenmarch", 12, "examplia"),
        place_of(WAR, 15, "hartmark"),
        *fresh_places(tmp_path / "new", 2),
    ):
        place.show(browser, tmp_path, 360)
        home = browser.ask("OrderForm.draft.model.board.home")
        inside = browser.ask(f"""(() => {{
            const [frame, hex] = [document.getElementById('map'), document.querySelector('#map [data-hex="{home}"]')].map((each) => each.getBoundingClientRect());
            return hex.left >= frame.left && hex.right <= frame.right && hex.top >= frame.top && hex.bottom <= frame.bottom && hex.height >= 43.5;
        }})()""")
        assert inside, place.name
    assert browser.ask(
        "document.getElementById('map').scrollWidth <= document.getElementById('map').clientWidth + 1"
    )  # a new kingdom's


def test_what_is_filled_in_says_what_it_costs_before_it_is_ordered(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path)
    unfold(browser, "armies")
    army = browser.page.get_by_role("group", name="Recruit an army")
    why = army.locator(".why")
    assert why.inner_text() == "Costs 1 BP."  # as it is proposed
    army.get_by_label("Its name").fill("Grey Guard")
    army.get_by_label("Size").select_option(label="choose")
    assert why.inner_text() == "Size is missing."
    for field, option in (("Unit", 1), ("Size", 3), ("In", 1)):
        army.get_by_label(field, exact=True).select_option(index=option)
    said, before = why.inner_text(), browser.ask(LEFT)["treasury"]
    army.get_by_role("button", name="Order it").click()
    cost = before - browser.ask(LEFT)["treasury"]
    assert cost > 0 and said == f"Costs {cost} BP."


def test_a_proposed_name_counts_on_behind_those_that_are_ordered(shown: Browser) -> None:
    unfold(shown, "armies")
    army = shown.page.get_by_role("group", name="Recruit an army")
    name = army.get_by_label("Its name")
    assert name.input_value() == "First Foot"
    for typed, proposed in ((None, "First Foot 2"), ("first foot 2", "First Foot 3")):
        if typed:
            name.fill(typed)
        army.get_by_role("button", name="Order it").click()
        assert name.input_value() == proposed


def test_what_is_done_about_unrest_says_what_its_check_decides(browser: Browser, tmp_path: Path) -> None:
    place_of("greenmarch", 12, "examplia").show(browser, tmp_path)
    unfold(browser, "edicts")
    unrest = browser.page.locator("fieldset", has_text="Rouse the people").inner_text()
    assert "Rousing adds 1 or more to the attribute next turn; if it fails, Unrest +1." in unrest
    assert "Breaking heads: Unrest -1 or better; if it fails, Loyalty -1 next turn." in unrest


@pytest.mark.long
def test_orders_too_long_for_a_link_are_copied_and_an_empty_mail_offered(shown: Browser) -> None:
    add_own(shown, f"messages: [{{to: all, text: {'war ' * 500}}}]")
    shown.page.click("#send")
    assert shown.page.locator("#too-long:visible").count() == 1
    empty, start = shown.page.get_attribute("#empty-mail", "href") or "", "mailto:orders@example.org?subject="
    assert empty.startswith(f"{start}Orders%20examplia%203%20%5Bk7f3q%5D") and "body" not in empty


# --- texts that people typed


HOSTILE = [
    "<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "\u202eevil\u202c", "\u738b\u56fd\u306e\u6c11" * 10, "\U0001f525 & 'q' {name} \\",
]  # fmt: skip
TYPED = [
    *HOSTILE,
    "one\n\n# - two: {three}\n\ttab 'and' \"quotes\"",
    "  no  ",
    "x\u2028y\u00a0z\u00ad",
    "a\u0301\ufeff",
]


# the short run takes the first of these texts; tests/render/test_hostile_names.py has such names in every game
@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=pytest.mark.long if number else ()) for number, text in enumerate(HOSTILE)],
)
def test_what_people_typed_stays_text(browser: Browser, tmp_path: Path, hartmark: Place, text: str) -> None:
    mine = hartmark.state.kingdoms["hartmark"]
    towns, armies = (
        {f"{text}{index}": named for index, named in enumerate(each.values())}
        for each in (mine.settlements, mine.armies)
    )
    mine = replace(mine, name=text, settlements=towns, capital=f"{text}0", armies=armies)
    place = hartmark._replace(state=with_kingdoms(hartmark.state, {"hartmark": mine}))
    place.show(browser, tmp_path, 360, FACTS._replace(campaign=text, filed=f"# {text}\n{place.head()}"))
    wrong = amiss(browser, place, browser.page.evaluate(PRESSED, [77, 80]))
    assert not wrong or not text.isprintable(), "a name with such a letter in it is never read in, by hand either"
    assert browser.ask("document.images.length") == 0 and browser.ask("document.scripts.length") == 2
    assert browser.ask("document.documentElement.scrollWidth") == 360 and browser.complaints == []


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=() if text == HOSTILE[2] else pytest.mark.long) for text in TYPED]
)
def test_whatever_is_typed_into_a_field_is_taken(shown: Browser, hartmark: Place, text: str) -> None:
    """Without what the engine would not read; and no name that it would refuse. Each list gets its second choice."""
    unfold(shown, "armies", "letters")
    for offer, box in (("message", "textarea"), ("request", "textarea"), ("recruit", "input[type=text]")):
        form = shown.page.locator(f"[data-offer={offer}]")
        form.locator(box).fill(text)
        for number in range(form.locator("select").count()):
            form.locator("select").nth(number).select_option(index=1)
        form.locator(".add").click(force=True)
    found = orders_in(hartmark, shown)
    assert len(found["messages"]) == len(found["requests"]) == 1
    assert "evil" not in text or found["messages"][0]["text"] == "evil"


def test_data_in_a_page_ends_no_script() -> None:
    text = "</script><!--\u2028\u2029&"
    assert not {"<", ">", "&", "\u2028", "\u2029"} & set(as_data({"a": text}))
    assert json.loads(as_data({"a": text})) == {"a": text}


def test_the_writer_writes_what_the_engine_reads_as_the_same(shown: Browser, hartmark: Place) -> None:
    texts = [
        "no", "0404", "a: b", "- x", "# c", "'q'", '"', "\\", "a\nb\n", "x\u2028y", "\U0001f525", "null", "{a}", "x" * 300, "e\u0301", *(text for text in TYPED[:-1] if text != HOSTILE[2]),
    ]  # fmt: skip
    wanted = {"kingdom": "hartmark", "turn": 15, "requests": texts}
    text = shown.page.evaluate("(orders) => Writer.dump(orders)", wanted)
    assert hartmark.orders(text) == hartmark.orders(yaml_out.dump(wanted))


# --- the page itself


@pytest.mark.parametrize("width", [360, 1280])
def test_where_no_script_runs_the_page_says_so_and_what_to_do(
    browser: Browser, tmp_path: Path, hartmark: Place, width: int
) -> None:
    """A mail program's window runs none, and a host's policy may forbid them; then no browser shows what stands in `noscript`."""
    file = hartmark.show(browser, tmp_path, width)
    assert browser.ask("document.getElementById('no-scripts')") is None
    text = file.read_text(encoding="utf-8")
    assert "<noscript" not in text and "Save this page as a file and open the file in a web browser." in text
    browser.show(file, width, script=False)
    said = browser.page.locator("#no-scripts")
    assert said.is_visible() and "needs scripts, and none runs" in said.inner_text()
    assert [browser.page.locator(part).is_visible() for part in ("#bar", "#clear", "#map")] == [False, False, True]


def test_nothing_can_be_fetched_from_it(shown: Browser) -> None:
    """Its policy forbids what no part of it asks for."""
    tried = "fetch('https://example.org/').then(() => 'fetched', () => 'forbidden')"
    assert shown.ask(tried) == "forbidden"
    assert any("Content Security Policy" in each for each in shown.complaints)


def test_the_command_writes_one_form_or_one_for_each_seat(
    tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (["--to", str(tmp_path / "all")], ["hartmark", "--to", str(tmp_path / "one.html")]):
        monkeypatch.setattr("sys.argv", ["kingdom", "form", str(archives.example(WAR)), *words])
        assert run_program() == 0
    assert {file.stem for file in (tmp_path / "all").iterdir()} == {"hartmark", "karrak", "skarn", "wendwater"}
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "all" / "hartmark.html").read_bytes()
    capsys.readouterr()


def copy_of(folder: Path, more: str) -> Path:
    """A copy of the war with lines more in its campaign.yaml."""
    shutil.copytree(archives.example(WAR), folder / "war")
    settings = folder / "war" / "campaign.yaml"
    keys = {line.partition(":")[0] for line in more.splitlines()}
    lines = [line for line in settings.read_text(encoding="utf-8").splitlines() if line.partition(":")[0] not in keys]
    settings.write_text("\n".join(lines) + "\n" + more, encoding="utf-8")
    return folder / "war"


def test_there_is_no_form_for_a_turn_that_never_comes(tmp_path: Path) -> None:
    with pytest.raises(Faults, match="There is no turn 15"):
        form_pages(open_campaign(copy_of(tmp_path, "ends: {turn: 14}\n")))


def test_a_campaign_without_messages_offers_none(tmp_path: Path) -> None:
    html = form_pages(open_campaign(copy_of(tmp_path, "messages: off\n")), ["hartmark"])["hartmark"]
    assert "Write a message" not in html and "Ask the GM for a ruling" in html


def test_a_form_holds_no_token_but_its_own(tmp_path: Path) -> None:
    campaign = open_campaign(copy_of(tmp_path, "mail: {address: orders@example.org}\n"))
    own = {seat: player.token for seat, player in campaign.settings.players.items() if player.token}
    tokens = {seat: turn_token(campaign, seat, newest(campaign) + 1) for seat in own}
    for seat, html in form_pages(campaign).items():
        assert [other for other, token in tokens.items() if f"[{token}]" in html] == ([seat] if seat in tokens else [])
        assert not [other for other, token in own.items() if f"[{token}]" in html], "only that of its turn"
        assert campaign.settings.seed not in html


def shown_in(browser: Browser, folder: Path, campaign: Path, seat: str) -> None:
    """Open the form of a campaign's seat on a phone."""
    (folder / "form.html").write_text(form_pages(open_campaign(campaign), [seat])[seat], encoding="utf-8")
    browser.show(folder / "form.html", 360)


def test_a_form_calls_kingdoms_and_players_by_their_names(browser: Browser, tmp_path: Path) -> None:
    shown_in(browser, tmp_path, archives.example(WAR), "hartmark")
    readers = dict(
        browser.ask("""[...OrderForm.draft.offers].find((offer) => offer.id === 'message').fields[0].options
        .map((option) => [option.value, option.text])""")
    )
    assert [*readers.values()] == [
        "all", "Kira (The Queendom of the Karrak)", "The Salt Cities", "Sten (Skarn)", "Wynn (Wendwater)",
    ]  # fmt: skip
    assert {"karrak", "saltgate"} < {*readers}
    assert browser.page.title().startswith("Orders of The Hartmark for turn")
    assert browser.page.inner_text("footer.page").endswith(", The Hartmark.")


def test_a_game_without_offers_has_the_reader_alone(browser: Browser, tmp_path: Path) -> None:
    tiny_game.register()
    shown_in(browser, tmp_path, tiny_game.played(tmp_path / "tiny"), "ann")
    add_own(browser, "take: 2")
    assert browser.ask(TEXT) == "kingdom: ann\nturn: 3\ntake: 2\n" and browser.complaints == []


# --- what is had on credit, and plans


HOUSE, WALL, SHOP = "build Oakhold house", "build Oakhold city_wall", "build Oakhold shop"


@pytest.mark.parametrize(
    ("treasury", "unrest", "chosen", "possible", "left"),
    [
        (-2, 6, [HOUSE, HOUSE, SHOP], [True, False, False], -5),
        (-2, 6, [WALL, HOUSE], [True, False], -4),
        (1, 6, [HOUSE], [True], -2),
        (-20, 6, [HOUSE], [False], -20),
        (-2, 4, [HOUSE], [False], -2),
        (3, 5, [HOUSE, HOUSE], [True, False], 0),  # the first calms, and leaves too little Unrest for credit
        (2, 7, [WALL, WALL], [True, False], 0),  # on credit is a town's first wall alone
    ],
)
def test_a_house_or_first_wall_is_had_on_credit(
    browser: Browser, tmp_path: Path, treasury: int, unrest: int, chosen: list[str], possible: list[bool], left: int
) -> None:
    """A kingdom of one town before turn 10."""
    rules = rules_of()
    given = {"settlements": {"Oakhold": {"hex": "0404"}}, "unrest": unrest, "hexes": {"0404": [], "0405": []}}
    world = world_of({"examplia": given}, rules=rules, state={"examplia": {"treasury": treasury}}, turn=10)
    place = Place("in debt", GAME, world, "examplia", rules, {**GAME.names(rules), "seats": ("examplia",)})
    place.show(browser, tmp_path)
    offered = browser.ask("OrderForm.draft.offers.map((offer) => offer.id)")
    assert [id in offered and not add(browser, id) for id in chosen] == possible
    assert browser.ask(LEFT)["treasury"] == left == place.verdict(browser.ask(TEXT))[2]["treasury"]
    orders_in(place, browser)


def test_a_town_may_have_any_name(browser: Browser, tmp_path: Path) -> None:
    """A place stands in many texts of the page: it is put in as it is written, whatever its letters mean elsewhere."""
    rules, town = rules_of(), "$$ & $& ~ $1"
    given = {"settlements": {town: {"hex": "0404"}}, "hexes": {"0404": [], "0405": []}}
    world = world_of({"examplia": given}, rules=rules, state={"examplia": {"treasury": 50}}, turn=10)
    place = Place("named", GAME, world, "examplia", rules, {**GAME.names(rules), "seats": ("examplia",)})
    place.show(browser, tmp_path)
    towns = browser.ask(
        "OrderForm.draft.offers.filter(({ work }) => work).map(({ work, value }) => [work.town, value.in])"
    )
    assert towns and all(each == [town, town] for each in towns)
    first = browser.ask("OrderForm.draft.offers.find((offer) => offer.work && !OrderForm.draft.tried(offer).why).id")
    assert add(browser, first) == "" and orders_in(place, browser)["build"][0]["in"] == town


def test_a_plan_says_its_orders_first_and_shows_them_among_those_chosen_when_it_is_pressed(
    browser: Browser, tmp_path: Path, hartmark: Place
) -> None:
    claim = f"{hartmark.head()}claim: [0103]\n"
    grow = {"title": "Grow", "effects": ["A hex more."], "text": f"{claim}edicts: {{promotion: aggressive}}"}
    rest = {"title": "Rest", "effects": ["Nothing changes."], "text": claim}
    hartmark.show(browser, tmp_path, 360, FACTS._replace(advice=[grow, rest], filed=claim))
    said, *_ = browser.page.locator("#section-advice .card").all_text_contents()
    in_order = [said.index(words) for words in ("0103", "Promotion: aggressive", "A hex more.", "Start with this")]
    assert in_order == sorted(in_order)
    assert browser.ask("OrderForm.draft.entries.length") == 1  # what is filed, not a plan
    browser.page.locator("#section-advice .add").first.click()
    assert browser.page.locator("#chosen li").count() == 2 and browser.page.locator("#chosen .mark").count() == 0
    assert browser.ask("document.activeElement.id") == "chosen-title"
    assert 0 < browser.ask("document.getElementById('chosen').getBoundingClientRect().top") < 700
    assert browser.complaints == []


# --- undone


def test_what_a_press_replaced_at_once_can_be_brought_back(browser: Browser, tmp_path: Path, hartmark: Place) -> None:
    """A plan, the last turn's orders and "Take all back" put their orders in place of all that was chosen; so does bringing back."""
    file = "kingdom: hartmark\nturn: 15\n"
    plans = [{"title": "Grow", "effects": [], "text": f"{file}claim: [0103]\n"}]
    facts = FACTS._replace(
        advice=plans, filed=f"{file}taxation: light\n", last="kingdom: hartmark\nturn: 14\nholiday: short\n"
    )
    hartmark.show(browser, tmp_path, facts=facts)
    page, back = browser.page, browser.page.locator("#bring-back")
    assert not back.is_visible(), "nothing was replaced yet"

    def chosen() -> dict[str, Any]:
        return {key: what for key, what in orders_in(hartmark, browser).items() if key not in ("kingdom", "turn")}

    light, claimed = {"edicts": {"taxation": "light"}}, {"claim": ["0103"]}
    page.locator("#section-advice .add").click()
    assert chosen() == claimed and back.inner_text() == "Undo: bring back 1 order"
    back.click()
    assert chosen() == light
    back.click()
    assert chosen() == claimed, "an undo can be undone"
    for button in ("#start-last", "#clear"):
        page.click(button)
        assert chosen() != claimed
        back.click()
        assert chosen() == claimed
    page.click("#clear")
    page.reload()
    assert not back.is_visible() and chosen() == light and browser.complaints == []
