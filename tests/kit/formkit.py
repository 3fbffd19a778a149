"""Order forms in the real Chromium: made for a state, filled in at random or by plan, and held against the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from kingdom.campaign import campaign as campaigns
from kingdom.engine.dice import NoDice
from kingdom.engine.game import Game
from kingdom.engine.turn import resolve
from kingdom.mail.outgoing.letters import LONGEST
from kingdom.orders import orders_file
from kingdom.render.order_form import FormFacts, as_data, form_of
from kingdom.render.packing import packed
from tests.kit import archives
from tests.kit.browser import Browser

FACTS = FormFacts(
    "The Ford Lands",
    "Friday 11 December 2026, 18:00 (UTC)",
    "orders@example.org",
    "Orders examplia 3 [k7f3q]",
    (),
    LONGEST,
)
# Unfolds everything: what is folded is made when it is unfolded.
UNFOLD = """for (let folded; (folded = document.querySelectorAll('.fold[aria-expanded=false]')).length;) folded.forEach((each) => each.click());"""
# Presses and fills in at random what is seen on the page, by the events that a pointer and a keyboard make; orders under those keys
# alone, where some are named.
PRESSED = """
async ([seed, presses, keys]) => {
  let state = seed;
  const below = (number) => { state = (state * 1103515245 + 12345) % 2147483648; return Math.floor(state / 2147483648 * number); };
  const one = (list) => list[below(list.length)];
  const seen = (from, kind) => [...from.querySelectorAll(kind)].filter((each) => each.getClientRects().length);
  const put = (field, value) => {
    field.value = value;
    for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }));
  };
  const fill = (form) => {
    for (const list of seen(form, 'select')) put(list, one([...list.options]).value);
    for (const box of seen(form, 'input[type=text], textarea')) put(box, one(['Newford', 'a: b # c', '\u738b\u56fd', 'no', '0404']) + below(99));
    for (const box of seen(form, 'input[type=number]')) put(box, String(Number(box.min || 0) + below(Number(box.max || 9) - Number(box.min || 0) + 1)));
    for (const box of seen(form, 'input[type=checkbox]')) if (below(3) === 0) box.click();
  };
  const kinds = ['.offer', '.offer', '.filled .add', '.filled .add', 'main section > fieldset .tick input', '#map .claimable, [data-piece], .lit',
    '#chosen .undo', '.more-rows', '.sequence .last', ...(keys ? [] : ['#chosen .later'])];
  document.querySelectorAll('#sections details').forEach((each) => { each.open = true; });
  await new Promise((opened) => setTimeout(opened, 20));
  UNFOLD
  const keyOf = (control) => (OrderForm.draft.offers.find(({ id }) => id === control.closest('[data-offer]')?.dataset.offer) || {}).key;
  const wanted = (control) => !keys || !keyOf(control) || keys.includes(keyOf(control));
  for (let press = 0; press < presses; press += 1) {
    const found = seen(document, one(kinds)).filter(wanted);
    if (!found.length) continue;
    const pressed = one(found);
    if (pressed.matches('.add')) for (let round = 0; round < 2; round += 1) fill(pressed.closest('.filled'));
    pressed.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  }
  return OrderForm.draft.text();
}
""".replace("UNFOLD", UNFOLD)
# [id of an offer, the orders file of it alone] of every control that can be pressed first, each field filled in with what fits first.
ALONE = """
() => {
  const { draft } = OrderForm;
  const first = (field, values) => {
    if (field.kind === 'number') return field.least;
    if (field.kind === 'text' || field.kind === 'lines') return 'New Wick';
    const open = field.options.filter((option) => Fields.open(option, values)).map((option) => option.value);
    return field.kind === 'choice' ? open[0] : open.slice(0, Math.max(field.least || 0, 1));
  };
  return draft.offers.flatMap((offer) => {
    const [fields, values] = [offer.fields || [], offer.work ? { place: draft.tried(offer).place } : {}];
    const any = fields.find((field) => offer.any_of?.includes(field.name));
    for (const field of fields) if (!field.none || field === any) values[field.name] = first(field, values);
    if ((offer.work && !values.place) || Fields.objection(offer, values) || draft.objection(offer, values)) return [];
    draft.entries = [{ offer, values }];
    const text = draft.text();
    draft.entries = [];
    return [[offer.id, text]];
  });
}
"""
# Of each of some orders what no control of the page holds.
UNHELD = """
(all) => all.map((orders) => {
  OrderForm.draft.load(orders);
  return OrderForm.draft.entries.filter((entry) => !entry.offer).map((entry) => entry.line);
})
"""
# What the page counts, and whether it knows all that comes of the orders.
COUNTED = """(({ model, counted: { left, state } }) =>
  [Object.fromEntries(model.counters.map(({ id }) => [id, left[id]])), Boolean(state.facts.sure)])(OrderForm.draft)"""
TEXT = "OrderForm.draft.text()"
# Controls of the page that is shown with everything in it unfolded: how many there are, and those that are too small for a finger.
SMALL = """
(() => {
  UNFOLD
  document.querySelectorAll('details').forEach((each) => { each.open = true; });
  const all = [...document.querySelectorAll('button, select, input, textarea, summary, a[href], [role=button]')];
  const boxes = all.map((each) => [each, each.getBoundingClientRect()]).filter(([, box]) => box.width);
  const small = boxes.filter(([, box]) => Math.min(box.width, box.height) < 43.5);
  return [boxes.length, small.map(([each, box]) => `${each.outerHTML.slice(0, 80)} ${box.width} x ${box.height}`)];
})()
""".replace("UNFOLD", UNFOLD)


class Place(NamedTuple):
    """A seat before a turn: what its form is made from."""

    name: str
    game: Game
    state: Any
    seat: str
    rules: Any
    names: dict[str, Any]

    def page(self) -> dict[str, Any]:
        """What the page is drawn from."""
        return self.game.forms.page(self.game.known(self.state, self.seat, self.rules), self.seat, self.rules)

    def html(self, facts: FormFacts = FACTS) -> str:
        """The form."""
        return form_of(self.game, self.state, self.seat, self.rules, self.names, facts)

    def show(self, browser: Browser, folder: Path, width: int = 1280, facts: FormFacts = FACTS) -> Path:
        """Open the form in the browser. Gives its file."""
        file = folder / "form.html"
        file.write_text(self.html(facts), encoding="utf-8")
        browser.show(file, width)
        return file

    def head(self) -> str:
        """The first lines of an orders file."""
        return f"kingdom: {self.seat}\nturn: {self.state.turn + 1}\n"

    def orders(self, text: str) -> dict[str, Any]:
        """The orders of a text, in the long form; it has no problems."""
        filing = orders_file.read(text.encode(), "form.yaml", self.game, self.names, self.seat, self.state.turn + 1)
        assert filing.orders is not None, [str(problem) for problem in filing.problems]
        return filing.orders

    def verdict(self, text: str) -> tuple[list[str], list[str], Mapping[str, int]]:
        """(problems, refusals, the accounts behind what can be foreseen) of an orders file, as `kingdom check` finds them."""
        filing = orders_file.read(text.encode(), "form.yaml", self.game, self.names, self.seat, self.state.turn + 1)
        if filing.orders is None:
            return [str(problem) for problem in filing.problems], [], {}
        known = self.game.known(self.state, self.seat, self.rules)
        result = resolve(
            self.game, known, {self.seat: filing.orders}, NoDice(), self.rules, until=self.game.foreseen_to
        )
        facts = [notice.facts for notice in result.notices if notice.kind == "refusal" and notice.seat == self.seat]
        accounts = self.game.accounts(result.after, self.seat, self.rules)
        return [], [f"{each['order']}: {each['reason']}" for each in facts], accounts


def place_of(campaign: str, turn: int, seat: str) -> Place:
    """A seat of an example campaign before a turn."""
    opened = campaigns.open_campaign(archives.example(campaign))
    kept = campaigns.kept(opened, turn - 1)
    rules = campaigns.rules_of(opened, kept).rules
    names = {**opened.game.names(rules), "seats": opened.seats}
    return Place(f"{campaign} {turn} {seat}", opened.game, campaigns.state_of(opened, kept), seat, rules, names)


def places_of(campaign: str, every: int) -> Iterator[Place]:
    """Every seat in play of an example campaign, every so many turns."""
    newest = campaigns.newest(campaigns.open_campaign(archives.example(campaign)))
    for turn in range(newest + 1, 0, -every):
        first = place_of(campaign, turn, "")
        for seat in first.game.seats(first.state):
            yield first._replace(name=f"{campaign} {turn} {seat}", seat=seat)


def wild_places(seeds: range) -> Iterator[Place]:
    """Seats of wild campaigns, in which everything is under way at once."""
    from kingdom.games.realm.game import GAME
    from tests.games.realm import wild

    for seed in seeds:
        for played in wild.campaign(seed, 2):
            names = {**GAME.names(wild.RULES), "seats": tuple(played.before.kingdoms)}
            for seat in played.before.kingdoms:
                yield Place(
                    f"wild {seed}, turn {played.before.turn + 1}, {seat}", GAME, played.before, seat, wild.RULES, names
                )


def fresh_places(folder: Path, kingdoms: int) -> Iterator[Place]:
    """The seats of a new campaign before its first turn."""
    from kingdom.campaign import preview
    from kingdom.cli.main import main

    assert main(["new", str(folder), "--kingdoms", str(kingdoms)]) == 0
    opened = campaigns.open_campaign(folder)
    rules, state, names = preview.start_of(opened)
    for seat in opened.seats:
        yield Place(f"new {seat}", opened.game, state, seat, rules.rules, dict(names))


def unfold(browser: Browser, *sections: str) -> None:
    """Unfold these sections, as a finger does; "own": where a line of one's own is typed. What is unfolded stays so."""
    for section in sections:
        if section != "own":
            knob = browser.page.locator(f"#section-{section}-title")
            if knob.get_attribute("aria-expanded") == "false":
                knob.click()
        elif not browser.page.is_visible("#own-text"):
            browser.page.locator("#section-own > summary").click()


