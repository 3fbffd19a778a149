"""A kept turn vouches for every byte of itself, and is in its place whole or not at all."""

from __future__ import annotations

import errno
import os
from hashlib import sha256
from pathlib import Path

import pytest

from kingdom.campaign import store
from kingdom.campaign.store import Record
from kingdom.engine.problems import Faults

FILES = {"state.json": b"{}\n", "orders/ann.yaml": b"take: 3\n", "reports/ann.txt": b"You have 3.\n"}


def record(**changed: object) -> Record:
    made = Record(
        digest="", format=store.FORMAT, program="1", game="tally", turn=2, attempt=1, previous="0" * 64, corrects="", rules="r",
        seats=["ann"], missing_orders="standing", messages=True,
        files={name: store.digest_of(data) for name, data in FILES.items()}, notices=[{"kind": "news", "facts": {"text": '"digest": "x"'}}],
    )  # fmt: skip
    return store.msgspec.structs.replace(made, **changed)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A turn that was written and moved into its place."""
    partial, place = tmp_path / "turns" / ".0002.partial", tmp_path / "turns" / "0002"
    store.write(partial, {**FILES, "turn.json": store.sealed(record())})
    store.move(partial, place)
    return place


def test_what_is_written_is_read(folder: Path) -> None:
    turn = store.kept(folder)
    assert store.msgspec.structs.replace(turn.record, digest="") == record()
    assert {name: store.file_of(turn, name) for name in FILES} == FILES
    assert store.names_in(folder) == sorted(FILES)
    assert os.listdir(folder.parent) == ["0002"]


def test_the_own_digest_is_that_of_the_file_without_the_line_that_states_it(folder: Path) -> None:
    lines = (folder / "turn.json").read_bytes().split(b"\n")
    stated = [line for line in lines if line.startswith(b' "digest": ')]
    rest = b"\n".join(line for line in lines if line not in stated)
    assert stated == [b' "digest": "%s",' % sha256(rest).hexdigest().encode()]


def test_a_turn_is_named_by_the_digest_that_sha256sum_gives(folder: Path) -> None:
    assert store.kept(folder).digest == sha256((folder / "turn.json").read_bytes()).hexdigest()


@pytest.mark.parametrize("name", [*FILES, "turn.json"])
def test_a_changed_byte_is_found(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    for place in range(0, len(data), 5):
        (folder / name).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        problems = store.altered(folder)[2]
        assert str(folder / name) in [problem.file for problem in problems], f"byte {place}"
    (folder / name).write_bytes(data)
    assert store.altered(folder)[2] == []


def test_a_missing_and_a_strange_file_are_found(folder: Path) -> None:
    (folder / "state.json").rename(folder / "state.old")
    (folder / ".DS_Store").write_text("what a file manager leaves behind")
    found = {(problem.code, Path(problem.file).name) for problem in store.altered(folder)[2]}
    assert found == {("missing", "state.json"), ("stranger", "state.old")}


def test_a_file_that_was_altered_is_not_used(folder: Path) -> None:
    (folder / "state.json").write_text('{"coins": 99}')
    with pytest.raises(Faults, match="state.json: The file is not as it was kept"):
        store.file_of(store.kept(folder), "state.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "This is not a turn's record"),
        ("[]", "This is not a turn's record"),
        ("{", "This is not a turn's record"),
        ('{"format": 1}', "This is not a turn's record"),
        ('{"format": 99, "turn": 2}', "kept in format 99; this program knows formats up to 1"),
    ],
)
def test_a_broken_record_says_so(folder: Path, text: str, said: str) -> None:
    (folder / "turn.json").write_text(text)
    with pytest.raises(Faults, match=said):
        store.kept(folder)


def test_a_turn_never_takes_the_place_of_another(folder: Path) -> None:
    partial = folder.parent / ".0002.partial"
    store.write(partial, FILES)
    with pytest.raises(OSError):
        store.move(partial, folder)
    assert store.altered(folder)[2] == []


def test_what_the_disk_takes_in_pieces_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: whole(descriptor, bytes(data[:3])))
    store.write(tmp_path / "new", FILES)
    assert {name: (tmp_path / "new" / name).read_bytes() for name in FILES} == FILES


def test_every_file_and_folder_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: dict[int, str] = {}
    synced: list[str] = []
    open_, fsync = os.open, os.fsync

    def remember(path: os.PathLike | str, *rest: int) -> int:
        descriptor = open_(path, *rest)
        opened[descriptor] = os.path.relpath(path, tmp_path / "new")
        return descriptor

    monkeypatch.setattr(os, "open", remember)
    monkeypatch.setattr(os, "fsync", lambda descriptor: (synced.append(opened[descriptor]), fsync(descriptor)))
    store.write(tmp_path / "new", FILES)
    assert sorted(synced) == sorted([*FILES, ".", "orders", "reports"])


def test_a_file_system_that_cannot_sync_a_folder_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(descriptor: int) -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", refuse)
    store.sync_folder(tmp_path)
