"""How the house is built, read from its source: who may import whom, who may do what, which words may stand where.

A new module goes into the table LAYERS. Dependencies point one way: games -> core, shell -> core, the command line on top.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Iterator, NamedTuple

import pytest

from kingdom import game, opening, turn

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "kingdom"

LAYERS = {
    # pure: no clock, no file, no mail, no chance, no printing
    "core": "game turn ledger dice problems orders shape reading shortform shortout overlay vocabulary "
    "yamltext yamlerrors yamlout plaintext charts formlanguage schema schematext standings common",
    # the core's way to the tables: it reads the game's own data, and a cache that nothing depends on
    "tables": "tables cache places",
    # the folder of a campaign, and all that is done with it
    "shell": "campaign settings rulechanges rulespage calendar store keeping opening nextturn filings foresee history undone exchange replay audit "
    "review tape edits lock csvtext terminal reports templating troubles campaignedit campaignschema correcting gmfile clock weekly putoff forms standins simulate occurrences pictures theend chapters chronicles closing archive exports reviewtables orderentries reviewpage bigcharts luck balances explaining checked forecasting progress",
    # orders by mail and reports by mail: of all modules these alone speak to servers
    "mail": "mail",
    # on top
    "command line": "start cli commandline typed commands",
}
MAY_IMPORT = {  # layer -> the layers that it may import besides itself; a game imports the core alone
    "core": (),
    "tables": ("core",),
    "shell": ("core", "tables"),
    "mail": ("core", "tables", "shell"),
    "command line": ("core", "tables", "shell", "mail"),
    "games": ("core",),
}
WORLD = set(
    "asyncio ctypes datetime email fcntl ftplib glob http imaplib io locale logging mailbox multiprocessing os pathlib pickle "
    "platform random secrets select shelve shutil signal smtplib socket ssl subprocess sys tempfile threading time urllib uuid "
    "webbrowser zoneinfo".split()
)  # standard modules through which the pure core could see or touch the world
FINDS_FILES = {  # pure modules that may name a path, and why
    "kingdom.game": {"pathlib"},  # games are found by their folders
    **{f"kingdom.games.{name}.game": {"pathlib"} for name in game.names()},  # where the tables lie
}
GAMES = sorted(file.parent.name for file in PACKAGE.glob("games/*/__init__.py"))
SLOW = set("jinja2 markupsafe pandas numpy imapclient email pydantic rich difflib csv dataclasses inspect".split())
SLOW_THEMSELVES = {"kingdom.templating"}  # modules that are loaded by who needs what they load
BUILT_IN_WORLD = {"print", "input", "open", "exit", "quit", "breakpoint", "eval", "exec", "__import__"}
GAME_WORDS = re.compile(
    r"\b(realm|hex|hexes|terrain|settlements?|districts?|lots?|buildings?|house|farm|treasury|unrest|economy|loyalty|stability"
    r"|consumption|edicts?|upkeep|armies|army|monsters?|capital|bp|claim|tally)\b"
)


class Module(NamedTuple):
    """A module of the program: its name, its layer, its source as a tree."""

    name: str
    layer: str
    file: Path
    tree: ast.Module


@lru_cache(maxsize=None)
def modules() -> tuple[Module, ...]:
    """Every module of the program."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = ["kingdom", *file.relative_to(PACKAGE).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, layer_of(name), file, ast.parse(file.read_text(encoding="utf-8"))))
    return tuple(found)


def layer_of(name: str) -> str:
    """The layer of a module of the program, "" where the table does not name it."""
    if name in ("kingdom", "kingdom.games"):
        return "package"
    first = name.split(".")[1]
    return "games" if first == "games" else next((layer for layer, names in LAYERS.items() if first in names.split()), "")


def of(*layers: str) -> list[Module]:
    return [module for module in modules() if module.layer in layers]


def imports(module: Module, at_once: bool = False) -> Iterator[tuple[str, int]]:
    """(module that it imports, line); at_once: only what is loaded with it, not inside a function nor for types alone."""
    for node in _loaded(module.tree) if at_once else ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module.file}:{node.lineno}: imports are written whole"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            known = {other.name for other in modules()}
            yield from ((name if name in known else str(node.module), node.lineno) for name in names)


def _loaded(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)):
            continue
        yield node
        yield from _loaded(node)


def names(node: ast.AST) -> str:
    """A dotted name as written, "" of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    inner = names(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


def docstrings(tree: ast.Module) -> set[int]:
    """The ids of the nodes that are docstrings."""
    owners = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    return {id(node.body[0].value) for node in owners if ast.get_docstring(node) is not None and isinstance(node.body[0], ast.Expr)}


def at(module: Module, line: int, what: str) -> str:
    return f"{module.file.relative_to(ROOT)}:{line}: {what}"


# --- who imports whom ------------------------------------------------------------------------------------------------------


def test_the_table_names_every_module_and_no_other() -> None:
    there = {module.name.split(".")[1] for module in modules() if module.layer not in ("package", "games")}
    listed = [name for text in LAYERS.values() for name in text.split()]
    assert sorted(listed) == sorted(there)


def test_imports_point_one_way() -> None:
    wrong = []
    for module in modules():
        for name, line in imports(module):
            layer = layer_of(name) if name.startswith("kingdom.") else ""
            if layer in ("", "package", module.layer) or layer in MAY_IMPORT.get(module.layer, ()):
                continue
            wrong.append(at(module, line, f"{module.layer or module.name} imports {name}, of {layer}"))
    assert not wrong, "\n".join(wrong)


def test_games_do_not_know_each_other() -> None:
    wrong = []
    for module in of("games"):
        own = module.name.split(".")[2]
        wrong += [at(module, line, name) for name, line in imports(module) if layer_of_game(name) not in ("", own)]
    assert not wrong, "\n".join(wrong)


def layer_of_game(name: str) -> str:
    """The game that a module is of, "" for none."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["kingdom", "games"] and len(parts) > 2 else ""


