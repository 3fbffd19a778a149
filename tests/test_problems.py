"""The catalogue of errors: each code of the source has a file in tests/problems/ that makes it and holds its exact text."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from string import Formatter

import pytest

from kingdom.campaign import errors, next_turn
from kingdom.engine import game as games
from kingdom.engine import problems
from kingdom.games.kit import rulings
from kingdom.orders import overrides
from tests.games import example
from tests.kit import problemkit
from tests.kit.problemkit import FOLDER, Said, lay_down, read, reproduce

SOURCE = Path(problems.__file__).parents[1]
DECLARED = re.compile(r"^([A-Z_]*(?:MESSAGES|REFUSALS))(?::[^=]*)? = \{", re.MULTILINE)


def of_games(what: str) -> tuple[Mapping[str, str], ...]:
    """The tables of that name in the modules of all games."""
    files = [
        file
        for file in sorted((SOURCE / "games").rglob("*.py"))
        if what in DECLARED.findall(file.read_text(encoding="utf-8"))
    ]
    modules = [".".join(file.relative_to(SOURCE.parent).with_suffix("").parts) for file in files]
    return tuple(getattr(importlib.import_module(module), what) for module in modules)


TABLES = (problems.MESSAGES, errors.MESSAGES, overrides.TABLE_MESSAGES, *of_games("MESSAGES"))
with example.found():
    REFUSALS = (*(games.load(name).refusals for name in games.names()), next_turn.REFUSALS)
SENTENCES = {code: sentence for table in (*TABLES, *REFUSALS) for code, sentence in table.items()}
REFUSED = {code: sentence for table in REFUSALS for code, sentence in table.items()}
# What a rule is called: a ruling, a step or phase, a table, a heading of the rules' text, or who decides.
RULE = re.compile(
    r"\((ruling [a-z_]+|Edict steps? \d|Event phase|table [a-z]+|Sending Aid|Special Edicts|Trade Route|GM orders|`messages: off`)"
)
# Words of the program's maker, which say nothing to a player.
INSIDE = re.compile(
    r"internal error|Traceback|<class|NoneType|\b(dict|tuple|str|int|bool|KeyError|ValueError|object at)\b|\bNone\b"
)
PLACE = re.compile(r"[^\s:]+:\d+:\d+: |^[^\s:]+: ")  # of a line that tells a problem


@pytest.fixture(autouse=True)
def with_the_example() -> Iterator[None]:
    with example.found():
        yield


# --- codes and files


def test_every_code_has_a_file_and_every_file_a_code() -> None:
    assert problemkit.names() == sorted(SENTENCES)


def test_no_code_stands_in_two_tables() -> None:
    own = ({code for code in table if code not in rulings.REFUSALS} for table in REFUSALS)  # games share the kit's
    assert sum(map(len, (*TABLES, rulings.REFUSALS, *own))) == len(SENTENCES)


def test_every_table_of_sentences_is_one_of_these() -> None:
    core = [path for path in SOURCE.rglob("*.py") if SOURCE / "games" not in path.parents]
    assert {(path.stem, name) for path in core for name in DECLARED.findall(path.read_text(encoding="utf-8"))} == {
        ("problems", "MESSAGES"), ("errors", "MESSAGES"), ("overrides", "TABLE_MESSAGES"), ("next_turn", "REFUSALS"),
    }  # fmt: skip
    refusals = {code: said for table in REFUSALS for code, said in table.items()}
    assert all(table.items() <= refusals.items() for table in of_games("REFUSALS"))


def test_every_code_is_used_in_the_source() -> None:
    texts = [path.read_text(encoding="utf-8") for folder in (SOURCE, example.HERE) for path in folder.rglob("*.py")]
    used = Counter(word for text in texts for word in re.findall(r'(?<=")\w+(?=")', text))
    renamed = {code for code, said in REFUSED.items() if said in rulings.REFUSALS.values()}  # of the kit: named once
    assert [code for code in SENTENCES if used[code] < (1 if code in renamed else 2)] == []


# --- each file


@pytest.mark.parametrize("code", problemkit.names())
def test_the_error_is_made_and_said_so(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = read(code)
    assert case["shows"].endswith(".")
    said = reproduce(case, tmp_path / "campaign", monkeypatch)
    assert matches(case.get("says", ""), said.errors), said.errors
    assert said.exit == case.get("exit", 1 if "says" in case else 0)
    if code in REFUSED:
        lines = [f"{each['order']}: {each['reason']}" for each in said.refused]
        assert lines == case["refused"].splitlines()
        assert code in {each["code"] for each in said.refused} <= set(SENTENCES)
        assert any(form(code).fullmatch(each["reason"]) for each in said.refused if each["code"] == code)
    else:
        assert any(form(code).fullmatch(PLACE.sub("", line, 1)) for line in said.errors.splitlines())
        assert codes_in(said, case) <= {*SENTENCES}


def matches(wanted: str, found: str) -> bool:
    """Whether the text is as wanted; a line `...` stands for any lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", wanted, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*".join(parts), found) is not None


