"""The pages are true: their commands print what is shown, in their order, and what they name is there."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kingdom.campaign import clock, examples
from tests.kit import tours
from tests.kit.tours import ROOT, Typed, Written

COMMANDS = [
    (page, step) for page in tours.PAGES for step in tours.steps(tours.text_of(page)) if isinstance(step, Typed)
]
SECTIONS = list(dict.fromkeys((page, step.section) for page, step in COMMANDS))
LATER = (
    "A campaign of your own", "Board games", "Looking back", "A mistake", "Asking the books in your own words",
)  # sections that the long run alone types  # fmt: skip
DEVELOPERS = ("CONTRIBUTING.md", "docs/house.md", "docs/games.md")  # pages that send their readers to files
GUIDES = sorted({*tours.PAGES, *DEVELOPERS, "docs/mail.md", "docs/between.md", "docs/hosting.md", "docs/bots.md"})
KNOWN_PATH = re.compile(r"(?:kingdom|tests|scripts|templates|docs)/[\w./*-]+|[A-Z]\w+\.md|\w+\.toml")


@pytest.mark.parametrize(
    ("page", "section"),
    [pytest.param(*row, marks=pytest.mark.long if row[1] in LATER else ()) for row in SECTIONS],
)
def test_every_command_prints_what_the_page_shows(page: str, section: str, tmp_path: Path) -> None:
    """After a deliberate change: scripts/redoc."""
    for step, printed in tours.played(tours.text_of(page), tmp_path, section):
        assert tours.agrees(step.says, printed), "\n".join(
            [f"{page}:{step.line + 1}: `{step.command}` prints:", *printed]
        )


def test_the_tours_show_the_commands_that_a_week_needs() -> None:
    typed = " ".join(step.command for _page, step in COMMANDS)
    for command in ("new", "turn", "check", "show", "map", "status", "ledger", "audit", "undo", "redo", "dice", "run"):
        assert f"scripts/kingdom {command} " in typed, command


def test_the_readme_is_a_page() -> None:
    assert tours.text_of("README.md").count("\n") <= 120


def test_the_readme_begins_with_the_two_commands() -> None:
    block = re.findall(r"^```\n(.*?)^```", tours.text_of("README.md"), re.M | re.S)[0]
    assert [line.split("  ")[0] for line in block.splitlines()] == [
        "scripts/kingdom run campaigns/greenmarch",
        "scripts/test --install",
    ]


@pytest.mark.parametrize("year", [2025, 2026, 2038])
def test_the_example_plays_its_turn_whatever_the_date(
    year: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: datetime(year, 1, 2, 3, 4, tzinfo=UTC))
    place = tours.checkout(tmp_path / "checkout", "greenmarch")
    (run,) = [step for page, step in COMMANDS if page == "README.md" and " run " in step.command]
    assert tours.agrees(run.says, tours.run(run, place))
    assert (place / "campaigns/greenmarch/turns/0012").is_dir()


@pytest.mark.parametrize("page", ["README.md", "docs/tour-gm.md"])
def test_the_line_that_puts_the_example_back_does_and_deletes_nothing_else(page: str, tmp_path: Path) -> None:
    place = tours.checkout(tmp_path / "checkout", "greenmarch")
    (run,) = [step for name, step in COMMANDS if name == "README.md" and " run " in step.command]
    (put_back,) = re.findall(r"^rm -r .*$", tours.text_of(page), re.M)
    by = "git -c user.name=Gwen -c user.email=gwen@example.org"
    script = f"git init -q; {by} add -A; {by} commit -qm all; mkdir campaigns/mine; echo secret >campaigns/mine/campaign.yaml"
    subprocess.run(script, shell=True, check=True, cwd=place)
    tours.run(run, place)
    subprocess.run(put_back, shell=True, check=True, cwd=place)
    left = subprocess.run(["git", "status", "--porcelain"], check=True, cwd=place, capture_output=True, text=True)
    assert left.stdout == "?? campaigns/mine/\n"


def test_the_lines_that_unpack_an_example_do(tmp_path: Path) -> None:
    pages = ("README.md", "docs/tour-gm.md", "docs/tour-player.md", "docs/house.md", "docs/tests.md")
    of_a_checkout = {
        page: re.sub(r"^<!-- installed\n.*?^-->", "", tours.text_of(page), flags=re.M | re.S) for page in pages
    }
    lines = {
        page: re.findall(r"scripts/kingdom new \S+ --example [a-z-]+", text) for page, text in of_a_checkout.items()
    }
    assert all(lines.values())
    place = tours.checkout(tmp_path / "checkout", "greenmarch")
    for line in sorted({line for found in lines.values() for line in found}):
        subprocess.run(line, shell=True, check=True, cwd=place, capture_output=True)
        *_, folder, _, name = line.split()
        assert folder == f"campaigns/{name}"
        files = {str(file.relative_to(place / folder)): file for file in (place / folder).rglob("*") if file.is_file()}
        assert {inner: file.read_bytes() for inner, file in files.items()} == examples.files(name)


def test_no_page_tells_to_delete_what_git_does_not_know() -> None:
    """A campaign of one's own may be among it."""
    assert [page for page in GUIDES if "git clean" in tours.text_of(page)] == []


