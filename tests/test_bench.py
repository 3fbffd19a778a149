"""`scripts/bench` measures what docs/performance.md lists, and reckons right. How fast the program is, no test asks."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from graphlib import TopologicalSorter
from itertools import chain, repeat
from pathlib import Path

import bench
import bench_measure
import pytest
from bench_campaign import campaign

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import keeping, next_turn
from kingdom.campaign.campaign import Campaign

ROOT = Path(__file__).parent.parent


GREENMARCH = ROOT / "campaigns" / "greenmarch"
SLOW = {"jinja2", "pandas", "imapclient", "email", "pydantic", "rich", "typing_extensions"}


def test_the_table_in_the_docs_is_the_one_that_the_command_prints() -> None:
    """Its rows are read from there, and each is measured."""
    assert [*bench.FIGURES] == [*bench.MEASURES, *bench.LONG]
    for cells in bench.listed():
        assert bench.FIGURES[cells[0]].row(float(cells[4])) == f"| {' | '.join(cells)} |"


# docs/performance.md says how these were measured; nothing may join them
MISSED = [
    "check", "turn", "reports", "reports-spin", "mail", "house-night", "growth-reports-1000", "years-audit", "years-review", "years-packed",
]  # fmt: skip


def test_every_figure_listed_meets_what_it_must_but_those_that_are_said_to_miss_it() -> None:
    assert [cells[0] for cells in bench.listed() if cells[5] not in ("aim", "must")] == MISSED


def test_the_scripts_of_the_bench_import_each_other_one_way() -> None:
    imports: dict[str, set[str]] = {}
    for file in ROOT.glob("scripts/bench*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        imports[file.stem] = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        imports[file.stem] |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    assert {"bench_measure", "bench_campaign"} <= imports["bench_figures"]
    list(TopologicalSorter(imports).static_order())  # raises CycleError where they go in a circle


def test_a_ratio_is_the_median_of_its_rounds_and_the_first_does_not_count() -> None:
    measured, against = iter([99.0, 2.0, 30.0, 8.0]), iter([1.0, 1.0, 1.0, 2.0])
    assert bench_measure.ratio(lambda: next(measured), lambda: next(against), rounds=3) == 4


@pytest.mark.parametrize("power", [0.5, 1, 1.05, 2])
def test_the_exponent_is_the_power_by_which_cost_grows(power: float) -> None:
    assert bench_measure.exponent(10, 2_000, lambda size: 3e-4 * size**power) == pytest.approx(power)


def test_one_round_that_the_machine_disturbed_does_not_move_an_exponent() -> None:
    disturbed = chain([9.0], repeat(1.0))
    assert bench_measure.exponent(
        10, 1_000, lambda size: size * (next(disturbed) if size == 1_000 else 1), 3
    ) == pytest.approx(1)


@pytest.mark.parametrize(
    ("value", "at_least", "said"),
    [
        (8, False, "aim"),
        (8.1, False, "must"),
        (11, False, "must"),
        (11.1, False, "MISSED"),
        (12, True, "aim"),
        (7, True, "MISSED"),
    ],
)
def test_a_verdict_says_the_best_that_is_met(value: float, at_least: bool, said: str) -> None:
    bounds = (">= 8", ">= 11") if at_least else ("<= 11", "<= 8")
    assert bench.Figure("name", "what", *bounds).meets(value) == said


def test_what_is_measured_in_this_process_is_its_cpu_time() -> None:
    assert bench_measure.seconds(bench_measure.spin) > 0


def test_the_memory_of_a_process_is_its_own_and_not_that_of_who_measures_it() -> None:
    here = bytearray(200 * bench_measure.MIB)
    assert bench_measure.used_by(bench_measure.PASS).memory < len(here) / 2


def test_a_process_that_fails_is_no_measure() -> None:
    with pytest.raises(subprocess.CalledProcessError):
        bench_measure.used_by([sys.executable, "-c", "raise SystemExit(3)"])


def test_every_kingdom_of_a_measured_campaign_has_its_own_four_hexes_on_the_map() -> None:
    for kingdoms in (10, 2_000):
        files = campaign(kingdoms)
        held = [line.split('"')[1::2] for name in files if name.startswith("kingdoms/")
                for line in files[name].decode().splitlines() if line.startswith("hexes:")]  # fmt: skip
        labels = [label for each in held for label in each]
        assert len(held) == kingdoms and {len(each) for each in held} == {4}
        assert len(set(labels)) == len(labels)
        on_map = {line.split('"')[1] for line in files["map.yaml"].decode().splitlines()[1:]}
        assert on_map.issuperset(labels)


@pytest.mark.long
def test_the_command_measures_what_it_is_asked_for() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/bench.py", "--json", "games"], capture_output=True, text=True, cwd=ROOT
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert list(found) == ["games"]
    assert (found["games"]["must"], found["games"]["aim"]) == (11, 6) and found["games"]["measured"] > 1


def test_a_figure_that_is_none_is_wrong_usage() -> None:
    done = subprocess.run([sys.executable, "scripts/bench.py", "gmaes"], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2 and "gmaes" in done.stderr


def a_filed_file() -> str:
    """Orders that wait for the next turn of the example campaign."""
    return str(max(GREENMARCH.glob("orders/*/examplia.yaml")))


@pytest.mark.parametrize("command", ["check", "games", "status", "--help"])
def test_a_quick_command_that_does_its_work_loads_nothing_slow(command: str) -> None:
    words = {"check": [a_filed_file(), "--campaign", str(GREENMARCH)], "status": [str(GREENMARCH)]}.get(command, [])
    code = (
        "import sys\nfrom kingdom.cli.start import run\n"
        "try:\n    code = run()\nexcept SystemExit as ended:\n    code = ended.code\n"
        "print(code or 0, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, command, *words], capture_output=True, text=True, cwd=ROOT, check=True
    )
    said, *loaded = done.stderr.splitlines()[-1].split()
    assert said == "0" and done.stdout and "kingdom.cli.main" in loaded
    assert not SLOW.intersection(loaded)


def opened_with(files: dict[str, bytes], folder: Path) -> Campaign:
    """A campaign of these files, its turn 0 kept."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    opened = campaigns.open_campaign(folder)
    keeping.keep(opened, [next_turn.opening_draft(opened, campaigns.rules_today(opened))])
    return opened


def test_a_run_that_finds_no_mail_loads_nothing_that_reads_mail(tmp_path: Path) -> None:
    opened_with(campaign(2), tmp_path)
    code = "import sys\nfrom kingdom.cli.main import main\nprint(main(), *sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=True
    )
    said, *loaded = done.stderr.splitlines()[-1].split()
    assert said == "0" and "kingdom.mail.incoming.taking" in loaded
    needless = {"kingdom.mail.incoming.stages", "kingdom.mail.reading.reply", "subprocess"}
    assert not needless.intersection(loaded)


@pytest.mark.parametrize(("kingdoms", "most"), [(6, 60_000), pytest.param(100, 400_000, marks=pytest.mark.long)])
def test_the_gms_book_is_short_even_where_every_sub_system_is_in_use(tmp_path: Path, kingdoms: int, most: int) -> None:
    opened = opened_with(campaign(kingdoms, 1, True), tmp_path)
    (draft,) = next_turn.drafts(opened)
    files = keeping.files_of(opened, draft, campaigns.kept(opened).digest, seats=frozenset(["gm"]))
    assert len(files["reports/gm.html"]) <= most