def test_a_game_is_found_by_its_folder_and_named_by_nobody() -> None:
    wrong = [
        at(module, line, name)
        for module in of("core", "tables", "shell", "command line")
        for name, line in imports(module)
        if name.startswith("kingdom.games") and (module.name, name) != ("kingdom.game", "kingdom.games")
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_slow_to_load_is_loaded_where_it_is_used() -> None:
    quick = [module for module in modules() if module.name not in SLOW_THEMSELVES]
    loaded = [(module, name, line) for module in quick for name, line in imports(module, at_once=True)]
    wrong = [at(module, line, name) for module, name, line in loaded if name in SLOW_THEMSELVES or name.split(".")[0] in SLOW]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("command", ["status", "check", "games", "--help"])
def test_a_quick_command_loads_nothing_slow(command: str, tmp_path: Path) -> None:
    """What others load counts too, so this asks the interpreter."""
    words = {"status": [str(tmp_path)], "check": ["none.yaml", "--campaign", str(tmp_path)]}.get(command, [])
    code = (
        "import sys\nfrom kingdom.cli import main\n"
        f"try:\n    main({[command, *words]!r})\nexcept SystemExit:\n    pass\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "kingdom" in loaded
    assert not loaded & (SLOW - {"inspect", "difflib", "csv"}), loaded & SLOW


# --- who does what ---------------------------------------------------------------------------------------------------------


def test_the_core_and_the_games_see_no_clock_no_file_no_mail_and_no_chance() -> None:
    wrong = []
    for module in of("core", "games"):
        allowed = FINDS_FILES.get(module.name, set())
        wrong += [at(module, line, name) for name, line in imports(module) if name.split(".")[0] in WORLD - allowed]
        calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
        wrong += [at(module, call.lineno, names(call.func)) for call in calls if names(call.func) in BUILT_IN_WORLD]
    assert not wrong, "\n".join(wrong)


def test_only_the_command_line_prints_or_exits() -> None:
    wrong = []
    for module in modules():
        if module.name == "kingdom.cli":
            continue
        for node in ast.walk(module.tree):
            said = names(node)
            if isinstance(node, ast.Call) and names(node.func) in ("print", "input", "exit", "quit", "sys.exit", "os._exit", "os.abort"):
                wrong.append(at(module, node.lineno, names(node.func)))
            elif said.startswith(("sys.stdout", "sys.stderr", "sys.__std")) and not "sys.stdout.fileno".startswith(said):
                wrong.append(at(module, node.lineno, said))  # how wide a terminal is may be asked
            elif said == "SystemExit":
                wrong.append(at(module, node.lineno, said))
    assert not wrong, "\n".join(wrong)


def test_every_command_does_its_work_and_says_what_it_has_to_say() -> None:
    from kingdom import commandline

    files = {module.name.rpartition(".")[2]: module for module in modules() if module.name.startswith("kingdom.commands.")}
    assert set(files) == {name.split()[0] for name in commandline.COMMANDS}
    for module in files.values():
        run = next(node for node in module.tree.body if isinstance(node, ast.FunctionDef) and node.name == "run")
        assert run.returns is not None and names(run.returns) == "Said", module.name


def test_every_record_is_frozen() -> None:
    """But for those that a module keeps to itself."""
    wrong = []
    for module in modules():
        for node in ast.walk(module.tree):
            public = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            if public and any(names(base).endswith("Struct") for base in node.bases):
                frozen = [key.value for key in node.keywords if key.arg == "frozen"]
                if not (frozen and isinstance(frozen[0], ast.Constant) and frozen[0].value is True):
                    wrong.append(at(module, node.lineno, node.name))
    assert not wrong, "\n".join(wrong)


# --- which words stand where -----------------------------------------------------------------------------------------------


def test_the_core_and_the_shell_name_no_game_unit_or_place() -> None:
    wrong = []
    for module in of("core", "tables", "shell"):
        docs = docstrings(module.tree)
        for node in ast.walk(module.tree):
            text = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                text = node.value
            elif isinstance(node, (ast.Name, ast.arg, ast.FunctionDef, ast.ClassDef)):
                text = str(getattr(node, "id", getattr(node, "arg", getattr(node, "name", ""))))
            found = GAME_WORDS.search(text.lower().replace("_", " "))
            if found:
                wrong.append(at(module, getattr(node, "lineno", 0), f"`{found[0]}` in `{text[:60]}`"))
    allowed = "kingdom/tape.py"  # the example of a tape shows a roll
    assert not [line for line in wrong if not line.startswith(allowed)], "\n".join(wrong)


def test_every_module_says_what_it_is() -> None:
    missing = [at(module, 1, module.name) for module in modules() if not ast.get_docstring(module.tree) and module.tree.body]
    assert not missing, "\n".join(missing)


def test_what_others_use_says_what_it_does() -> None:
    """Public functions and classes of a module, and a class's public methods; tables of a game say it beside each field."""
    missing = []
    for module in modules():
        for node in module.tree.body:
            inner = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else []
            for each in [node, *inner]:
                if not isinstance(each, (ast.FunctionDef, ast.ClassDef)) or each.name.startswith("_") or ast.get_docstring(each):
                    continue
                bases = [names(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []
                if isinstance(each, ast.ClassDef) and {"Ruling", "Table"} & set(bases):
                    continue
                if each.name == "getattr" and "jinja2.Environment" in bases:
                    continue  # the base says what it does
                missing.append(at(module, each.lineno, each.name))
    assert not missing, "\n".join(missing)


def test_signatures_of_functions_have_types() -> None:
    missing = []
    for module in modules():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef):
                given = [each for each in [*node.args.args, *node.args.kwonlyargs] if each.arg not in ("self", "cls")]
                if any(each.annotation is None for each in given) or (node.returns is None and node.name != "__init__"):
                    missing.append(at(module, node.lineno, node.name))
    assert not missing, "\n".join(missing)


# --- closed vocabularies: what is declared is used, what is used is declared -----------------------------------------------


def uses(where: list[Module]) -> dict[str, str]:
    """Each text that stands in the source outside of docstrings and of the tables that declare codes -> where."""
    found: dict[str, str] = {}
    for module in where:
        docs = docstrings(module.tree)
        keys = {id(key) for table in tables(module) for key in table.keys}
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | keys:
                found.setdefault(node.value, at(module, node.lineno, node.value))
    return found


def tables(module: Module, ending: str = "REFUSALS|CAUSES|MESSAGES") -> list[ast.Dict]:
    """The tables of a module that declare codes, by the ending of their names."""
    found = []
    for node in module.tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(re.search(f"({ending})$", names(target)) for target in targets) and isinstance(node.value, ast.Dict):  # type: ignore[union-attr]
            found.append(node.value)  # type: ignore[union-attr]
    return found


def called(where: list[Module], functions: tuple[str, ...], position: int) -> Iterator[tuple[str, str]]:
    """(the text at that place of the arguments, where) of each call of a function with one of these names."""
    for module in where:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and names(node.func).rpartition(".")[2] in functions and len(node.args) > position:
                for part in ast.walk(node.args[position]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value, at(module, node.lineno, part.value)


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_and_cause_of_a_game_is_declared_and_used(name: str) -> None:
    rules = game.load(name)
    own = [module for module in of("games") if layer_of_game(module.name) == name]
    used = uses(own)
    assert not [code for code in rules.refusals if code not in used], "refusals that nobody makes"
    rows = "".join(file.read_text(encoding="utf-8") for file in sorted(rules.data.glob("*.yaml")))  # some are booked by a row's name
    assert not [cause for cause in rules.causes if cause not in used and f"\n  {cause}:" not in rows], "causes that nobody books"
    assert not [place for code, place in called(own, ("refuse",), 2) if code not in rules.refusals], "refusals nowhere declared"
    assert not [place for cause, place in called(own, ("book",), 4) if cause not in rules.causes], "causes nowhere declared"


def test_every_problem_is_declared_and_used() -> None:
    keys = [key for module in modules() for table in tables(module, "MESSAGES") for key in table.keys]
    declared = [str(key.value) for key in keys if isinstance(key, ast.Constant)]
    assert len(declared) == len(set(declared)), "a code stands for one sentence"
    used = uses([module for module in modules() if module.layer != "package"])
    assert not [code for code in declared if code not in used], "problems that nobody tells"
    told = called(list(modules()), ("problem", "trouble", "fault", "note"), 0)
    unknown = [place for code, place in told if re.fullmatch("[a-z_]{3,}", code) and code not in declared]
    assert not unknown, "\n".join(unknown)


def test_the_core_has_its_own_words_for_what_it_books() -> None:
    assert (turn.RULES, opening.CAUSE) == ("rules", "opening")


STEP_MODULES = (
    "gm event edicts claims contests territory losing improvements settlements construction demolition lots special income "
    "upkeep sheet effects checks prices steps"
)
PLAIN = {0, 1, -1, 2, 100}  # none, one, a pair or a plural, the sides of a die that rolls percents


def test_no_figure_of_the_rules_stands_in_a_step() -> None:
    """Figures stand in the data files, once, where a player could look them up."""
    wrong = []
    for module in of("games"):
        if module.name.rpartition(".")[2] in STEP_MODULES.split():
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in PLAIN:
                    wrong.append(at(module, node.lineno, str(node.value)))
    assert not wrong, "\n".join(wrong)
