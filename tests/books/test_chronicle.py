"""`kingdom chronicle`: a set of pages for each seat's eyes and one for the public. Each is whole in itself and tells nothing else."""

from __future__ import annotations

import errno
import html
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from kingdom.books import chronicle as chronicles
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import store
from kingdom.cli.main import main
from tests.campaign.test_crash import CALLS, Calls, Killed
from tests.kit import archives, mailkit, postkit, small_realm, tiny_game
from tests.kit.browser import PROGRAM, Browser
from tests.kit.pagekit import overflowing, shut_out
from tests.kit.rows import sampled
from tests.kit.tiny_game import contents, file_orders, write
from tests.render.test_reports import HOSTILE

WAR = archives.example("war-of-the-ford")
TURNS = 2
SECRET = "an old crown"
TOKENS = {"examplia": "k7f3q", "borderia": "b9wx2", "cravonia": "c4ntz", "gm": "g5s1r"}
CAMPAIGN = """\
name: The three fords
game: realm
seed: public, this is a test
public_seed: true
rules: {events: {chance: {normal: 0, after_quiet_turn: 0}}, trade: {between_neighbours: false}}
gm: {name: Gwen, email: gwen@example.org, token: g5s1r}
players:
  examplia: {name: Ada, email: ada@example.org, token: k7f3q}
  borderia: {name: Bo, email: bo@example.org, token: b9wx2}
  cravonia: {name: Cy, email: cy@example.org, token: c4ntz}
"""
MAP = {
    "rows": ["pppffhppppppp", "ppppfhppppppp", "ppphhmppppppp", "ppphhmppppppp"],
    "hexes": {"0202": "{features: [river]}", "0103": f"{{secret: {SECRET}}}"},
}
CRAVONIA = """\
name: Cravonia
attributes: {economy: 2, loyalty: 2, stability: 2}
treasury: 40
capital: Farhold
hexes: {"1202": [], "1203": []}
settlements: {Farhold: {hex: "1203", buildings: [house]}}
"""
OVERLOOKED = "0604"  # where the seed gives a 3
EXPLORE = 'special: [{edict: explore, from: Oakhold, weeks: 1, route: ["0304", "0404", "0504", "0604"]}]\n'
ORDERS = {
    (
        1,
        "examplia",
    ): 'claim: 0102\nbuild: inn in Nowhere\nmessages: [{to: borderia, text: "Shall we talk?"}, {to: all, text: "Peace to all."}]\n',
    (1, "borderia"): 'messages: [{to: cravonia, text: "Between us two."}]\n',
    (1, "gm"): 'tell: [{to: all, text: "Winter comes early."}, {to: borderia, text: "Only Borderia hears this."}]\n',
    (2, "examplia"): EXPLORE,
    (2, "cravonia"): "holiday: long\nclaim: 1103\n",
}
NOTHING: Mapping[str, str] = MappingProxyType({})


def laid_down(
    folder: Path,
    hexes: Mapping[str, str] = NOTHING,
    kingdoms: Mapping[str, str] = NOTHING,
    name: str = "The three fords",
) -> Path:
    """Three kingdoms, the third far away. hexes: what the map says besides; kingdoms: the text of other files of a start."""
    said = {**MAP["hexes"], **hexes}
    grid = "".join(f"  {row}\n" for row in MAP["rows"])
    write(folder, "campaign.yaml", CAMPAIGN.replace("The three fords", json.dumps(name), 1))
    write(
        folder,
        "map.yaml",
        f"grid: |\n{grid}hexes:\n" + "".join(f'  "{label}": {what}\n' for label, what in said.items()),
    )
    for seat, text in {
        "examplia": small_realm.EXAMPLIA,
        "borderia": small_realm.BORDERIA,
        "cravonia": CRAVONIA,
        **kingdoms,
    }.items():
        write(folder, f"kingdoms/{seat}.yaml", text)
    return folder


def played(folder: Path, turns: int = TURNS) -> Path:
    """So many turns kept after turn 0."""
    for (turn, seat), text in ORDERS.items():
        if turn <= turns:
            file_orders(folder, turn, seat, text)
    while not (folder / "turns" / store.name_of(turns)).is_dir():
        assert main(["turn", str(folder)]) == 0
    return folder


def chronicle(folder: Path, to: Path) -> Path:
    assert main(["chronicle", str(folder), str(to)]) == 0
    return to