def form(code: str) -> re.Pattern[str]:
    """What a message of that code looks like, whatever its facts."""
    parts = [
        re.escape(text) + (".*" if name is not None else "") for text, name, _, _ in Formatter().parse(SENTENCES[code])
    ]
    return re.compile("".join(parts), re.DOTALL)


def codes_in(said: Said, case: Mapping[str, object]) -> set[str]:
    """The codes of `check --json`."""
    if not isinstance(case.get("orders"), str):
        return set()
    return {problem["code"] for problem in json.loads(said.out)["problems"]}


def test_check_as_json_says_what_stands_on_standard_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = reproduce(read("unknown_word"), tmp_path / "campaign", monkeypatch)
    found = json.loads(said.out)["problems"]
    assert [(each["path"], each["line"], each["column"], each["code"], each["hint"]) for each in found] == [
        ("kingdom", 1, 10, "unknown_word", "examplia"),
        ("edicts.taxation", 3, 20, "unknown_word", "heavy"),
        ("edicts.holiday", 3, 35, "unknown_word", ""),
    ]
    assert [each["message"] for each in found] == [PLACE.sub("", line) for line in said.errors.splitlines()]


def test_turn_as_json_names_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = {"orders": {"examplia": {"claim": ["0707"], "build": "inn in Oakhold"}, "borderia": {"capital": "Oakhold"}}}
    refused = [each["code"] for each in reproduce(case, tmp_path / "campaign", monkeypatch).refused]
    assert sorted(refused) == ["capital_unknown", "claim_not_adjacent", "lot_no_neighbour"]
    assert {f"{code}.yaml" for code in refused} <= {file.name for file in FOLDER.iterdir()}


def test_turn_says_what_it_refused_players_and_gm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = {
        "examplia": {"claim": ["0404"]},
        "gm": {"gm": [{"reveal": "0909", "to": "all", "reason": "a map was found"}]},
    }
    out = " ".join(
        reproduce({"orders": orders, "command": "turn . --dry-run"}, tmp_path / "campaign", monkeypatch).out.split()
    )
    assert "refused claim[0]: 0404 is yours already (Edict step 2)" in out
    assert "gm: refused gm[0]: There is no hex 0909 on the map (GM orders)" in out


# --- sentences


def said_in_files() -> Iterator[tuple[str, str]]:
    """(code, line) of all that the files say."""
    for code in problemkit.names():
        case = read(code)
        for line in f"{case.get('says', '')}{case.get('refused', '')}".splitlines():
            if line != "...":
                yield code, line