def prose(page: str) -> str:
    """A page without its fenced blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", tours.text_of(page), flags=re.M | re.S)


@pytest.mark.parametrize("page", GUIDES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    """A word in capitals, as in `tests/kept/VERSION/`, stands for any."""
    for name in re.findall(r"`([^`\n]+)`", prose(page)):
        path = re.sub(r"\b[A-Z]{4,}\b(?!\.md)", "*", name.split()[0].rstrip("/"))
        assert not KNOWN_PATH.fullmatch(path) or list(ROOT.glob(path)), f"{page}: {name}"


def test_every_file_in_a_table_of_the_house_is_there() -> None:
    for row in re.findall(r"^\|.*\|$", tours.text_of("docs/house.md"), re.M):
        for name in re.findall(r"`([^`]+)`", row):
            path = name.split()[0].rstrip("/")
            assert list(ROOT.glob(path)) or list(ROOT.glob(f"kingdom/{path}")), f"{name} in: {row}"


@pytest.mark.parametrize("page", GUIDES)
def test_every_link_of_a_page_leads_somewhere(page: str) -> None:
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", prose(page)):
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), f"{page}: {target}"
        if anchor:
            titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.M)
            assert anchor in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}, anchor


@pytest.mark.parametrize("page", tours.PAGES)
def test_no_block_of_a_tour_is_too_wide_for_its_reader(page: str) -> None:
    fenced = re.findall(r"^```[^\n]*\n(.*?)^```", tours.text_of(page), re.M | re.S)
    assert max(len(line) for block in fenced for line in block.split("\n")) <= 100


# --- the test of the test

PAGE = """\
# A page

## One tour

```
$ cat note
cat: note: No such file or directory
```

```yaml campaigns/note
seen: here
```

```
$ cat campaigns/note; mv campaigns/note note
seen: here
$ seq \\
  9
1
...
9
```

## Another

