"""Whatever lies in a campaign's folder, the audit ends, says what is wrong, and has looked at the rest."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import open_campaign
from tests.campaign.test_audit import forge, history, kept_files
from tests.kit import tiny_game
from tests.kit.examples import tries

_JSON = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**63, -(2**63) - 1, 10**400, 1e300, -1, "", "x" * 200_000, "\0", "\ud800", "../../x", [], {}]),
    st.text(max_size=5),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)
_CELLS = st.sampled_from(
    ["", "x", "-", "1.5", "9" * 5000, "٣", "x" * 140_000, '"', "\r", "\0", "-99999999999999999999", "0x1"]
)
_TEXTS = st.sampled_from(
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b"{}",
        b'"x"',
        b"1e999",
        b"\xff\xfe\x00",
        b"\xef\xbb\xbf{}",
        b"[" * 50_000,
        b"{a: &a [*a]}",
        b"a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n",
        b"!!python/object/apply:os.system [true]",
        b"? [a]\n: 1\n",
        b"<<: 3\n",
        b"x: " + b"9" * 5000 + b"\n",
        b"x: 0001-01-01T00:00:00+99:99\n",
        b"turn: 1\n" * 1000,
    ]
)
_SEALED = ("turn.json", "state.json", "ledger.csv", "dice.csv", "rules.yaml", "orders/ann.yaml")


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Turns that were taken back and reopened, and a journal of mails."""
    tiny_game.register()
    folder = history(tmp_path_factory.mktemp("honest") / "tally")
    tiny_game.write(folder, "mail/journal.jsonl", '{"at":"2026-12-01T00:00:00+00:00","event":"told"}\n')
    return folder


@contextmanager
def in_time(seconds: int) -> Iterator[None]:
    """Raises TimeoutError if what is inside takes longer, as it does if it waits for a pipe."""

    def ring(number: int, frame: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def found(folder: Path) -> list[str]:
    """What the audit finds, by the names of the files."""
    with in_time(20):
        return [str(problem).removeprefix(f"{folder}/") for problem in audit(open_campaign(folder)).problems]


@pytest.fixture(scope="module")
def bench(honest: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Path]:
    """Gives a new copy of the campaign, in which the last turn's dice are altered: who stops before does not find that."""
    place = tmp_path_factory.mktemp("hostile")

    def fresh() -> Path:
        folder = place / "tally"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(honest, folder)
        return folder

    return fresh


def alter_the_last(folder: Path) -> None:
    file = folder / "turns/0003/ledger.csv"
    file.write_bytes(file.read_bytes() + b"!")


LAST = "turns/0003/ledger.csv: The file is not as it was kept"


def replaced(file: Path, kind: str) -> None:
    """Put something else in the place of a file or a folder."""
    shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case "link to itself":
            file.symlink_to(file.name)
        case "link to nothing":
            file.symlink_to("/nowhere/at/all")
        case "endless link":
            file.symlink_to("/dev/zero")
        case "file":
            file.write_bytes(b"\xff")


KINDS = ("pipe", "folder", "link to itself", "link to nothing", "endless link", "file")
OTHERS = (
    "mail/journal.jsonl",
    "undone/0002-1.reopened",
    "undone/0002-1",
    "undone/0003-1",
    "undone",
    "turns/0001",
    "turns/0002",
    "turns/0001/orders",
    "mail",
)


@pytest.mark.parametrize("kind", KINDS)
def test_something_else_in_the_place_of_a_file_or_folder_stops_nothing(
    bench: Callable[[], Path], honest: Path, kind: str
) -> None:
    records = [name for name in kept_files(honest) if name.endswith(("turn.json", "state.json", "orders/ann.yaml"))]
    for name in (*OTHERS, *records):
        if name.startswith("turns/0003"):
            continue
        folder = bench()
        alter_the_last(folder)
        replaced(folder / name, kind)
        lines = found(folder)
        assert any(line.startswith(LAST) for line in lines), (name, kind, lines)
        says_little = name.startswith("mail") or name.endswith(".reopened")
        assert says_little or any(not line.startswith(LAST) for line in lines), (name, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_no_folder_of_turns_is_a_finding(bench: Callable[[], Path], kind: str) -> None:
    folder = bench()
    replaced(folder / "turns", kind)
    if kind != "folder":
        assert any(line.startswith("turns: ") for line in found(folder))


@tries(12, 300)
@given(st.data())
def test_whatever_stands_in_a_file_the_rest_is_looked_at(bench: Callable[[], Path], data: st.DataObject) -> None:
    folder = bench()
    alter_the_last(folder)
    names = [name for name in kept_files(folder) if name != "turns/0003/ledger.csv"]
    name = data.draw(st.sampled_from([*names, "mail/journal.jsonl", "undone/0002-1.reopened"]))
    file, kept = folder / name, (folder / name).read_bytes()
    how = data.draw(st.sampled_from(["cut", "flip", "text", "gone", "more"]))
    if how == "gone":
        file.unlink()
    else:
        place = data.draw(st.integers(0, max(0, len(kept) - 1)))
        file.write_bytes(
            {
                "cut": kept[:place],
                "flip": kept[:place]
                + bytes([kept[place] ^ data.draw(st.integers(1, 255)) if kept else 1])
                + kept[place + 1 :],
                "text": data.draw(_TEXTS),
                "more": kept + data.draw(_TEXTS),
            }[how]
        )
    same = file.exists() and file.read_bytes() == kept
    lines = found(folder)
    assert any(line.startswith(LAST) for line in lines) or name == "turns/0003/turn.json", (name, how, lines)
    if not same and name in names:
        assert any(line.startswith(f"{name}:") for line in lines), (name, how, lines)


@tries(12, 300)
@given(st.data())
def test_whatever_stands_in_a_file_whose_digest_holds_the_rest_is_looked_at(
    bench: Callable[[], Path], data: st.DataObject
) -> None:
    """Somebody wrote it on purpose, and computed every digest anew."""
    folder = bench()
    turn = data.draw(st.integers(0, 2))
    name = data.draw(st.sampled_from([one for one in _SEALED if (folder / f"turns/{turn:04}" / one).exists()]))
    whole = data.draw(st.booleans()) and name != "turn.json"

    def change(place: Path) -> None:
        file = place / name
        if whole:
            file.write_bytes(data.draw(_TEXTS))
        elif name.endswith(".json"):
            file.write_bytes(_changed_json(file.read_bytes(), data, name == "turn.json"))
        else:
            file.write_bytes(_changed_cells(file.read_bytes(), data))

    with suppress(Exception):  # what can't even be sealed is no record, which the other test tries
        forge(folder, turn, change)
    alter_the_last(folder)
    assert any(line.startswith(LAST) for line in found(folder))


def _changed_json(text: bytes, data: st.DataObject, is_record: bool) -> bytes:
    """One value of it is another."""
    value: Any = json.loads(text)
    place = value
    while True:
        keys: Any = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    if data.draw(st.integers(0, 4)) == 0 and isinstance(place, dict):
        del place[key]
    else:
        place[key] = data.draw(_JSON)
    return json.dumps(value, indent=1).encode("utf-8", "surrogatepass") + b"\n"


def _changed_cells(text: bytes, data: st.DataObject) -> bytes:
    """One cell, or word, of it is another."""
    lines = text.split(b"\n")
    number = data.draw(st.integers(0, len(lines) - 1))
    cells = lines[number].split(b",")
    cells[data.draw(st.integers(0, len(cells) - 1))] = data.draw(_CELLS).encode()
    lines[number] = b",".join(cells)
    return b"\n".join(lines)