def test_messages_are_sentences_without_the_makers_words() -> None:
    for code, sentence in SENTENCES.items():
        assert sentence[0].isupper() or sentence[0] in "`{", code
        assert sentence.endswith((".", "{cure}", "{why}", "{sentence}")), code
        assert not INSIDE.search(sentence), code
    for code, line in said_in_files():
        assert line.endswith((".", "?", ")", "]")), (code, line)
        assert not INSIDE.search(line), (code, line)
        assert "{}" not in line and not re.search(r"\{[a-z_]*\}", line), (code, line)
        assert "  " not in line and ".." not in line.replace("...", ""), (code, line)


def test_a_refusal_names_its_rule_and_what_would_be_right() -> None:
    for code, sentence in REFUSED.items():
        rule = RULE.search(sentence)
        assert rule, f"{code} names no rule"
        rest = sentence[rule.end() :].partition(")")[2] if "(" in sentence else sentence
        assert len(rest.split()) > 2, f"{code} says no cure: {sentence}"


def test_a_ruling_that_a_refusal_names_is_one() -> None:
    named = {name for sentence in REFUSED.values() for name in re.findall(r"ruling ([a-z_]+)", sentence)}
    tables = {name for sentence in REFUSED.values() for name in re.findall(r"\(table ([a-z_]+)", sentence)}
    assert named | tables <= {field for name in games.names() for field in games.load(name).Rules.__struct_fields__}


# --- texts that nobody should send


