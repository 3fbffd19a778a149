"""How the house is built, read from its source: who may import whom, who may do what, which words may stand where.

The folders of kingdom/ are its layers, each of which may import itself and those above it in LAYERS.
"""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from inspect import signature
from pathlib import Path
from typing import NamedTuple, get_args, get_origin, get_type_hints

import pytest

from kingdom.campaign import opening
from kingdom.engine import game, turn
from tests.games import example

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "kingdom"

LAYERS = ("engine", "orders", "render", "games", "campaign", "books", "mail", "cli")
PURE = ("engine", "orders", "games")  # no clock, no file, no mail, no chance, no printing
WORLD = {
    "asyncio",
    "ctypes",
    "datetime",
    "email",
    "fcntl",
    "ftplib",
    "glob",
    "http",
    "imaplib",
    "io",
    "locale",
    "logging",
    "mailbox",
    "multiprocessing",
    "os",
    "pathlib",
    "pickle",
    "platform",
    "random",
    "secrets",
    "select",
    "shelve",
    "shutil",
    "signal",
    "smtplib",
    "socket",
    "ssl",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
    "webbrowser",
    "zoneinfo",
}  # standard modules through which the pure core could see or touch the world
SEES_FILES = {  # pure modules that may name a path, and why
    "kingdom.engine.game": {"pathlib"},  # games are found by their folders
    "kingdom.games": {"os", "sys"},  # so are those of installed packages
    "kingdom.orders.tables": {"os", "pathlib"},  # the game's own tables
    "kingdom.orders.cache": {
        "os",
        "tempfile",
        "threading",
        "pathlib",
    },  # what is quicker to read than to make; nothing depends on it
    "kingdom.orders.places": {"os", "sys", "pathlib"},  # where templates and cache lie
    **{f"kingdom.games.{name}.game": {"pathlib"} for name in game.names()},  # where the tables lie
    "kingdom.games.kit.table_declaration": {"pathlib"},  # the same
}
GAMES = sorted(file.parent.name for file in PACKAGE.glob("games/*/game.py"))
SLOW = {
    "jinja2",
    "markupsafe",
    "pandas",
    "numpy",
    "imapclient",
    "email",
    "pydantic",
    "rich",
    "difflib",
    "csv",
    "dataclasses",
    "inspect",
}
SLOW_THEMSELVES = {
    "kingdom.render.templates",
    "kingdom.games.realm.forecast.sample",
    *(f"kingdom.mail.servers.{name}" for name in ("imap", "smtp", "nowhere", "round_trip", "trial")),
}  # modules that are loaded by who needs what they load
BUILT_IN_WORLD = {"print", "input", "open", "exit", "quit", "breakpoint", "eval", "exec", "__import__"}
GAME_WORDS = re.compile(
    r"\b(realm|hex|hexes|terrain|settlements?|districts?|lots?|buildings?|farm|treasury|unrest|economy|loyalty|stability"
    r"|consumption|edicts?|upkeep|armies|army|monsters?|capital|bp|claim|tally)\b"
)


class Module(NamedTuple):
    """A module of the program: its name, its layer, its source as a tree."""

    name: str
    layer: str
    file: Path
    tree: ast.Module


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the program."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = ["kingdom", *file.relative_to(PACKAGE).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, layer_of(name), file, ast.parse(file.read_text(encoding="utf-8"))))
    return tuple(found)


def layer_of(name: str) -> str:
    """The layer of a module of the program: its folder; "" for the package itself."""
    return name.split(".")[1] if "." in name and name != "kingdom.__main__" else ""


def of(*layers: str) -> list[Module]:
    return [module for module in modules() if module.layer in layers]


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Every node of a module's tree, which many tests go through."""
    return tuple(ast.walk(tree))


@cache
def module_names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


@cache
def imports(module: Module, at_once: bool = False) -> tuple[tuple[str, int], ...]:
    """(module that it imports, line); at_once: only what is loaded with it, not inside a function nor for types alone."""
    return tuple(_imports(module, at_once))