```
$ cat note
seen: here
```
"""


def test_steps_come_in_the_order_of_the_page() -> None:
    found = list(tours.steps(PAGE))
    assert [type(step) for step in found] == [Typed, Written, Typed, Typed, Typed]
    assert [step.section for step in found] == ["One tour"] * 4 + ["Another"]
    assert found[1] == Written("One tour", "campaigns/note", "seen: here\n")
    assert found[3][1:3] == ("seq \\\n  9", ["1", "...", "9"])


def test_a_tour_shares_what_it_changes_and_the_next_begins_anew(tmp_path: Path) -> None:
    found = [tours.agrees(step.says, lines) for step, lines in tours.played(PAGE, tmp_path)]
    assert found == [True, True, True, False]


@pytest.mark.parametrize(
    ("says", "printed", "same"),
    [
        ("a b c", "a b c", True),
        ("a c", "a b c", False),
        ("a b", "a b c", False),
        ("a ... c", "a b b c", True),
        ("a ... c", "a c", False),
        ("a ... c", "a b d", False),
        ("... c", "a b c", True),
        ("a ...", "a b c", True),
        ("a ...", "b c", False),
        ("a ... c ... e", "a b c d e", True),
        ("a ... c ... e", "a b d e", False),
        (".", "a", False),
    ],
)
def test_what_is_left_out_is_all_that_may_differ(says: str, printed: str, same: bool) -> None:
    assert tours.agrees(says.split(), printed.split()) == same


@pytest.mark.parametrize(
    ("says", "printed", "renewed"),
    [
        ("a b c", "a x c", "a x c"),
        ("a ... c", "a b c", "a ... c"),
        ("a ... c", "x b y z", "x ... z"),
        ("a ...", "x b y", "x ..."),
        ("a ... cc d ... e", "x y z cd f g h e2", "x ... cd f ... e2"),
    ],
)
def test_a_renewed_page_leaves_out_what_it_left_out(says: str, printed: str, renewed: str) -> None:
    assert tours.renewed(says.split(), printed.split()) == renewed.split()
    assert tours.agrees(renewed.split(), printed.split())


# --- the page on mail

MAIL = (ROOT / "docs/mail.md").read_text(encoding="utf-8")


def test_the_page_on_mail_names_commands_and_settings_that_are_there() -> None:
    from kingdom.campaign import settings
    from kingdom.cli import table

    named = re.findall(r"(?:scripts/kingdom|`kingdom) ((?:mail )?[a-z]+)", MAIL)
    assert {"run", "rehearse", "invite", "mail check", "mail log", "mail accept", "release", "status"} <= set(named)
    known = {*table.COMMANDS, *(f"mail {action}" for action in ("fetch", "send", "check", "log", "accept"))}
    assert set(named) <= known
    blocks = re.findall(r"^```yaml\n(.*?)^```", MAIL, re.M | re.S)
    assert len(blocks) > 5
    for block in blocks:
        settings.read_text(
            f"name: x\ngame: realm\nseed: public\npublic_seed: true\nplayers: {{}}\n{block}".encode(), "campaign.yaml"
        )


def test_the_page_on_mail_gives_the_gaps_between_tries_as_they_are() -> None:
    from kingdom.mail.servers.smtp import GAPS

    assert (
        GAPS == ("5m", "15m", "1h", "4h", "12h")
        and "5 minutes, 15 minutes, an hour, four hours, then twice a day" in MAIL
    )


# --- the page on games


def test_the_page_on_games_names_each_part_of_the_contract_that_may_be_left_out() -> None:
    from kingdom.engine.game import Game

    optional = set(Game.__struct_fields__[-len(Game.__struct_defaults__) :])
    page = (ROOT / "docs/games.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\|.*\|$", page.split("## What may be left out")[1], re.M)
    assert set(re.findall(r"`(\w+)`", "\n".join(row.rpartition(" | ")[2] for row in rows))) == optional


def test_the_page_on_games_shows_the_whole_example_as_it_is() -> None:
    """Each block of code stands in a file of the example, and together they are all of it."""
    folder = ROOT / "tests/games/example/harbour"
    files = ["__init__.py", "data/rulings.yaml", "game.py", "templates/rules.md"]
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in files}
    play = (ROOT / "tests/plays/harbour.py").read_text(encoding="utf-8")
    page = (ROOT / "docs/games.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:python|yaml|jinja)\n(.*?)^```$", page, re.M | re.S)
    assert [block for block in blocks if not any(block in text for text in (*texts.values(), play))] == []
    for name, text in texts.items():
        left = text
        for block in blocks:
            left = left.replace(block, "")
        assert re.sub(r"^# --- .*$", "", left, flags=re.M).split() == [], name
    assert len(texts["game.py"].splitlines()) <= 250
