"""What `kingdom completion` prints completes commands in the three shells, tried in each of them."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kingdom.cli.main import main
from kingdom.cli.table import COMMANDS, SHELLS

ROOT = Path(__file__).parents[2]
STEERING = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])")  # of the cursor and the like
SECONDS = 60  # for a shell to answer, on a machine that does much else
CASES = {  # what stands in the line -> what may come next, among much else
    "kingdom ": {*(name.split()[0] for name in COMMANDS)},
    "kingdom mail ": {"fetch", "send", "check", "log", "accept"},
    "kingdom turn --d": {"--dice", "--dry-run"},
    "kingdom help tour": {"tour-gm", "tour-player"},
    "kingdom new --game king": {"kings_pouch", "kings_progress"},
    "kingdom completion ": {*SHELLS},
    "scripts/kingdom status ": {"camp", "camping"},
    "kingdom mail send camp": {"camp", "camping"},
    "kingdom check or": {"orders.yaml", "orders.yml"},
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with two folders and two files to be completed, a home without settings, and the program."""
    for folder in ("camp", "camping", "home"):
        (tmp_path / folder).mkdir()
    for name in ("orders.yaml", "orders.yml"):
        (tmp_path / name).touch()
    (tmp_path / "scripts").symlink_to(ROOT / "scripts")
    return tmp_path


def environment(place: Path) -> dict[str, str]:
    return {
        "PATH": f"{ROOT / 'scripts'}:{os.environ['PATH']}",
        "HOME": str(place / "home"),
        "TERM": "xterm",
        "LC_ALL": "C.UTF-8",
    }


def said(place: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=place, env=environment(place), capture_output=True, text=True, timeout=SECONDS)
    assert done.stderr == ""
    return done.stdout


def words(text: str) -> set[str]:
    """What a list of completions names; a folder with or without its stroke."""
    return {word.rstrip("/") for word in re.split(r"[\s,]+", text)}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_says_where_to_put_it_and_knows_every_command_with_its_options(shell: str, capfdbinary) -> None:
    assert main(["completion", shell]) == 0
    printed = capfdbinary.readouterr().out.decode()
    assert f"kingdom completion {shell}" in "".join(printed.splitlines()[:2])
    known = set(re.findall(r"[\w-]+", printed))
    for name, command in COMMANDS.items():
        options = [option for names, _ in command.arguments for option in names if option.startswith("-")]
        expected = {*name.split(), *(option.lstrip("-") if shell == "fish" else option for option in options)}
        assert expected <= known


@pytest.mark.parametrize("typed", CASES)
def test_bash_completes(place: Path, typed: str) -> None:
    """As readline asks for it: the function that was registered is called with the words and the number of the last one."""
    asked = """
        eval "$(kingdom completion bash)"
        complete -p kingdom > /dev/null || exit
        COMP_LINE=$1 COMP_POINT=${#1}
        read -ra COMP_WORDS <<< "$1"; [[ $1 == *' ' ]] && COMP_WORDS+=('')
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        function=$(complete -p kingdom | sed 's/.*-F \\([^ ]*\\).*/\\1/')
        $function kingdom "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2> /dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    found = words(said(place, "bash", "--norc", "-c", asked, "bash", typed))
    assert CASES[typed] <= found


@pytest.mark.package("fish", "fish")
@pytest.mark.parametrize("typed", CASES)
def test_fish_completes(place: Path, typed: str) -> None:
    printed = said(place, "fish", "--no-config", "-c", "kingdom completion fish | source; complete -C $argv[1]", typed)
    found = words("\n".join(line.partition("\t")[0] for line in printed.splitlines()))
    assert CASES[typed] <= found


@pytest.mark.package("zsh", "zsh")
def test_zsh_completes(place: Path) -> None:
    """It completes at a terminal alone. One shell for all lines: it takes long to start."""
    process, terminal = pty.fork()
    if not process:
        os.chdir(place)
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment(place))  # no-one comes back from here
    try:
        type_(terminal, "PS1='ready''> '; LISTMAX=1000; unsetopt list_ambiguous; stty rows 100 cols 200\n")
        type_(terminal, 'autoload -U compinit; compinit -u -D; eval "$(kingdom completion zsh)"; print loa""ded\n')
        until(terminal, lambda text: "ready>" in text.partition("loaded")[2])
        for typed, expected in CASES.items():
            type_(terminal, f"{typed}\t")  # what is typed while it completes would stop that
            until(terminal, lambda text, expected=expected: expected <= words(text))
            type_(terminal, '\x15print nex""t\n')  # another line in place of this one
            until(terminal, lambda text: "ready>" in text.partition("next")[2])
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def type_(terminal: int, text: str) -> None:
    os.write(terminal, text.encode())


def until(terminal: int, is_there: Callable[[str], bool]) -> None:
    """Read what the terminal shows until that is there."""
    raw, end = b"", time.monotonic() + SECONDS
    while not is_there(shown := STEERING.sub(" ", raw.decode(errors="replace"))):
        ready, _, _ = select.select([terminal], [], [], max(0, end - time.monotonic()))
        assert ready, shown
        raw += os.read(terminal, 65536)
