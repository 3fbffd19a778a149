"""docs/rules.md and `kingdom rules`: drawn from the tables that the engine uses; what a campaign changes is marked."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from kingdom.cli.main import main
from kingdom.engine.game import load
from kingdom.games.realm.rules.rules import TABLES, Rules
from kingdom.orders import tables
from kingdom.orders.vocabulary import fields_of
from kingdom.render import reports
from tests.kit import small_realm
from tests.kit.tiny_game import write

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
TEMPLATE = (ROOT / "templates" / "realm" / "rules.md").read_text(encoding="utf-8")
REALM = load("realm")


def test_the_page_is_what_the_tables_say() -> None:
    assert reports.rules_page(REALM, tables.load(REALM)) == PAGE, "run scripts/redoc"


def test_the_page_of_edition_2_is_what_the_tables_say() -> None:
    page = (ROOT / "docs" / "edition-2.md").read_text(encoding="utf-8")
    assert reports.rules_page(REALM, tables.load(REALM), page="edition-2.md") == page, "run scripts/redoc"


def test_the_players_guide_says_what_holds_by_the_rules_of_the_campaign() -> None:
    newest, first = (
        reports.rules_page(REALM, tables.load(REALM, edition=number), page="guide.txt") for number in (2, 1)
    )
    assert (
        "from the next turn on the army marches" in newest and "\nsurrender: " in newest and "first 4 turns" in newest
    )
    assert (
        "march in the same turn or later" in first and "surrender: " not in first and "Nothing dangerous" not in first
    )
    assert max(map(len, (newest + first).splitlines())) <= 78


def test_every_step_of_a_turn_has_its_place() -> None:
    titles = re.sub(r"[^a-z]+", " ", TEMPLATE.lower())
    for phase in REALM.phases:
        for step in phase.steps:
            assert step.__name__.replace("_", " ") in titles, step.__name__


def test_every_table_and_ruling_stands_there_and_can_be_found() -> None:
    headings = re.findall(r"^### (\S+)$", PAGE, re.M)
    assert [name for name in headings if name in fields_of(Rules)] == [
        *TABLES,
        *(name for name in fields_of(Rules) if name not in TABLES),
    ]
    for name in re.findall(r"\]\(#([a-z0-9_-]+)\)", PAGE):
        assert name in headings or name == "the-rulings", name


def test_rules_of_an_older_release_have_their_page_too() -> None:
    """What was added since is off in them: the page leaves it out, as the chronicle of such a campaign needs."""
    own = tables.load(REALM)
    first = [field.name for field in msgspec.structs.fields(Rules) if field.required]
    old = own._replace(json=msgspec.json.encode({name: own.data[name] for name in first}))
    page = reports.rules_page(REALM, old)
    headings = re.findall(r"^### (\S+)$", page, re.M)
    assert [name for name in re.findall(r"\]\(#([a-z0-9_-]+)\)", page) if name not in (*headings, "the-rulings")] == []
    assert "**Trade.**" in PAGE and "**Trade.**" not in page and "**Taxes.**" in page


def test_the_prose_holds_no_figure_of_its_own() -> None:
    prose = TEMPLATE.partition("## The turn")[2].partition("## The tables")[0]
    prose = re.sub(r"\{[{%].*?[%}]\}|step \d", "", prose, flags=re.S)
    assert re.findall(r"[1-9]\d*", prose) == []


@pytest.mark.parametrize("one_in", [5, pytest.param(1, marks=pytest.mark.long)])
def test_each_ruling_shows_how_it_is_changed(one_in: int, tmp_path: Path) -> None:
    lines = re.findall(r"^`rules: (\{.*\})`$", PAGE, re.M)
    assert len(lines) > 40
    folder = small_realm.campaign(tmp_path / "fords")
    for line in lines[::one_in]:
        write(
            folder,
            "campaign.yaml",
            re.sub(
                r"^rules: .*$", f"edition: 2\nrules: {line}".replace("\\", "\\\\"), small_realm.CAMPAIGN, flags=re.M
            ),
        )
        assert main(["rules", str(folder)]) == 0, line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = small_realm.campaign(tmp_path / "fords")
    garden = "buildings: {hanging_garden: {cost: 12, lots: 1, kingdom: {loyalty: 2}}}"
    rules = f"{{control_dc: {{base: 12}}, edicts: {{holiday: {{long: {{loyalty: 3}}}}}}, add: {{{garden}}}}}"
    write(folder, "campaign.yaml", re.sub(r"^rules: .*$", f"rules: {rules}", small_realm.CAMPAIGN, flags=re.M))
    return folder


def test_a_campaigns_changes_and_house_content_are_marked(folder: Path, capsys) -> None:
    assert main(["rules", str(folder)]) == 0
    page = capsys.readouterr().out
    assert page.startswith("# The rules of The two fords\n")
    assert "Changed here: [buildings](#buildings), [edicts](#edicts), [control_dc](#control_dc)." in page
    assert "- base: **12** (changed; the game's own is 10)" in page
    assert "| `hanging_garden` **(house)** | Hanging Garden | 12 |" in page
    assert "| holiday: long **(changed)** | +3 |" in page
    assert "against the **Control DC**: 12 + 1" in page
    assert page.count("**(house)**") == 2 and page.count("**(changed)**") == 2  # one of each in the page's own key


def test_they_can_be_written_to_a_file(folder: Path, tmp_path: Path, capsys) -> None:
    assert main(["rules", str(folder), "--to", str(tmp_path / "rules.md")]) == 0
    assert "hanging_garden" in (tmp_path / "rules.md").read_text(encoding="utf-8")


def test_a_campaign_that_changes_nothing_says_so(tmp_path: Path, capsys) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    write(folder, "campaign.yaml", re.sub(r"^rules: .*\n", "", small_realm.CAMPAIGN, flags=re.M))
    assert main(["rules", str(folder)]) == 0
    assert "The campaign itself changes nothing in that edition." in capsys.readouterr().out
