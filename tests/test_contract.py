"""docs/contract.md is held to: every example is read by the real reader, every command is typed, every key is looked for."""

from __future__ import annotations

import csv
import hashlib
import hmac
import json
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kingdom.campaign import calendar, manual_dice, settings, store
from kingdom.campaign import campaign as campaigns
from kingdom.campaign import house as houses
from kingdom.cli import table
from kingdom.cli.main import main
from kingdom.engine.game import load
from kingdom.engine.ledger import COLUMNS
from kingdom.orders import orders_file, tables
from tests.kit.tiny_game import file_orders, write

PAGE = (Path(__file__).parent.parent / "docs" / "contract.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
REALM = load("realm")


def section(number: str) -> str:
    return next(text for title, text in SECTIONS.items() if title.startswith(f"{number}. "))


def examples(number: str) -> list[str]:
    """The YAML examples of a section."""
    return re.findall(r"^```yaml\n(.*?)^```", section(number), re.M | re.S)


(CAMPAIGN,), (MAP,), (KINGDOM,), (LONG, SHORT), (GM,), (TAPE,) = map(examples, ("2", "3", "4", "5", "5a", "7"))
COMMANDS = {}  # every command of the table: name -> what may follow it
for row in re.findall(r"^\| (`kingdom .*?`) \|", section("9"), re.M):
    for typed in re.findall(r"`kingdom (.*?)`", row):
        name = re.match(r"mail \w+|\w+", typed)[0]
        COMMANDS[name] = typed.removeprefix(name)


# --- the examples of the page together are a campaign


def other(name: str, capital: str, label: str) -> str:
    return f'name: {name}\ncapital: {capital}\ntreasury: 30\nhexes: {{"{label}": []}}\nsettlements: {{{capital}: {{hex: "{label}"}}}}\n'


def lay_down(folder: Path) -> Path:
    """The campaign of the page, with two more kingdoms that it only names."""
    write(folder, "campaign.yaml", CAMPAIGN)
    write(folder, "map.yaml", MAP)
    write(folder, "kingdoms/examplia.yaml", KINGDOM)
    write(folder, "kingdoms/borderia.yaml", other("Borderia", "Fordham", "0302"))
    write(folder, "kingdoms/cravonia.yaml", other("Cravonia", "Market", "0101"))
    return folder


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It, with the orders of the page for turn 3. For tests that change nothing."""
    folder = lay_down(tmp_path_factory.mktemp("contract") / "greenmarch")
    for number in range(3):
        file_orders(folder, number, "borderia", "aid: stability to examplia\nclaim: 0401\n")
        assert main(["turn", "--yes", str(folder)]) == 0
    write(folder, "orders/0003/examplia.yaml", LONG)
    write(
        folder, "orders/0003/gm.yaml", "".join(line for line in GM.splitlines(True) if "finish:" not in line)
    )  # it goes on
    assert main(["turn", "--yes", str(folder)]) == 0
    return folder


@pytest.fixture
def folder(kept: Path, tmp_path: Path) -> Path:
    return shutil.copytree(kept, tmp_path / "greenmarch")


@pytest.fixture
def kingdom(capsys: pytest.CaptureFixture):
    """Type a command: (exit code, standard output, standard error)."""

    def type_(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as left:
            code = left.code
        return (code, *capsys.readouterr())

    return type_


def names(folder: Path) -> dict:
    campaign = campaigns.open_campaign(folder)
    return {**REALM.names(campaigns.rules_today(campaign).rules), "seats": campaign.seats}


def filing(text: str, folder: Path, seat: str | None, turn: int | None = 3) -> dict:
    found = orders_file.read(text.encode(), "orders.yaml", REALM, names(folder), seat, turn)
    assert found.problems == []
    return found.orders


def keys_of(text: str) -> set[str]:
    """The keys at the left margin of an example, those in comments too."""
    return set(re.findall(r"^([a-z_]+):", text, re.M))


def test_campaign_yaml_is_read_and_shows_every_key_there_is(kept: Path) -> None:
    found, overrides = settings.read(kept)
    assert keys_of(CAMPAIGN) == set(settings.SHAPE.keys)
    mailbox = CAMPAIGN[CAMPAIGN.index("\nmail:") :]
    assert set(re.findall(r"^  ([a-z_]+):", mailbox, re.M)) == set(settings.SHAPE.keys["mail"].keys)
    assert [*found.players] == ["borderia", "cravonia", "examplia"]
    assert (
        found.players["examplia"].email == ("ada@example.org", "ada@work.example.org")
        and found.players["cravonia"].bot == "trader"
    )
    assert found.calendar.extend == {3: "2d"} and found.ends.turn == 52 and found.mail.imap.processed == "Processed"
    assert (found.publish.folder, found.alert, found.missing_limit) == ("", "", 0.5)
    rules = tables.load(REALM, overrides, "campaign.yaml").rules
    assert rules.buildings["hanging_garden"].cost == 12 and rules.events.chance.normal == 25


def test_house_yaml_is_read_and_shows_every_key_there_is(tmp_path: Path) -> None:
    (text,) = examples("2a")
    write(tmp_path, "house.yaml", text)
    found = houses.at(tmp_path)
    assert keys_of(text) == set(houses.SHAPE.keys)
    assert dict(found.defaults).keys() == houses.SHAPE.keys["defaults"].keys.keys()
    assert (found.host.email, found.mail.smtp.port) == (("hal@example.org",), 587)


def test_only_four_keys_of_campaign_yaml_are_required() -> None:
    said = re.search(r"Only (.*?) are required", section("2"))[1]
    assert set(re.findall(r"`(\w+)`", said)) == set(settings.SHAPE.required)


def test_the_defaults_that_campaign_yaml_shows_are_the_programs() -> None:
    plain = settings.Settings("", "", "", {})
    for key in ("missing_orders", "steward_after", "missing_limit"):
        assert re.search(rf"^{key}: (\S+)", CAMPAIGN, re.M)[1] == str(getattr(plain, key))
    dates = calendar.Calendar("")
    assert "grace: 0h" in CAMPAIGN and dates.grace == "0h" and "review: 0h" in CAMPAIGN and dates.review == "0h"
    assert "authenticate: [sender, token]" in CAMPAIGN and settings.Mail("").authenticate == ("sender", "token")
    assert "  tags: off" in CAMPAIGN and not settings.Mail("").tags


def test_a_misspelt_key_table_or_ruling_is_an_error_with_the_nearest_word(folder: Path, kingdom) -> None:
    for right, wrong in (("missing_limit", "mising_limit"), ("control_dc", "control_cd"), ("buildings:", "bildings:")):
        write(folder, "campaign.yaml", CAMPAIGN.replace(right, wrong))
        code, _, err = kingdom("turn", folder, "--yes")
        assert code == 1 and f"Did you mean `{right.strip(':')}`?" in err


def test_map_yaml_is_read_and_names_every_key_feature_and_letter(kept: Path) -> None:
    from kingdom.games.realm.files import HEX
    from kingdom.games.realm.files import MAP as SHAPE
    from kingdom.games.realm.sheet import HIDDEN_FEATURES

    said = re.search(r"Keys of a hex: (.*?)\n", section("3"))[1]
    assert set(re.findall(r"`([a-z_]+)(?:: [^`]*)?`", said)) == set(HEX.keys)
    assert keys_of(MAP) == set(SHAPE.keys)
    rules = campaigns.rules_today(campaigns.open_campaign(kept)).rules
    assert re.search(r"`features` \((.*?)\)", said)[1].split(", ") == [
        word for word in rules.features if word not in HIDDEN_FEATURES
    ]
    said = re.search(r"one letter a hex, a row a line: (.*)\n", MAP)[1]
    letters = dict(pair.split(" ") for pair in said.split(", "))
    assert letters == {row.letter: word for word, row in rules.terrain.items() if not row.unseen} | {".": "none"}
    world = campaigns.state_of(campaigns.open_campaign(kept), campaigns.kept(campaigns.open_campaign(kept), 0))
    assert {label: world.hexes[label].terrain for label in ("0101", "0402", "0502", "0304")} == {
        "0101": "plains", "0402": "forest", "0502": "mountains", "0304": "hills",
    }  # fmt: skip


def test_the_neighbours_of_the_page_are_the_programs() -> None:
    from kingdom.games.realm.hexmap import neighbours

    pairs = re.findall(r"(?:neighbours of|those of) (\d{4}) are ((?:\d{4} ?){6})", section("3"))
    assert len(pairs) == 2
    for label, around in pairs:
        assert sorted(neighbours(label)) == sorted(around.split())


def test_a_kingdoms_file_is_read_and_shows_every_key_there_is(kept: Path) -> None:
    from kingdom.games.realm.files import KINGDOM as SHAPE
    from kingdom.games.realm.files import SETTLEMENT

    assert keys_of(KINGDOM) == set(SHAPE.keys)
    assert set(SETTLEMENT.keys) == {"hex", "districts", "buildings", "water"}
    start = json.loads((kept / "turns/0000/state.json").read_text())["kingdoms"]["examplia"]
    assert (start["treasury"], start["capital"]) == (50, "Oakhold")
    shape = {"holiday": "very_long", "promotion": "none", "taxation": "minimalist"}
    assert shape.items() <= start.items()


def test_the_edicts_that_a_kingdoms_file_shows_are_the_defaults(tmp_path: Path, kingdom) -> None:
    folder = lay_down(tmp_path / "greenmarch")
    write(folder, "kingdoms/examplia.yaml", re.sub(r"^edicts:.*\n", "", KINGDOM, flags=re.M))
    assert kingdom("turn", folder)[0] == 0
    assert json.loads(kingdom("show", folder, "examplia", "--json")[1])["edicts"] == {
        "holiday": "very_long", "promotion": "none", "taxation": "minimalist",
    }  # fmt: skip


# --- orders


def test_the_orders_show_every_key_and_have_no_problems(kept: Path) -> None:
    found = filing(LONG, kept, "examplia")
    assert set(found) == keys_of(LONG) == set(REALM.orders.keys) - {"token"}
    kinds = {order["edict"] for order in found["special"]}
    assert kinds == set(REALM.orders.keys["special"].of.cases)
    assert {key for order in found["build"] for key in ("build", "upgrade", "demolish") if key in order} == {
        "build",
        "upgrade",
        "demolish",
    }


def test_short_and_long_forms_are_the_same_orders(kept: Path) -> None:
    short = filing(f"kingdom: examplia\nturn: 3\n{SHORT}", kept, "examplia")
    long = filing(
        """
        kingdom: examplia
        turn: 3
        claim: ["0404", "0405"]
        improve: [{hex: "0404", build: farm}, {hex: "0405", build: prepare}]
        settle: [{hex: "0405", name: Newford}]
        build:
          - {in: Oakhold, build: house}
          - {in: Oakhold, build: inn, lot: A1}
          - {in: Oakhold, upgrade: tenement, to: house}
        edicts: {taxation: light, holiday: long}
        special: [{edict: aid, to: borderia, attribute: stability}]
        loyalty: {rouse_the_people: economy}
        messages: [{to: borderia, text: "Shall we talk of the ford?"}]
        requests: ["I court the duke's heir."]
        """,
        kept,
        "examplia",
    )
    assert short == long
    assert set(keys_of(SHORT)) <= set(REALM.orders.keys) | set(REALM.orders.short_keys)


def test_a_settlement_is_not_named_after_the_word_before_its_hex(kept: Path) -> None:
    for typed in ("Castle at Sea at 0405", "Castle at Sea in 0405", "Castle at Sea 0405"):
        settle = filing(f"kingdom: examplia\nturn: 3\nsettle: {typed}\n", kept, "examplia")["settle"]
        assert settle == [{"hex": "0405", "name": "Castle at Sea"}], typed


def test_every_other_short_form_of_the_page_is_read(kept: Path) -> None:
    line = re.search(r"^The others: (.*?)\n\n", section("5"), re.M | re.S)[1].replace("\n", " ")
    forms = re.findall(r"`([^`]+)`", line)
    assert len(forms) > 8
    for form in forms:
        form = re.sub(r"\bA\b", "tenement", re.sub(r"\bB\b", "house", re.sub(r"\bS\b", "Oakhold", form)))
        if form.startswith("toward"):
            form = f"explore: from Oakhold for 3 weeks {form}"
        text = form if ": " in form else f"build: {form}"
        assert filing(f"kingdom: examplia\nturn: 3\n{text}\n", kept, "examplia"), form


def test_every_order_of_the_players_guide_can_be_typed(kept: Path) -> None:
    guide = (Path(__file__).parent.parent / "templates" / "realm" / "guide.txt").read_text(encoding="utf-8")
    typed = [line for line in guide.splitlines() if re.match(r"[a-z_]+: ", line)]
    assert len(typed) > 12
    for line in typed:
        read = filing(f"kingdom: examplia\nturn: 3\n{line}\n", kept, "examplia")
        assert read and all(order.get("army", "First Foot") == "First Foot" for order in read.get("armies", ())), line


def test_a_short_form_that_was_broken_after_a_comma_goes_on(kept: Path) -> None:
    whole = filing("kingdom: examplia\nturn: 3\nimprove: farm 0404, prepare 0405\n", kept, "examplia")
    assert filing("kingdom: examplia\nturn: 3\nimprove: farm 0404,\nprepare 0405\n", kept, "examplia") == whole


def test_words_are_the_same_however_they_are_written(kept: Path) -> None:
    for word in ("very_long", "very-long", "very long", "Very Long", "VERY_LONG"):
        assert filing(f"kingdom: examplia\nturn: 3\nholiday: {word}\n", kept, "examplia")["edicts"] == {
            "holiday": "very_long"
        }


def test_the_gms_orders_are_read_and_show_every_key(kept: Path) -> None:
    found = filing(GM, kept, "gm")
    assert [next(iter(order)) for order in found["gm"]] == list(REALM.gm_orders.keys["gm"].of.cases)
    assert set(found) == set(REALM.gm_orders.keys) - {"token", "kingdom"}
    assert found["tell"][1]["answers"] == 1


def test_a_gm_moves_any_account_but_size(kept: Path) -> None:
    assert set(names(kept)["accounts"]) == set(accounts_of_the_page()) - {"size"}


def test_a_byte_order_mark_is_allowed_another_encoding_is_not(kept: Path) -> None:
    for encoding, wrong in (("utf-8-sig", False), ("utf-16", True), ("latin-1", True)):
        text = 'kingdom: examplia\nturn: 3\nrequests: "Größe"\n'.encode(encoding)
        assert bool(orders_file.read(text, "orders.yaml", REALM, names(kept), "examplia", 3).problems) == wrong


def test_the_limit_of_orders_is_the_pages(kept: Path) -> None:
    most = int(re.search(r"(\d+) KB of orders \(by hand too\)", section("6"))[1]) * 1024
    head = "kingdom: examplia\nturn: 3\n#"
    for size, wrong in ((most, False), (most + 1, True)):
        text = (head + "x" * (size - len(head) - 1) + "\n").encode()
        assert len(text) == size
        assert bool(orders_file.read(text, "orders.yaml", REALM, names(kept), "examplia", 3).problems) == wrong


def test_no_order_of_the_page_is_unknown_to_the_rules(kept: Path, kingdom) -> None:
    """Every order is decided by a rule of its own: none is refused as one that is not played."""
    said = json.loads(
        kingdom(
            "check", write(kept.parent, "all.yaml", LONG.replace("turn: 3", "turn: 4")), "--campaign", kept, "--json"
        )[1]
    )
    assert said["ok"] and said["refusals"]
    assert not [each for each in said["refusals"] if each["code"].endswith(("_not_yet", "_off"))]


# --- files


def test_a_campaign_is_the_folder_of_the_page(kept: Path) -> None:
    tree = re.search(r"^```\ncampaigns/greenmarch/\n(.*?)^```", section("1"), re.M | re.S)[1]
    for name in (
        "campaign.yaml",
        "map.yaml",
        "kingdoms/examplia.yaml",
        "orders/0003/examplia.yaml",
        "orders/0003/gm.yaml",
        "turns/0000",
    ):
        assert name in tree and (kept / name).exists()
    said = re.search(r"A turn folder holds (.*?)\n\n?`turn.json` names", section("1"), re.S)[1]
    for turn in ("0000", "0003"):
        found = {path.name for path in (kept / "turns" / turn).iterdir()}
        named = {name.strip("/") for name in re.findall(r"`([a-z]+(?:\.[a-z]+|/))`", said)} - {"gm.html"}
        assert found - {"orders", "map.yaml", "kingdoms", "start"} == named - {"orders"}, turn
    assert {"orders"} <= {path.name for path in (kept / "turns/0003").iterdir()}
    reports = {path.name for path in (kept / "turns/0003/reports").iterdir()}
    assert reports == {"gm.html"} | {
        f"{seat}.{kind}" for seat in ("borderia", "cravonia", "examplia") for kind in ("txt", "html", "json")
    }


def test_turn_json_proves_every_file_itself_and_the_turn_before(kept: Path) -> None:
    before = hashlib.sha256((kept / "turns/0002/turn.json").read_bytes()).hexdigest()
    data = (kept / "turns/0003/turn.json").read_bytes()
    record = json.loads(data)
    assert (
        record["turn"] == 3
        and record["attempt"] == 1
        and record["program"]
        and record["format"] == 1
        and record["notices"]
    )
    files = {
        path.relative_to(kept / "turns/0003").as_posix(): path
        for path in (kept / "turns/0003").rglob("*")
        if path.is_file()
    }
    assert record["files"] == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items() if name != "turn.json"
    }
    assert record["previous"] == before
    without = re.sub(rb'^ "digest": .*\n', b"", data, count=1, flags=re.M)
    assert record["digest"] == hashlib.sha256(without).hexdigest()
    for name in ("examplia.txt", "examplia.html", "gm.html"):
        assert before[:12] in (kept / "turns/0003/reports" / name).read_text()


def accounts_of_the_page() -> list[str]:
    said = re.search(r"`account` is (.*?)\(more may come\)", section("8"))[1]
    return re.findall(r"[a-z]+", re.sub(r", the BP that.*", "", said.replace(" and ", " ")))


def test_the_ledger_has_the_columns_phases_and_accounts_of_the_page(kept: Path) -> None:
    columns = re.search(r"`(turn,seq,[a-z,]+)`", section("8"))[1].split(",")
    assert columns == list(COLUMNS)
    phases = re.search(r"`phase` is (.*?);", section("8"))[1].replace(" or ", ", ").split(", ")
    assert sorted(phases) == sorted(phase.name for phase in REALM.phases)
    balances: dict[tuple[str, str], int] = {}
    for turn in range(4):
        with open(kept / f"turns/{turn:04}/ledger.csv", newline="") as file:
            lines = csv.DictReader(file)
            assert lines.fieldnames == columns
            for line in lines:
                about = line["kingdom"], line["account"]
                balances[about] = balances.get(about, 0) + int(line["delta"])
                assert int(line["balance"]) == balances[about] and line["account"] in accounts_of_the_page()
                assert line["phase"] in phases and line["detail"]
                assert line["cause"] in REALM.causes or (line["cause"], line["phase"]) == ("opening", "gm")
    assert {account for seat, account in balances if seat == "examplia"} >= {
        "treasury",
        "size",
        "economy",
        "loyalty",
        "stability",
    }
    world = campaigns.state_of(campaigns.open_campaign(kept), campaigns.kept(campaigns.open_campaign(kept)))
    rules = campaigns.rules_today(campaigns.open_campaign(kept)).rules
    assert sorted(REALM.accounts(world, "examplia", rules)) == sorted(accounts_of_the_page())
    for seat in ("examplia", "borderia", "cravonia"):
        assert {a: b for a, b in REALM.accounts(world, seat, rules).items() if b} == {
            a: b for (s, a), b in balances.items() if s == seat and b
        }


# --- dice, from the words of section 7 alone


def by_hand(key: str, name: str, count: int, sides: int) -> int:
    tries = 0
    while True:
        digest = hmac.new(key.encode("ascii"), f"{name}:{count}:{tries}".encode(), hashlib.sha256).digest()
        x = int.from_bytes(digest[0:8], "big")
        if x < 2**64 - 2**64 % sides:
            return 1 + x % sides
        tries += 1


def key_by_hand(turn: str, kingdom_: str) -> str:
    seed = re.search(r"^seed: (\S+)", CAMPAIGN, re.M)[1]
    return hmac.new(seed.encode("utf-8"), f"{turn}:{kingdom_}".encode(), hashlib.sha256).hexdigest()


def commitment_by_hand(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def test_dice_csv_has_the_columns_of_the_page_and_every_die_is_the_seeds(kept: Path) -> None:
    columns = re.search(r"`(turn,kingdom,[a-z,]+)`", section("7"))[1].split(",")
    rolled = 0
    for turn in range(4):
        with open(kept / f"turns/{turn:04}/dice.csv", newline="") as file:
            lines = csv.DictReader(file)
            assert lines.fieldnames == columns
            for line in lines:
                key = key_by_hand(line["turn"], line["kingdom"])
                assert int(line["result"]) == by_hand(key, line["name"], int(line["count"]), int(line["sides"]))
                assert line["source"] == "seed"
                rolled += 1
    assert rolled >= 18


def test_a_report_prints_what_was_promised_and_the_next_one_the_key(kept: Path) -> None:
    for turn in range(3):
        report = (kept / f"turns/{turn:04}/reports/examplia.txt").read_text()
        later = (kept / f"turns/{turn + 1:04}/reports/examplia.txt").read_text()
        key = key_by_hand(str(turn + 1), "examplia")
        assert commitment_by_hand(key) in report and key not in report and key in later
        assert commitment_by_hand(key_by_hand(str(turn + 1), "gm")) in report
        assert key_by_hand(str(turn + 1), "borderia") not in later and key_by_hand(str(turn + 1), "gm") not in later


def test_kingdom_dice_says_what_the_page_gives(kingdom) -> None:
    key = key_by_hand("3", "examplia")
    rolls = [
        ("economy", 1, 20),
        ("stability_failure", 1, 6),
        ("contest-0404", 2, 20),
        ("free_city-0305", 1, 4),
        ("x", 1, 9999),
    ]
    typed = [f"{name}:{count}:{sides}" for name, count, sides in rolls]
    code, out, err = kingdom("dice", key, *typed, "--commitment", commitment_by_hand(key))
    assert (code, err) == (0, "")
    assert out.splitlines()[:-1] == [f"{each} = {by_hand(key, *roll)}" for each, roll in zip(typed, rolls, strict=True)]
    assert kingdom("dice", key, "--commitment", commitment_by_hand(key_by_hand("4", "examplia")))[0] == 1


def test_a_reopened_turn_has_other_keys(folder: Path, kingdom) -> None:
    out = kingdom("undo", folder, "--reopen")[1]
    for seat in ("examplia", "gm"):
        assert commitment_by_hand(key_by_hand("3.2", seat)) in out
    assert kingdom("turn", folder, "--yes")[0] == 0
    with open(folder / "turns/0003/dice.csv", newline="") as file:
        for line in csv.DictReader(file):
            assert int(line["result"]) == by_hand(
                key_by_hand("3.2", line["kingdom"]), line["name"], int(line["count"]), int(line["sides"])
            )


def test_the_tape_of_the_page_is_read(kept: Path) -> None:
    found = manual_dice.read(TAPE.encode(), "tape.yaml", ["examplia"])
    assert found["examplia"]["economy"] == [14] and "aid-borderia" in found["examplia"]


# --- commands


def test_every_command_of_the_page_is_there_and_no_other() -> None:
    assert set(COMMANDS) == set(table.COMMANDS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_the_parser_knows_what_the_page_says_of_a_command_and_nothing_else(name: str, kingdom) -> None:
    code, out, _ = kingdom(*name.split(), "--help")
    assert code == 0
    usage = out.partition("\n\n")[0]
    assert set(re.findall(r"--[a-z-]+", usage)) == set(re.findall(r"--[a-z-]+", COMMANDS[name]))
    words = set(re.findall(r"\b[A-Z]{2,}\b", re.sub(r"--[a-z-]+ \S+", "", COMMANDS[name]))) - {"ROLL"}
    assert words <= set(re.findall(r"\b[A-Z]{2,}\b", usage))


def test_exit_codes(folder: Path, tmp_path: Path, kingdom) -> None:
    said = dict(re.findall(r"(\d) ([^;]*?)[;.]", re.search(r"Exit codes: (.*?) Refusals", section("9"))[1]))
    assert [*said] == ["0", "1", "2", "3", "4", "5"]
    wrong = write(tmp_path, "wrong.yaml", "kingdom: examplia\nturn: 4\nclam: 0404\n")
    refused = write(tmp_path, "refused.yaml", "kingdom: examplia\nturn: 4\nclaim: 9999\n")
    assert kingdom("check", refused, "--campaign", folder)[0] == 0
    code, _, err = kingdom("check", wrong, "--campaign", folder)
    assert code == 1 and re.fullmatch(rf"{re.escape(str(wrong))}:3:1: .*`claim`.*\n", err)
    assert kingdom("check", wrong)[0] == 2
    holder = "import sys, pathlib; from kingdom.campaign import lock\nwith lock.held(pathlib.Path(sys.argv[1]), 'turn'): print(flush=True); input()"
    other_run = subprocess.Popen([sys.executable, "-c", holder, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 cwd=Path(__file__).parent.parent)  # fmt: skip
    assert other_run.stdout and other_run.stdout.readline()
    assert kingdom("turn", folder, "--yes")[0] == 3
    other_run.communicate(b"\n")
    assert kingdom("turn", folder, "--yes")[0] == 0


def test_the_exit_code_of_a_server_that_is_not_there(folder: Path, kingdom) -> None:
    """That of one which refuses the password is shown with real servers: tests/mail/test_servers.py."""
    settings = re.sub(r"^mail:.*\n(?:[ ]+.*\n)*", "", (folder / "campaign.yaml").read_text(), flags=re.M)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # a port at which nobody listens
        imap = f"imap: {{host: 127.0.0.1, port: {nobody.getsockname()[1]}, tls: none, username: orders"
        write(folder, "campaign.yaml", settings + f"mail: {{address: orders@example.org, {imap}}}}}\n")
        assert kingdom("mail", "fetch", folder)[0] == 4


# --- what other programs read

_NAME = r"[a-z_]+"


def braces(start: str) -> str:
    """The JSON that the page shows behind these words, to its closing backtick."""
    return re.search(rf"{re.escape(start)}[^\n]*?`(\{{.*?\}})`", section("9"))[1]


SHEET = {
    "kingdom": str, "turn": int, "treasury": int, "unrest": int, "size": int, "districts": int, "control_dc": int, "economy": int,
    "loyalty": int, "stability": int, "consumption": int, "vigilance": int, "debauchery": int, "opulence": int, "leadership": list,
    "edicts": dict, "hexes": dict, "settlements": dict, "pending": list, "coming": list,
}  # fmt: skip
MORE = {"name": str, "stores": int, "alignment": str, "government": str, "capital": str, "modifiers": list, "anarchy": bool,
        "destroyed": bool, "armies": dict, "events": list, "under_way": dict}  # fmt: skip


def is_sheet(sheet: dict) -> None:
    for key, kind in {**SHEET, **MORE}.items():
        assert type(sheet[key]) is kind, key
    assert set(sheet) == {*SHEET, *MORE}
    assert all(
        re.fullmatch(r"\d{4}", label) and all(type(each) is str for each in built)
        for label, built in sheet["hexes"].items()
    )
    for settlement in sheet["settlements"].values():
        assert set(settlement) - {"waiting"} == {"hex", "districts", "buildings", "militia"}
        assert set(settlement["militia"]) == {"acr", "hp", "full_hp"} and type(settlement["districts"]) is int
        assert all(set(building) == {"id", "lot"} for building in settlement["buildings"])
    for modifier in sheet["coming"] + sheet["modifiers"]:
        assert set(modifier) == {"account", "by", "cause", "text"} and type(modifier["by"]) is int


def test_show_json(kept: Path, kingdom) -> None:
    said = re.search(r"prints one object with at least:\n`(.*?)`\.", section("9"), re.S)[1]
    assert set(re.findall(rf"(?:^|, )({_NAME})", re.sub(r"\{.*?\}\]?\}?|\[.*?\]", "", said))) == set(SHEET)
    more = re.search(r"In `realm` also: `(.*?)`", section("9"))[1]
    assert more.split(", ") == list(MORE)
    for turn in range(4):
        sheet = json.loads(kingdom("show", kept, "examplia", "--turn", turn, "--json")[1])
        is_sheet(sheet)
        assert sheet["turn"] == turn and [*sheet][:1] == ["kingdom"]
    assert sheet["settlements"]["Oakhold"]["buildings"] and sheet["hexes"]["0303"] == ["road"]
    every = json.loads(kingdom("show", kept, "--json")[1])
    assert [each["kingdom"] for each in every] == ["borderia", "cravonia", "examplia"]


def test_what_is_pending_has_the_keys_of_the_page(tmp_path: Path, kingdom) -> None:
    folder = lay_down(tmp_path / "greenmarch")
    write(folder, "kingdoms/examplia.yaml", KINGDOM.replace("unrest: 0", "unrest: 14"))
    assert kingdom("turn", folder, "--yes")[0] == 0 and kingdom("turn", folder, "--yes")[0] == 0
    pending = json.loads(kingdom("show", folder, "examplia", "--json")[1])["pending"]
    assert [set(each) for each in pending] == [{"key", "question", "choices", "default"}]
    assert pending[0]["key"] == "lose_hex" and pending[0]["default"] in pending[0]["choices"]


def test_turn_json(folder: Path, kingdom) -> None:
    shown = braces("`kingdom turn --json` prints")
    assert set(re.findall(r'"(\w+)"', shown)) == {
        "turn", "kingdoms", "before", "after", "checks", "name", "die", "attribute", "unrest", "bonus", "total", "dc", "success",
        "refused", "order", "code", "reason",
    }  # fmt: skip
    file_orders(folder, 4, "borderia", "aid: economy to examplia\nclaim: 9999\nloyalty: rouse_the_people\n")
    code, out, _ = kingdom("turn", folder, "--yes", "--json")
    said = json.loads(out)
    assert code == 0 and set(said) == {"turn", "kingdoms"} and said["turn"] == 4
    assert set(said["kingdoms"]) == {"borderia", "cravonia", "examplia"}
    for _seat, each in said["kingdoms"].items():
        assert set(each) == {"before", "after", "checks", "refused"}
        is_sheet(each["before"])
        is_sheet(each["after"])
        assert (each["before"]["turn"], each["after"]["turn"]) == (3, 4)
        for check in each["checks"]:
            assert set(check) == {"name", "die", "attribute", "unrest", "bonus", "total", "dc", "success"}
            assert check["total"] == check["die"] + check["attribute"] + check["bonus"] - check["unrest"]
            assert type(check["success"]) is bool
    checks = [check["name"] for check in said["kingdoms"]["borderia"]["checks"]]
    assert checks == ["aid-examplia", "economy", "stability", "loyalty"]
    (refused,) = said["kingdoms"]["borderia"]["refused"]
    assert (
        set(refused) == {"order", "code", "reason"}
        and refused["order"] == "claim[0]"
        and refused["code"] in REALM.refusals
    )


def test_turn_json_where_turn_0_alone_is_made(tmp_path: Path, kingdom) -> None:
    said = json.loads(kingdom("turn", lay_down(tmp_path / "greenmarch"), "--json")[1])
    assert said["turn"] == 0
    for each in said["kingdoms"].values():
        assert each["before"] == each["after"] and each["checks"] == each["refused"] == []


def test_check_json(kept: Path, tmp_path: Path, kingdom) -> None:
    shown = braces("`kingdom check --json` prints")
    keys = {"ok", "problems", "refusals", "cost", "before", "after", "odds"}
    problem = {"path", "line", "column", "code", "message", "hint"}
    assert set(re.findall(r'"(\w+)"', shown)) == keys | problem | {"order", "reason", "economy", "stability"}
    right = write(tmp_path, "right.yaml", "kingdom: examplia\nturn: 4\nclaim: 0402 9999\nbuild: house in Oakhold\n")
    said = json.loads(kingdom("check", right, "--campaign", kept, "--json")[1])
    assert set(said) == keys and said["ok"] is True and said["problems"] == []
    assert [set(each) for each in said["refusals"]] == [{"order", "code", "reason"}] and said["refusals"][0][
        "order"
    ] == "claim[1]"
    assert type(said["cost"]) is int and said["before"]["treasury"] - said["after"]["treasury"] == said["cost"] > 0
    is_sheet(said["before"])
    is_sheet(said["after"])
    assert {"economy", "stability"} <= set(said["odds"]) and all(0 <= chance <= 1 for chance in said["odds"].values())
    wrong = write(tmp_path, "wrong.yaml", "kingdom: examplia\nturn: 4\nclam: 0402\nbuild: hose in Oakhold\n")
    code, out, _ = kingdom("check", wrong, "--campaign", kept, "--json")
    said = json.loads(out)
    assert (
        code == 1
        and set(said) == keys
        and said["ok"] is False
        and (said["after"], said["odds"], said["refusals"]) == (None, {}, [])
    )
    assert [set(each) for each in said["problems"]] == [problem] * 2
    assert [(each["line"], each["column"], each["hint"]) for each in said["problems"]] == [
        (3, 1, "claim"),
        (4, 8, "house"),
    ]
    assert all(
        type(each[key]) is (int if key in ("line", "column") else str) for each in said["problems"] for key in problem
    )


def test_check_json_of_the_gms_orders(kept: Path, tmp_path: Path, kingdom) -> None:
    file = write(tmp_path, "gm.yaml", "turn: 4\ngm: [{grant: borderia, account: treasury, by: 5, reason: a gift}]\n")
    said = json.loads(kingdom("check", file, "--campaign", kept, "--json")[1])
    assert said["ok"] and set(said["after"]) == set(said["before"]) == {"borderia", "cravonia", "examplia"}
    assert said["after"]["borderia"]["treasury"] == said["before"]["borderia"]["treasury"] + 5


def test_forecast_json(kept: Path, kingdom) -> None:
    shown = set(re.findall(r'"(\w+)"', braces("`kingdom forecast --json` prints")))
    code, out, _ = kingdom("forecast", kept, "examplia", "--turns", 2, "--samples", 50, "--json")
    said = json.loads(out)
    assert code == 0 and set(said) <= shown and set(said["next"]) | {"value", "chance"} <= shown
    assert list(said["next"]["accounts"]) == ["treasury", "unrest", "hexes_at_risk"]
    assert list(said["next"]["chances"]) == ["anarchy", "hex_loss", "bankruptcy"]
    for rows in said["next"]["accounts"].values():
        assert all(set(row) == {"value", "chance"} for row in rows) and sum(
            row["chance"] for row in rows
        ) == pytest.approx(1, abs=1e-4)
    assert [set(each) for each in said["later"]] == [{"turn", "accounts", "chances"}] * 2
    assert list(said["later"][0]["accounts"]) == ["treasury", "unrest", "size"]
    assert sum(end["chance"] for end in said["next"]["ends"]) == pytest.approx(1, abs=1e-3)
    inner = {"value", "chance", "order", "code", "reason"} | set(said["next"]["ends"][0])
    assert shown == set(said) | set(said["next"]) | set(said["later"][0]) | inner


def test_advise_json(kept: Path, kingdom) -> None:
    shown = set(re.findall(r'"(\w+)"', braces("`kingdom advise --json` prints"))) | {"what", "before", "after"}
    code, out, _ = kingdom("advise", kept, "examplia", "--json")
    said = json.loads(out)
    plan = said["plans"][0]
    inner = set(plan["numbers"][0]) | set(plan["checks"][0]) | set(plan["dangers"][0])
    assert code == 0 and shown == set(said) | set(plan) | inner
    assert plan["orders"].startswith("kingdom: examplia\nturn: 4\n")


def test_status_json(folder: Path, kingdom) -> None:
    shown = braces("`kingdom status --json` prints")
    file = file_orders(folder, 4, "borderia")
    said = json.loads(kingdom("status", folder, "--json")[1])
    assert list(said) == re.findall(r'"(\w+)"', shown)
    assert (said["turn"], said["next"]) == (3, 4) and said["deadline"] == "2026-12-27T18:00:00+01:00"
    assert said["filed"] == {"borderia": store.digest_of(file.read_bytes())[:12], "cravonia": None, "examplia": None}
    assert said["gm"] is None and said["waits"] == said["mail"] == []


def test_the_page_names_no_file_of_the_project_that_is_not_there() -> None:
    root = Path(__file__).parent.parent
    for name in re.findall(r"`((?:kingdom|tests|docs|scripts)/[\w./*]+)`", PAGE):
        assert list(root.glob(name.rstrip("/"))), name
