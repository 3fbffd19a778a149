"""Folders of campaigns with due turns and what one process makes of them, made once for all tests of many processes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kingdom.cli.main import main
from tests.kit import small_realm
from tests.kit.due_campaigns import FEW, HEAD, KINDS, LINES, SEED, TOKENS, Run, run_by_one
from tests.kit.tiny_game import file_orders, write


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of campaigns with a due turn, no two alike in what their reports and mails must say."""
    house = tmp_path_factory.mktemp("made") / "house"
    fords = tmp_path_factory.mktemp("fords") / "fords"
    small_realm.campaign(fords)
    start = HEAD.format(seed=SEED, rules="", bot="", more="")
    write(fords, "campaign.yaml", start)
    for _ in range(3):
        assert main(["turn", "--yes", str(fords)]) == 0
    for name, (more, rules, bot) in KINDS.items():
        shutil.copytree(fords, house / name)
        config = HEAD.format(seed=SEED, rules=rules, bot=bot, more=more)
        for token in TOKENS:  # of its own, as its key: they are no copies of one campaign
            config = config.replace(token, token + name)
        write(house / name, "campaign.yaml", config)
        file_orders(house / name, 3, "examplia", "claim: 0103\naid: economy to borderia\nrequests: May I dig?\n")
        write(house / name, "mail/key", (name.encode().hex() * 16)[:64])
    file_orders(house / "wrong", 3, "borderia", "clam: 0402\n")
    file_orders(house / "blabbed", 3, "borderia", "requests: My token is b8w2m4blabbed.\n")
    lines = [json.dumps({"at": "2027-02-18T10:00:00+00:00", **line}) for line in LINES]
    write(house / "told", "mail/journal.jsonl", "".join(f"{line}\n" for line in lines))
    state = house / "torn" / "turns" / "0002" / "state.json"
    state.write_bytes(state.read_bytes()[:-1])
    return house


@pytest.fixture(scope="session")
def few_made(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some of these campaigns."""
    house = tmp_path_factory.mktemp("few") / "house"
    for name in FEW:
        shutil.copytree(made / name, house / name)
    return house


@pytest.fixture(scope="session")
def by_one(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same folder, run by one process; what others make is compared with it."""
    return run_by_one(made, tmp_path_factory.mktemp("alone"))


@pytest.fixture(scope="session")
def few_by_one(few_made: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Some of them, run by one process."""
    return run_by_one(few_made, tmp_path_factory.mktemp("few alone"))