def _imports(module: Module, at_once: bool) -> Iterator[tuple[str, int]]:
    for node in _loaded(module.tree) if at_once else nodes(module.tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{module.file}:{node.lineno}: imports are written whole"
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from ((name if name in module_names() else str(node.module), node.lineno) for name in named)
        elif not at_once and isinstance(node, ast.Call) and names(node.func) == "late":
            place = node.args[0]
            assert isinstance(place, ast.Constant), f"{module.file}:{node.lineno}: write the place of what is late"
            yield f"{module.name.rpartition('.')[0]}.{place.value}", node.lineno


def _loaded(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        ):
            continue
        yield node
        yield from _loaded(node)


def names(node: ast.AST) -> str:
    """A dotted name as written, "" of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    inner = names(node.value) if isinstance(node, ast.Attribute) else ""
    return f"{inner}.{node.attr}" if inner and isinstance(node, ast.Attribute) else ""


@cache
def docstrings(tree: ast.Module) -> set[int]:
    """The ids of the nodes that are docstrings."""
    owners = [node for node in nodes(tree) if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    return {
        id(node.body[0].value)
        for node in owners
        if ast.get_docstring(node) is not None and isinstance(node.body[0], ast.Expr)
    }


def at(module: Module, line: int, what: str) -> str:
    return f"{module.file.relative_to(ROOT)}:{line}: {what}"


# --- who imports whom ------------------------------------------------------------------------------------------------------


def test_the_folders_are_the_layers() -> None:
    there = {path.name for path in PACKAGE.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert there == set(LAYERS)
    assert {path.name for path in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


def test_imports_point_one_way() -> None:
    wrong = []
    for module in modules():
        for name, line in imports(module):
            inside = module.layer and layer_of(name) and name.startswith("kingdom.") and name != "kingdom.games"
            if inside and LAYERS.index(layer_of(name)) > LAYERS.index(module.layer):
                wrong.append(at(module, line, f"{module.layer} imports {name}"))
    assert not wrong, "\n".join(wrong)


def test_what_goes_out_knows_nothing_of_what_comes_in() -> None:
    """A mail is taken in, then answered: what both need stands in kingdom/mail itself."""
    goes_out = [module for module in of("mail") if module.name.startswith("kingdom.mail.outgoing")]
    wrong = [
        at(module, line, name)
        for module in goes_out
        for name, line in imports(module)
        if name.startswith("kingdom.mail.incoming")
    ]
    assert goes_out and not wrong, "\n".join(wrong)


def test_what_reads_mail_knows_nothing_of_what_is_done_with_it() -> None:
    """kingdom/mail/reading tells what people typed; whose it is, and what becomes of it, is decided above it."""
    reads = [module for module in of("mail") if module.name.startswith("kingdom.mail.reading")]
    above = ("kingdom.mail.incoming", "kingdom.mail.outgoing", "kingdom.mail.house", "kingdom.mail.journal")
    wrong = [
        at(module, line, name)
        for module in reads
        for name, line in imports(module)
        if name.startswith(above) or name == "kingdom.mail"
    ]
    assert reads and not wrong, "\n".join(wrong)


MOST_FLOORS = {"kingdom.mail.incoming": 7, "kingdom.mail.reading": 8}


@pytest.mark.parametrize("room", MOST_FLOORS)
def test_few_floors_lie_between_a_mail_and_what_is_made_of_it(room: str) -> None:
    """The longest chain of imports within a room of the mail: who follows one fact through it opens so many modules at most."""
    inside = {module.name: module for module in modules() if module.name.startswith(f"{room}.")}

    @cache
    def floor(name: str) -> int:
        below = {other for other, _ in imports(inside[name]) if other in inside}
        return 1 + max(map(floor, below), default=0)

    assert max(map(floor, inside)) <= MOST_FLOORS[room], {name: floor(name) for name in inside}


REALM = (
    "rules",
    "state",
    "types",
    "hexmap",
    "effects",
    "armies",
    "sheet",
    "visibility",
    "files",
    "orders steps",  # side by side: an order's file asks the checks that steps share, and its step asks that file
    "turn",
    "forecast",
    "offers",
    "bots",
    "opening",
    "report",
    "corrections",
    "game",
)  # the rooms of the kingdom game, each of which may import itself and those before it


def test_imports_inside_the_kingdom_game_point_one_way() -> None:
    """Those inside functions and for types alone included."""
    wrong, package = [], "kingdom.games.realm."
    floors = {room: floor for floor, rooms in enumerate(REALM) for room in rooms.split()}
    for module in of("games"):
        for name, line in imports(module):
            if module.name.startswith(package) and name.startswith(package):
                own, other = (each.removeprefix(package).split(".")[0] for each in (module.name, name))
                if floors[other] > floors[own]:
                    wrong.append(at(module, line, f"{own} imports {name}"))
    assert not wrong, "\n".join(wrong)


def test_no_imports_go_in_a_circle() -> None:
    """Those inside functions and for types alone included."""
    known = {module.name for module in modules()}
    graph = {
        module.name: {name for name, _ in imports(module) if name in known - {module.name}} for module in modules()
    }
    while leaves := {name for name, needs in graph.items() if not needs}:
        graph = {name: needs - leaves for name, needs in graph.items() if name not in leaves}
    assert not graph, "in a circle, or above one: " + ", ".join(sorted(graph))


def test_every_folder_says_what_is_in_it() -> None:
    silent = [
        module.name for module in modules() if module.file.name == "__init__.py" and not ast.get_docstring(module.tree)
    ]
    assert not silent


def test_no_folder_hides_a_module_of_its_own_behind_a_name() -> None:
    """A name in an __init__.py is lost as soon as a module of that name in the folder is loaded."""
    wrong = []
    for module in modules():
        if module.file.name != "__init__.py":
            continue
        inside = {name.removeprefix(f"{module.name}.") for name in module_names() if name.startswith(f"{module.name}.")}
        for node in module.tree.body:
            found = [getattr(node, "name", "")]
            if isinstance(node, ast.ImportFrom) and node.module == module.name:  # the module itself, under its own name
                found = [alias.asname for alias in node.names if alias.asname]
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                found = [alias.asname or alias.name for alias in node.names]
                found = [] if getattr(node, "module", "") == module.name else found  # the modules themselves
            elif isinstance(node, ast.Assign):
                found = [names(target) for target in node.targets]
            wrong += [at(module, node.lineno, name) for name in found if name in inside]
    assert not wrong, "\n".join(wrong)


def test_games_do_not_know_each_other() -> None:
    wrong = []
    for module in of("games"):
        own = layer_of_game(module.name)
        wrong += [
            at(module, line, name)
            for name, line in imports(module)
            if layer_of_game(name) not in ("", own, "kit") or own == "kit" != layer_of_game(name) != ""
        ]
    assert not wrong, "\n".join(wrong)


def layer_of_game(name: str) -> str:
    """The game that a module is of, "" for none."""
    parts = name.split(".")
    return parts[2] if parts[:2] == ["kingdom", "games"] and len(parts) > 2 else ""


FOR_TYPES_ALONE = {"Offer": object, "Problem": object}  # names that engine/game.py loads for the type checker only


@pytest.mark.parametrize("name", [*game.names(), "harbour"])
def test_what_a_game_loads_late_takes_what_it_is_called_with(name: str) -> None:
    with example.found():
        own = game.load(name)
    for part in (own, own.opening, own.forms, own.simulation):
        for field, kind in get_type_hints(type(part), localns=FOR_TYPES_ALONE).items() if part else ():
            late = getattr(part, field)
            if isinstance(late, game.Late):
                asked = next(each for each in (kind, *get_args(kind)) if get_origin(each) is Callable)
                signature(late.loaded()).bind(*get_args(asked)[0])
    for bot in own.bots.values():
        called, given = (bot.func, bot.args) if isinstance(bot, partial) else (bot, ())
        assert signature(called.loaded() if isinstance(called, game.Late) else called).bind(*given, *"kscr")


def test_a_game_is_found_by_its_folder_and_named_by_nobody() -> None:
    wrong = [
        at(module, line, name)
        for module in modules()
        for name, line in imports(module)
        if module.layer != "games"
        and name.startswith("kingdom.games")
        and (module.name, name) != ("kingdom.engine.game", "kingdom.games")
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_slow_to_load_is_loaded_where_it_is_used() -> None:
    quick = [module for module in modules() if module.name not in SLOW_THEMSELVES]
    loaded = [(module, name, line) for module in quick for name, line in imports(module, at_once=True)]
    wrong = [
        at(module, line, name) for module, name, line in loaded if name in SLOW_THEMSELVES or name.split(".")[0] in SLOW
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("command", ["status", "check", "games", "--help"])
def test_a_quick_command_loads_nothing_slow(command: str, tmp_path: Path) -> None:
    """What others load counts too, so this asks the interpreter."""
    words = {"status": [str(tmp_path)], "check": ["none.yaml", "--campaign", str(tmp_path)]}.get(command, [])
    code = (
        "import sys\nfrom kingdom.cli.main import main\n"
        f"try:\n    main({[command, *words]!r})\nexcept SystemExit:\n    pass\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "kingdom" in loaded
    assert not loaded & (SLOW - {"inspect", "difflib", "csv"}), loaded & SLOW


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_a_folder_with_its_declaration_its_tables_and_a_line_about_it(name: str) -> None:
    folder = PACKAGE / "games" / name
    declared = game.load(name)
    assert declared.name == name and declared.data == folder / "data" and any(declared.data.glob("*.yaml"))
    package = importlib.import_module(f"kingdom.games.{name}")
    assert declared.title == package.TITLE and tuple(declared.bots) == package.BOTS


# --- who does what ---------------------------------------------------------------------------------------------------------


def test_the_core_and_the_games_see_no_clock_no_file_no_mail_and_no_chance() -> None:
    wrong = []
    for module in of(*PURE):
        allowed = SEES_FILES.get(module.name, set())
        wrong += [at(module, line, name) for name, line in imports(module) if name.split(".")[0] in WORLD - allowed]
        calls = [node for node in nodes(module.tree) if isinstance(node, ast.Call)]
        reads = {"open"} if module.name == "kingdom.orders.cache" else set()
        wrong += [
            at(module, call.lineno, names(call.func)) for call in calls if names(call.func) in BUILT_IN_WORLD - reads
        ]
    assert not wrong, "\n".join(wrong)


def test_only_the_command_line_prints_or_exits() -> None:
    wrong = []
    for module in modules():
        if module.name in ("kingdom.cli.main", "kingdom.cli.start", "kingdom.__main__", "kingdom.books.verify"):
            continue  # the last is a program of its own for who has nothing else of this one
        for node in nodes(module.tree):
            said = names(node)
            if isinstance(node, ast.Call) and names(node.func) in (
                "print",
                "input",
                "exit",
                "quit",
                "sys.exit",
                "os._exit",
                "os.abort",
            ):
                wrong.append(at(module, node.lineno, names(node.func)))
            elif said.startswith(("sys.stdout", "sys.stderr", "sys.__std")) and not "sys.stdout.fileno".startswith(
                said
            ):
                wrong.append(at(module, node.lineno, said))  # how wide a terminal is may be asked
            elif said == "SystemExit":
                wrong.append(at(module, node.lineno, said))
    assert not wrong, "\n".join(wrong)


def test_every_command_does_its_work_and_says_what_it_has_to_say() -> None:
    from kingdom.cli import table as commandline

    files = {
        module.name.rpartition(".")[2]: module
        for module in modules()
        if module.name.startswith("kingdom.cli.commands.")
    }
    assert set(files) == {command.module for command in commandline.COMMANDS.values()}
    for name, command in commandline.COMMANDS.items():
        does = f"run_{name.replace(' ', '_')}"
        body = files[command.module].tree.body
        run = next(node for node in body if isinstance(node, ast.FunctionDef) and node.name == does)
        assert run.returns is not None and names(run.returns) == "Said", name


def test_every_record_is_frozen() -> None:
    """But for those that a module keeps to itself."""
    wrong = []
    for module in modules():
        for node in nodes(module.tree):
            public = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            if public and any(names(base).endswith("Struct") for base in node.bases):
                frozen = [key.value for key in node.keywords if key.arg == "frozen"]
                if not (frozen and isinstance(frozen[0], ast.Constant) and frozen[0].value is True):
                    wrong.append(at(module, node.lineno, node.name))
    assert not wrong, "\n".join(wrong)


# --- which words stand where -----------------------------------------------------------------------------------------------


def test_the_core_and_the_shell_name_no_game_unit_or_place() -> None:
    wrong = []
    for module in of("engine", "orders", "render", "campaign", "books"):
        docs = docstrings(module.tree)
        for node in nodes(module.tree):
            text = ""
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                text = node.value
            elif isinstance(node, (ast.Name, ast.arg, ast.FunctionDef, ast.ClassDef)):
                text = str(getattr(node, "id", getattr(node, "arg", getattr(node, "name", ""))))
            found = GAME_WORDS.search(text.lower().replace("_", " "))
            if found:
                wrong.append(at(module, getattr(node, "lineno", 0), f"`{found[0]}` in `{text[:60]}`"))
    allowed = "kingdom/campaign/manual_dice.py"  # the example of a tape shows a roll
    assert not [line for line in wrong if not line.startswith(allowed)], "\n".join(wrong)


def test_every_module_says_what_it_is() -> None:
    missing = [
        at(module, 1, module.name) for module in modules() if not ast.get_docstring(module.tree) and module.tree.body
    ]
    assert not missing, "\n".join(missing)


MOST_OF_FUNCTION, MOST_OF_MODULE = 50, 500  # lines
REASON = re.compile(r"\s*# Long: \w.*\.")
REASON_OF_MODULE = re.compile(r"^Long: \w.*\.$", re.MULTILINE)


def test_what_is_long_says_why() -> None:
    """A function does so right above it, decorators included; a module in a line of its docstring."""
    wrong = []
    for module in modules():
        lines = module.file.read_text(encoding="utf-8").splitlines()
        long = len(lines) > MOST_OF_MODULE
        if long and not REASON_OF_MODULE.search(ast.get_docstring(module.tree) or ""):
            wrong.append(at(module, 1, f"{len(lines)} lines"))
        for node in nodes(module.tree):
            if isinstance(node, ast.FunctionDef) and (length := length_of(node)) > MOST_OF_FUNCTION:
                above = min(part.lineno for part in (node, *node.decorator_list)) - 2
                if not REASON.fullmatch(lines[above]):
                    wrong.append(at(module, node.lineno, f"{node.name}: {length} lines"))
    assert not wrong, "\n".join(wrong)


def length_of(function: ast.FunctionDef) -> int:
    """The lines of a function without its docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    return lines - ((first.end_lineno or 0) - first.lineno + 1 if ast.get_docstring(function) else 0)


def documented(module: Module) -> set[str]:
    """The methods of a module's classes that say what they do."""
    classes = [node for node in module.tree.body if isinstance(node, ast.ClassDef)]
    methods = [part for node in classes for part in node.body if isinstance(part, ast.FunctionDef)]
    return {method.name for method in methods if ast.get_docstring(method)}


def test_what_others_use_says_what_it_does() -> None:
    """Public functions and classes of a module, and a class's public methods; tables of a game say it beside each field.

    What an order of a game fills in, the order kit says, or a class above it, in its module or in one that it imports.
    """
    of_kit = {module.name: module for module in modules() if "kingdom.orders.kit" in dict(imports(module))}
    missing, kinds = [], ("kingdom.orders.kit.order", "kingdom.orders.kit.kinds")
    order_kit = set[str]().union(*(documented(module) for module in modules() if module.name in kinds))
    for module in modules():
        above = [of_kit[name] for name, _ in imports(module) if name in of_kit]
        filled_in = order_kit.union(*map(documented, [module, *above])) if module.name in of_kit else set()
        for node in module.tree.body:
            inner = node.body if isinstance(node, ast.ClassDef) and not node.name.startswith("_") else []
            for each in [node, *(part for part in inner if getattr(part, "name", "") not in filled_in)]:
                if (
                    not isinstance(each, (ast.FunctionDef, ast.ClassDef))
                    or each.name.startswith("_")
                    or ast.get_docstring(each)
                ):
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
        for node in nodes(module.tree):
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
        for node in nodes(module.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | keys:
                found.setdefault(node.value, at(module, node.lineno, node.value))
    return found


def tables(module: Module, ending: str = "REFUSALS|CAUSES|MESSAGES") -> list[ast.Dict]:
    """The tables of a module that declare codes, by the ending of their names."""
    found = []
    for node in module.tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(re.search(f"({ending})$", names(target)) for target in targets) and isinstance(node.value, ast.Dict):  # type: ignore[union-attr]
            found.append(node.value)  # type: ignore[union-attr]
    return found


def called(where: list[Module], functions: tuple[str, ...], position: int) -> Iterator[tuple[str, str]]:
    """(the text at that place of the arguments, where) of each call of a function with one of these names."""
    for module in where:
        for node in nodes(module.tree):
            if (
                isinstance(node, ast.Call)
                and names(node.func).rpartition(".")[2] in functions
                and len(node.args) > position
            ):
                for part in ast.walk(node.args[position]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        yield part.value, at(module, node.lineno, part.value)


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_and_cause_of_a_game_is_declared_and_used(name: str) -> None:
    rules = game.load(name)
    own = [module for module in of("games") if layer_of_game(module.name) == name]
    used = uses([module for module in of("games") if layer_of_game(module.name) in (name, "kit")])
    assert not [code for code in rules.refusals if code not in used], "refusals that nobody makes"
    rows = "".join(
        file.read_text(encoding="utf-8") for file in sorted(rules.data.glob("*.yaml"))
    )  # some are booked by a row's name
    assert not [cause for cause in rules.causes if cause not in used and f"\n  {cause}:" not in rows], (
        "causes that nobody books"
    )
    assert not [place for code, place in called(own, ("refuse",), 2) if code not in rules.refusals], (
        "refusals nowhere declared"
    )
    assert not [place for code, place in called(own, ("Refusal",), 0) if code not in rules.refusals], (
        "refusals nowhere declared"
    )
    assert not [place for cause, place in called(own, ("book",), 4) if cause not in rules.causes], (
        "causes nowhere declared"
    )


def test_every_problem_is_declared_and_used() -> None:
    keys = [key for module in modules() for table in tables(module, "MESSAGES") for key in table.keys]
    declared = [str(key.value) for key in keys if isinstance(key, ast.Constant)]
    assert len(declared) == len(set(declared)), "a code stands for one sentence"
    used = uses(list(modules()))
    assert not [code for code in declared if code not in used], "problems that nobody tells"
    told = called(list(modules()), ("problem", "trouble", "fault", "note"), 0)
    unknown = [place for code, place in told if re.fullmatch("[a-z_]{3,}", code) and code not in declared]
    assert not unknown, "\n".join(unknown)


def test_the_core_has_its_own_words_for_what_it_books() -> None:
    assert (turn.RULES, opening.CAUSE) == ("rules", "opening")


PLAIN = {0, 1, -1, 2, 100}  # none, one, a pair or a plural, the sides of a die that rolls percents


NO_RULE = {  # figures in steps that are none of the rules, and what they are
    "kingdom.games.realm.steps.towns.grid": {
        3,
        4,
        65536,
    },  # the groups of a pattern, the lots of a square, the size of a cache
    "kingdom.games.realm.steps.trade.routes": {3},  # a position in a tuple
    "kingdom.games.realm.armies": {3},  # digits behind the point
    "kingdom.games.realm.steps.workplan": {5},  # a position in a tuple
    "kingdom.games.royal_progress.steps.rounds": {3},  # how many places a gift has
}


def test_no_figure_of_the_rules_stands_in_a_step() -> None:
    """Figures stand in the data files, once, where a player could look them up."""
    wrong = []
    for module in of("games"):
        if ".steps" in module.name or module.name.endswith((".armies", ".sheet", ".effects")):
            for node in nodes(module.tree):
                if (
                    isinstance(node, ast.Constant)
                    and type(node.value) in (int, float)
                    and node.value not in PLAIN | NO_RULE.get(module.name, set())
                ):
                    wrong.append(at(module, node.lineno, str(node.value)))
    assert not wrong, "\n".join(wrong)