@pytest.fixture(scope="module")
def fords(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(laid_down(tmp_path_factory.mktemp("chronicle") / "fords"))


@pytest.fixture(scope="module")
def told(fords: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return chronicle(fords, tmp_path_factory.mktemp("told") / "chronicle")


def words(file: Path) -> str:
    text = re.sub(r"<style>.*?</style>", "", file.read_text(encoding="utf-8"), flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def sets(folder: Path) -> list[Path]:
    return [entry for entry in sorted(folder.iterdir()) if entry.is_dir()]


# --- what is in it


def test_there_is_a_set_for_each_seat_and_one_for_the_public(told: Path) -> None:
    assert [entry.name for entry in sets(told)] == ["borderia", "cravonia", "examplia", "public"]
    assert sorted(name.name for name in (told / "examplia").iterdir()) == [
        "0000",
        "0001",
        "0002",
        "index.html",
        "rules.md",
    ]


def test_the_books_of_all_kingdoms_lie_beside_the_sets_and_in_none(fords: Path, told: Path) -> None:
    """They are the page of the review, which says for whom it is."""
    assert main(["review", str(fords), "--html", str(told.parent / "page.html")]) == 0
    assert (told / "review.html").read_bytes() == (told.parent / "page.html").read_bytes()
    assert "this page is for the GM" in (told / "review.html").read_text()
    assert 'href="review.html"' in (told / "index.html").read_text() and "for the GM alone" in words(
        told / "index.html"
    )
    assert not [page for page in told.rglob("*") if page.parent != told and "review" in page.name]
    assert not [page for page in told.rglob("*.html") if page.parent != told and "review.html" in page.read_text()]


@pytest.mark.parametrize("turn", range(TURNS + 1))
def test_the_kept_reports_are_in_it_byte_for_byte(fords: Path, told: Path, turn: int) -> None:
    for seat in ("examplia", "borderia", "cravonia"):
        for ending in ("txt", "html"):
            kept = fords / "turns" / store.name_of(turn) / "reports" / f"{seat}.{ending}"
            assert (told / seat / store.name_of(turn) / f"report.{ending}").read_bytes() == kept.read_bytes()


def test_the_pages_of_the_turns_lead_to_each_other_and_to_the_report(told: Path) -> None:
    page = (told / "examplia/0001/index.html").read_text()
    links = re.findall(r'<a (?:rel="\w+" )?href="([^"]+)"', page)
    assert links[:5] == ["../0000/index.html", "../index.html", "../0002/index.html", "report.html", "report.txt"]
    assert '"next"' not in (told / "examplia/0002/index.html").read_text()
    assert '"prev"' not in (told / "examplia/0000/index.html").read_text()


def test_the_numbers_by_turn_are_those_of_the_sheets(
    fords: Path, told: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (told / "examplia/index.html").read_text()
    names = re.findall(r"<th[^>]*>([^<]+)</th>", page.split("<tbody>")[0])[1:]
    rows = re.findall(r"<tr><th scope=\"row\">.*?</tr>", page)
    capsys.readouterr()
    for turn, row in enumerate(rows):
        assert main(["show", str(fords), "examplia", "--turn", str(turn), "--json"]) == 0
        sheet = json.loads(capsys.readouterr().out)
        assert dict(zip(names, map(int, re.findall(r"<td[^>]*>(-?\d+)</td>", row)), strict=True)) == {
            name: sheet[name.lower()] for name in names
        }
    assert len(rows) == TURNS + 1 and {"Treasury", "Unrest", "Size"} <= set(names)


def test_the_ledger_of_a_turn_is_the_seat_s_part_of_it(fords: Path, told: Path) -> None:
    import csv

    for turn in range(TURNS + 1):
        name = store.name_of(turn)
        with open(fords / "turns" / name / "ledger.csv", encoding="utf-8", newline="") as file:
            kept = [
                (row["account"], int(row["delta"]), int(row["balance"]))
                for row in csv.DictReader(file)
                if row["kingdom"] == "examplia"
            ]
        rows = re.findall(
            r"<td>([^<]*)</td><td class=\"n\">([+-]\d+)</td><td class=\"n\">(-?\d+)</td></tr>",
            (told / "examplia" / name / "index.html").read_text(),
        )
        assert [(account.lower(), int(delta), int(balance)) for account, delta, balance in rows] == kept


def test_a_seat_reads_what_it_wrote_what_it_got_and_what_was_refused(told: Path) -> None:
    assert "You wrote to Borderia : Shall we talk?" in words(told / "examplia/0001/index.html")
    assert "Examplia wrote to Borderia : Shall we talk?" in words(told / "borderia/index.html")
    assert "Only Borderia hears this." in words(told / "borderia/0001/index.html")
    assert "Nowhere is no settlement of this kingdom" in words(told / "examplia/0001/index.html")
    assert "Shall we talk?" not in words(told / "cravonia/index.html")


def test_the_map_is_the_one_that_the_seat_knew(fords: Path, told: Path) -> None:
    campaign = campaigns.open_campaign(fords)
    for turn in range(TURNS + 1):
        kept = campaigns.kept(campaign, turn)
        state, rules = campaigns.state_of(campaign, kept), campaigns.rules_of(campaign, kept).rules
        drawn = campaign.game.picture(state, "examplia", rules)
        assert (told / "examplia" / store.name_of(turn) / "map.svg").read_text(encoding="utf-8") == drawn


def test_public_is_what_all_were_told_and_nothing_else(told: Path) -> None:
    said = words(told / "public/index.html")
    for text in ("Winter comes early.", "Examplia wrote to all : Peace to all.", "Examplia", "Borderia", "Cravonia"):
        assert text in said
    for text in (
        "Only Borderia hears this.",
        "Shall we talk?",
        "Between us two.",
        "Oakhold",
        "Ada",
        SECRET,
        "Treasury",
        "size",
    ):
        assert text not in said
    assert sorted(name.name for name in (told / "public").iterdir()) == ["index.html", "rules.md"]


def test_a_rule_that_changed_is_told_to_all(tmp_path: Path) -> None:
    folder = played(laid_down(tmp_path / "fords"), 1)
    text = (folder / "campaign.yaml").read_text()
    write(folder, "campaign.yaml", text.replace("rules: {", "rules: {control_dc: {base: 12}, "))
    told = chronicle(played(folder), tmp_path / "told")
    assert "The rules were changed: Control DC: base changes from 10 to 12." in words(told / "public/index.html")


def test_a_message_that_the_gm_voided_is_not_told(tmp_path: Path) -> None:
    folder = played(laid_down(tmp_path / "fords"), 0)
    for (turn, seat), text in ORDERS.items():
        file_orders(folder, turn, seat, text)
    file_orders(folder, 1, "gm", 'gm: [{void: {kingdom: examplia, order: "messages[1]"}, reason: it was rude}]\n')
    assert main(["turn", str(folder)]) == 0
    told = chronicle(folder, tmp_path / "told")
    assert "Peace to all." not in words(told / "public/index.html") + words(told / "examplia/index.html")
    assert "Shall we talk?" in words(told / "borderia/index.html")


def test_what_was_forwarded_by_mail_is_read_by_those_who_wrote_and_got_it(tmp_path: Path) -> None:
    """In the turn that was awaited then; to the letter as it was forwarded. The campaign said from the start that this would be told."""
    post = postkit.fresh(
        postkit.campaign(tmp_path / "made"), tmp_path / "campaign", mailkit.CAMPAIGN + "letters: told_at_end\n"
    )
    post.mail("examplia", "Shall we meet at the ford?\nMy word is k7f3q.\n-- \nAda\n", "to borderia")
    post.mail("examplia", "May I court the heir?\n", "to gm")
    post.mail("gm", "Winter comes.\n", "to all")
    post.mail("borderia", "No such place.\n", "to nowhere")
    assert main(["turn", "--yes", str(post.folder)]) == 0
    post.mail("borderia", "Spring comes.\n", "to all")  # of turn 4, of which nothing is kept yet
    told = chronicle(post.folder, tmp_path / "told")
    read = {
        entry.name: words(entry / ("index.html" if entry.name == "public" else "0003/index.html"))
        for entry in sets(told)
    }
    assert (
        "You wrote to Borderia : Shall we meet at the ford? My word is [...]." in read["examplia"]
        and "You wrote to the GM : May I court" in read["examplia"]
    )
    assert "Examplia wrote to Borderia : Shall we meet at the ford?" in read["borderia"]
    assert all("the GM wrote to all : Winter comes." in page for page in read.values())
    assert not [name for name in ("borderia", "public") if "court" in read[name]] and "ford?" not in read["public"]
    assert not [
        page
        for page in told.rglob("*.html")
        if "Spring" in words(page) or "No such place" in words(page) or "example.org" in words(page)
    ]
    (inbox,) = {file.parent for file in (post.folder / "mail").rglob("*.eml") if file.parent.name == "inbox"}
    shutil.rmtree(inbox)  # a GM may do away with what was taken in
    assert "ford?" not in words(chronicle(post.folder, told) / "examplia/0003/index.html")


# --- what is not in it

HIDDEN = {
    "another's treasury": (
        {},
        {"cravonia": CRAVONIA.replace("treasury: 40", "treasury: 41")},
        ("examplia", "borderia"),
    ),
    "an unseen army": (
        {},
        {"cravonia": CRAVONIA + "armies: [{name: Far Foot, unit: warrior, size: medium}]\n"},
        ("examplia", "borderia"),
    ),
    "a secret of a hex out of sight": ({"1301": "{secret: a drowned bell}"}, {}, ("examplia", "borderia")),
    "monsters in a hex out of sight": ({"1304": "{monsters: {acr: 2}}"}, {}, ("examplia", "borderia")),
    "a resource that nobody has found": ({"0401": "{resource: true}"}, {}, ("examplia", "borderia", "cravonia")),
    "what another's hex hides": ({"0103": "{secret: a new crown}"}, {}, ("borderia", "cravonia")),
    "a monster that an expedition overlooked": (
        {OVERLOOKED: "{monsters: {acr: 3}}"},
        {},
        ("examplia", "borderia", "cravonia"),
    ),
}


@pytest.mark.parametrize("what", HIDDEN)
def test_nobody_reads_what_he_may_not_know(fords: Path, told: Path, tmp_path: Path, what: str) -> None:
    """Two campaigns that differ in that alone give the same bytes, but for the digests in the kept reports."""
    hexes, kingdoms, blind = HIDDEN[what]
    other = played(laid_down(tmp_path / "other", hexes, kingdoms))
    assert state_of(other) != state_of(fords)
    prove_blind(fords, told, other, chronicle(other, tmp_path / "told"), (*blind, "public"))


def test_nobody_reads_what_two_others_wrote(fords: Path, told: Path, tmp_path: Path) -> None:
    other = played(laid_down(tmp_path / "other"), 0)
    for (turn, seat), text in ORDERS.items():
        file_orders(other, turn, seat, text.replace("Between us two.", "Between them two."))
    assert main(["turn", str(other)]) == main(["turn", str(other)]) == 0
    there = chronicle(other, tmp_path / "told")
    assert "Between them two." in words(there / "cravonia/index.html")
    prove_blind(fords, told, other, there, ("examplia", "public"))


def state_of(folder: Path) -> bytes:
    return (folder / "turns" / store.name_of(TURNS) / "state.json").read_bytes()


def prove_blind(one: Path, told: Path, other: Path, told_there: Path, readers: Iterable[str]) -> None:
    for reader in readers:
        mine, theirs = without_digests(one, told / reader), without_digests(other, told_there / reader)
        assert {name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)} == set(), reader


def without_digests(campaign: Path, folder: Path) -> dict[str, bytes]:
    """The files of a set, without the digests of turns, which prove a report and tell nothing else."""
    digests = [
        store.digest_of((turn / "turn.json").read_bytes())[:12].encode()
        for turn in sorted((campaign / "turns").iterdir())
    ]
    found = contents(folder)
    for name in (name for name in found if name.endswith("record.json")):  # it has them whole
        found[name] = re.sub(
            rb'"(previous|corrects|(?:dateless_)?(?:text|page))": "[0-9a-f]*"', rb'"\1": "digest"', found[name]
        )
    for digest in digests:
        found = {name: data.replace(digest, b"digest") for name, data in found.items()}
    return found


def test_no_token_no_seed_and_no_address_is_in_it(told: Path) -> None:
    for name, data in contents(told).items():
        for word in (*TOKENS.values(), "public, this is a test", "@example.org"):
            assert word.encode() not in data, name


def test_every_set_is_whole_in_itself(told: Path) -> None:
    """Every link and picture of its pages is a file of the set."""
    for folder in sets(told):
        pages = [file for file in folder.rglob("*.html") if file.name == "index.html"]
        assert pages
        for page in pages:
            for link in re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
                name = link.partition("#")[0]
                target = (page.parent / name).resolve() if name else page
                assert target.is_relative_to(folder.resolve()) and target.is_file(), (page, link)


def test_no_page_has_a_script_or_asks_for_anything_outside(told: Path) -> None:
    for file in told.rglob("index.html"):
        text = file.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "<script" not in text and "http:" not in text and "https:" not in text and "url(" not in text


# --- where it is written


def test_it_is_made_anew_where_one_of_this_campaign_stands(fords: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(fords, tmp_path / "fords"))
    to = chronicle(folder, tmp_path / "told")
    write(to, "examplia/0009/index.html", "what an older one had")
    assert main(["turn", str(folder)]) == 0
    chronicle(folder, to)
    assert (to / "examplia/0003").is_dir() and not (to / "examplia/0009").exists()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["fords", "told"]


def test_an_empty_folder_will_do(fords: Path, told: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert contents(chronicle(fords, tmp_path / "empty")) == contents(told)


def test_neither_another_campaign_s_nor_anything_else_is_written_over(
    fords: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = played(laid_down(tmp_path / "other", name="Others"), 0)
    to = chronicle(other, tmp_path / "told")
    write(tmp_path, "file", "a file")
    for place in (to, tmp_path, tmp_path / "file"):
        before = contents(tmp_path)
        assert main(["chronicle", str(fords), str(place)]) == 1
        assert "no chronicle of this campaign" in capsys.readouterr().err
        assert contents(tmp_path) == before


def test_before_turn_0_there_is_nothing_to_tell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chronicle", str(laid_down(tmp_path / "fords")), str(tmp_path / "told")]) == 1
    assert "No turn has been kept yet" in capsys.readouterr().err and not (tmp_path / "told").exists()


def test_a_kept_turn_that_was_altered_is_told_and_nothing_is_written(
    fords: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(shutil.copytree(fords, tmp_path / "fords"))
    write(folder, "turns/0001/reports/examplia.txt", "rewritten")
    assert main(["chronicle", str(folder), str(tmp_path / "told")]) == 1
    assert "not as it was kept" in capsys.readouterr().err and not (tmp_path / "told").exists()


def test_killed_at_any_call_the_old_chronicle_or_the_new_one_stands_there(tmp_path: Path) -> None:
    tiny_game.register()
    campaign = tiny_game.played(tmp_path / "tally", 1)
    old = contents(chronicle(campaign, tmp_path / "old"))
    assert main(["turn", str(campaign)]) == 0
    to = Path(shutil.copytree(tmp_path / "old", tmp_path / "counted"))
    with pytest.MonkeyPatch.context() as patch:
        calls = Calls(patch, tmp_path, CALLS, at=0)
        patch.setattr(chronicles, "exchange", calls.counted("rename", chronicles.exchange))
        chronicle(campaign, to)
    new, seen = contents(to), set()
    assert new != old
    for number in (*range(1, calls.count - 9, 17), *range(calls.count - 9, calls.count + 1)):
        to = Path(shutil.copytree(tmp_path / "old", tmp_path / "killed" / "told"))
        with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
            calls = Calls(patch, tmp_path, CALLS, at=number)
            patch.setattr(chronicles, "exchange", calls.counted("rename", chronicles.exchange))
            chronicle(campaign, to)
        there = contents(to)
        assert there in (old, new), f"killed at call {number}"
        seen.add(there == new)
        assert contents(chronicle(campaign, to)) == new
        assert os.listdir(to.parent) == ["told"]  # nothing that was left lies about
        shutil.rmtree(to.parent)
    assert seen == {False, True}


# --- any game


def test_a_game_without_reports_and_pictures_has_a_chronicle(tmp_path: Path) -> None:
    tiny_game.register()
    told = chronicle(tiny_game.played(tmp_path / "tally"), tmp_path / "told")
    page = words(told / "ann/0001/index.html")
    assert "no map" in page and "The report" not in page
    assert "3 taken" in page and "Coins" in page


def test_a_kingdom_may_be_called_public(tmp_path: Path) -> None:
    folder = laid_down(tmp_path / "fords")
    write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text().replace("cravonia:", "public:"))
    (folder / "kingdoms/cravonia.yaml").rename(folder / "kingdoms/public.yaml")
    assert main(["turn", str(folder)]) == 0
    told = chronicle(folder, tmp_path / "told")
    assert [entry.name for entry in sets(told)] == ["borderia", "examplia", "public", "public-kingdom"]
    assert "Farhold" not in words(told / "public/index.html") and (told / "public-kingdom/0000/report.html").is_file()


# --- in the browser


@pytest.fixture(scope="module")
def of_the_war(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return war_chronicle(tmp_path_factory.mktemp("war"))


def war_chronicle(made: Path) -> list[Path]:
    """Pages of a chronicle of an example campaign that has come to its end: battles, messages, events, a bot."""
    folder = Path(shutil.copytree(WAR, made / "war"))
    write(folder, "campaign.yaml", (folder / "campaign.yaml").read_text() + "ends: {turn: 14}\n")
    told = chronicle(folder, made / "told")
    return [
        told / name
        for name in (
            "index.html",
            "public/index.html",
            "hartmark/index.html",
            "hartmark/0008/index.html",
            "skarn/0000/index.html",
        )
    ]


def amiss_on(browser: Browser, page: Path, width: int) -> list[str]:
    """What is amiss on a page; that it shows the picture beside it is not."""
    own = f"fetched {(page.parent / 'map.svg').absolute().as_uri()}"
    return [each for each in overflowing(browser, page, width) if each != own]


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.parametrize("width", sampled([360, 1280], [360]))
def test_every_kind_of_page_opens_and_fits(browser: Browser, of_the_war: list[Path], width: int) -> None:
    found = {page.parent.name: amiss_on(browser, page, width) for page in of_the_war}
    assert {page: amiss for page, amiss in found.items() if amiss} == {}


@pytest.mark.long
@pytest.mark.package("chromium", PROGRAM)
def test_no_kind_of_page_shuts_anybody_out(browser: Browser, of_the_war: list[Path]) -> None:
    assert [shut_out(browser, page, both=True) for page in of_the_war] == [[]] * len(of_the_war)


def valid_pages(folder: Path) -> list[str]:
    """Held against the HTML checker in tests/render/test_every_page.py, which starts it once for all."""
    return [page.read_text(encoding="utf-8") for page in war_chronicle(folder)]


@pytest.mark.package("chromium", PROGRAM)
@pytest.mark.parametrize(
    "kind",
    [
        "markup",
        *(
            pytest.param(kind, marks=pytest.mark.long)
            for kind in ("end", "wide", "attribute", "template", "long", "yaml")
        ),
    ],
)
def test_no_name_and_no_text_does_anything(browser: Browser, tmp_path: Path, kind: str) -> None:
    """Names of the campaign, of a kingdom and of its capital, a message, what the GM tells."""
    text = HOSTILE[kind]
    said = json.dumps(text[:60])
    start = small_realm.EXAMPLIA.replace("name: Examplia", f"name: {said}")
    folder = laid_down(tmp_path / "fords", kingdoms={"examplia": start}, name=text[:100])
    assert main(["turn", str(folder)]) == 0
    file_orders(folder, 1, "examplia", f"messages: [{{to: all, text: {json.dumps(text)}}}]\n")
    file_orders(
        folder, 1, "gm", f"tell: [{{to: all, text: {json.dumps(text)}}}]\ngm: [{{finish: campaign, reason: {said}}}]\n"
    )
    assert main(["turn", str(folder)]) == 0
    for name in ("index.html", "public/index.html", "examplia/index.html", "examplia/0001/index.html"):
        page = folder / "chronicle" / name
        assert amiss_on(browser, page, 360) == [], name
        assert browser.ask("document.scripts.length") == 0
        assert not set("\u202e\u2066\u200f\x1b") & set(page.read_text(encoding="utf-8"))


def test_a_full_disk_leaves_nothing_of_a_chronicle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    tiny_game.register()
    folder = tiny_game.campaign(tmp_path / "tally")
    assert main(["turn", str(folder)]) == 0
    put_files = store.put_files

    def full(to: Path, files: Mapping[str, bytes]) -> None:
        if "index.html" in files and to.name.endswith(".partial"):
            raise OSError(errno.ENOSPC, "No space left on device", str(to))
        put_files(to, files)

    monkeypatch.setattr(store, "put_files", full)
    assert main(["chronicle", str(folder), str(tmp_path / "told")]) == 1
    assert "No space left on device. Nothing was changed" in capsys.readouterr().err
    assert sorted(file.name for file in tmp_path.iterdir()) == ["tally"]