HEAD = "kingdom: examplia\nturn: 1\n"
BOMB = "a: &a [lol, lol]\n" + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in pairwise("abcdefghi"))
HOSTILE = {
    "a YAML bomb": (f"{HEAD}{BOMB}claim: *i\n", "orders.yaml:3:4: An anchor (`&`) is not allowed."),
    "a bomb of flow lists": (f"{HEAD}claim: &a [{'[' * 20}{']' * 20}]\nabandon: [{'*a, ' * 20_000}]\n", "orders.yaml:3:8: An anchor"),
    "10 MB of orders": (HEAD + "claim: 0405\n" * 900_000, "orders.yaml:1:1: The file has 10800026 bytes; at most 262144 are read."),
    "a limit's worth of misspelt keys": (HEAD + "".join(f"clam{n}: 0405\n" for n in range(15_000)), "orders.yaml:3:1: `clam0` is not a key here."),
    "5,000 levels of brackets": (HEAD + "claim: " + "[" * 5000, "nested more than 24 levels deep"),
    "5,000 levels of maps": (HEAD + "claim: " + "{a: " * 5000, "nested more than 24 levels deep"),
    "5,000 levels of list items": (HEAD + "claim:\n  " + "- " * 5000, "nested more than 24 levels deep"),
    "a number of 5,000 digits": (f"{HEAD}reserve: {'9' * 5000}\n", "orders.yaml:3:10: 99999999999999999... is out of range"),
    "a turn of 5,000 digits": (f"kingdom: examplia\nturn: {'1' * 5000}\n", "orders.yaml:2:7: 11111111111111111... is out of range"),
    "a label of 5,000 digits": (f"{HEAD}claim: [{'0' * 5000}]\n", "orders.yaml:3:9: `0000000000000000000000000000000000000...` is not a label"),
    "a line of 250,000 letters": (f"{HEAD}claim: {'a' * 250_000}\n", "orders.yaml:3:8: `aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...` is not a label"),
    "quotes without an end": (f"{HEAD}requests: \"{'x ' * 100_000}", "orders.yaml:3:11: The quote that opens here is not closed."),
}  # fmt: skip
SECONDS, BYTES = 1, 100 * 1024 * 1024  # of the processor, and of memory beyond what the program itself takes


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign of the catalogue, before turn 0, its tables in the cache."""
    folder = tmp_path_factory.mktemp("hostile")
    for name, text in problemkit.files_of({}).items():
        lay_down(folder, name, text)
    assert checked(folder, f"{HEAD}claim: 0405\n").exit == 0
    return folder


CHECK = "import sys; from kingdom.cli.main import main; import kingdom.cli.commands.check; {limits}; sys.exit(main(sys.argv[1:]))"
LIMITS = f"""\
import resource, time
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + {BYTES}, used + {BYTES}))
resource.setrlimit(resource.RLIMIT_CPU, (round(time.process_time()) + {SECONDS},) * 2)
"""


def checked(folder: Path, text: str | bytes, limited: bool = False) -> Said:
    """What `kingdom check` says in a process of its own; limited: one that the system ends when it takes too much."""
    (folder / "orders.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    code = CHECK.format(limits=f"exec({LIMITS!r})" if limited else "pass")
    return run(folder, code, "check", "orders.yaml", "--campaign", ".")


def run(folder: Path, code: str, *words: str) -> Said:
    """What a program in Python says in a process of its own."""
    known = {**os.environ, "PYTHONPATH": str(SOURCE.parent)}
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True, env=known)
    return Said(done.returncode, done.stderr, done.stdout)


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory")


@on_linux
def test_the_limits_of_these_tests_bite(tmp_path: Path) -> None:
    assert "MemoryError" in run(tmp_path, f"{LIMITS}\nb'x' * {BYTES}").errors
    assert run(tmp_path, f"{LIMITS}\nwhile True: pass").exit < 0


IN_SHORT = (
    "a YAML bomb",
    "10 MB of orders",
    "a limit's worth of misspelt keys",
)


@on_linux
@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=() if text in IN_SHORT else pytest.mark.long) for text in HOSTILE]
)
def test_a_hostile_text_is_refused_within_a_second_and_100_mb(text: str, campaign: Path) -> None:
    said = checked(campaign, HOSTILE[text][0], limited=True)
    assert said.exit == 1 and HOSTILE[text][1] in said.errors, said.errors[:500]
    assert all(PLACE.match(line) for line in said.errors.splitlines())
    assert len(said.errors.splitlines()) <= problems.MANY + 1 and len(said.errors) < 20_000


# --- texts that are right all the same


def refused(orders: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **more: object) -> list[str]:
    """Orders without a problem: their refusals."""
    said = reproduce({"orders": HEAD + orders, **more}, folder, monkeypatch)
    assert (said.exit, said.errors) == (0, "")
    return [each["reason"] for each in said.refused]


def test_a_byte_order_mark_is_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused("claim: 0405\n", tmp_path / "campaign", monkeypatch, encoding="utf-8-sig") == []


def test_a_label_without_quotes_is_no_octal_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = {"examplia": {"hexes": {"0304": []}, "settlements": {"Oakhold": {"hex": "0304"}}}}
    assert refused("claim: [0303]\n", tmp_path / "campaign", monkeypatch, kingdoms=world) == []


@pytest.mark.parametrize("word", ["no", "on", "2026-12-04", "18:30", "1_000", "../../etc/passwd"])
def test_a_word_stays_as_typed(word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (reason,) = refused(f"capital: {word}\n", tmp_path / "campaign", monkeypatch)
    assert reason.startswith(f"{word} is no settlement of this kingdom")


def test_a_path_is_no_kingdom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "../../etc/passwd"
    said = reproduce({"orders": f"kingdom: {path}\nturn: 1\n"}, tmp_path / "orders", monkeypatch)
    assert (
        said.errors
        == f"orders.yaml:1:10: `{path}` is unknown here (whose orders these are). Known are: borderia, examplia.\n"
    )
    said = reproduce({"first": ["turn ."], "command": f"show . {path}"}, tmp_path / "seat", monkeypatch)
    assert said.errors == f".: There is no kingdom `{path}` in this campaign. Known are: borderia, examplia.\n"
    players = f"name: x\ngame: realm\nseed: public\npublic_seed: true\nplayers: {{{path}: {{}}}}\n"
    said = reproduce({"files": {"campaign.yaml": players}}, tmp_path / "players", monkeypatch)
    assert said.errors == f"campaign.yaml:5:11: `{path}` will not do (a kingdom's id). Write it like `examplia`.\n"