def add(browser: Browser, id: str, values: Mapping[str, Any] = {}) -> str:
    """Choose an offer of the page by its id, filled in with these values. Gives why it is not possible, "" where it is."""
    chosen = "([id, values]) => OrderForm.draft.add(OrderForm.draft.offers.find((offer) => offer.id === id), values)"
    return str(browser.page.evaluate(chosen, [id, values]))


def amiss(browser: Browser, place: Place, text: str) -> list[str]:
    """What the engine has against what the page gave: problems, refusals, other accounts than the page counted; and what the console said.

    `counted` of tests/plays/NAME.py says where a page can't know what the engine makes of an account: it counts the "least", or not, "".
    """
    problems, refusals, accounts = place.verdict(text)
    found = [*problems, *refusals, *browser.complaints]
    left, sure = browser.ask(COUNTED)
    counted = getattr(import_module(f"tests.plays.{place.game.name}"), "counted", lambda *_: "same")
    for account in () if problems or refusals else left.keys() & accounts.keys():
        how = counted(place, account, text, sure)
        if (how == "same" and left[account] != accounts[account]) or (
            how == "least" and left[account] > accounts[account]
        ):
            found.append(f"the form counted {left[account]} {account}, the engine {accounts[account]}")
    return [f"{place.name}: {wrong}\n{text}" for wrong in found]


def unpacked(browser: Browser, model: dict[str, Any]) -> list[dict[str, Any]]:
    """The sections as the page has them. The data goes its way as text, as in a form."""
    text = as_data(packed(model))
    sections: list[dict[str, Any]] = browser.page.evaluate(
        "text => { const model = JSON.parse(text); Draft.unpacked(model); return model.sections; }", text
    )
    for part in (part for section in sections for part in section["parts"] if part.get("kind") == "choice"):
        for offer in part["offers"]:
            del offer["about"]  # which the page adds
    return sections
