"""kingdom service: lines for cron or a systemd timer that run the weekly job, with the paths of this machine."""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING

from kingdom.cli import campaign_folders
from kingdom.cli.commands import USAGE, Said

if TYPE_CHECKING:
    from kingdom.campaign.settings import Mail

_PASSWORDS = ".kingdom-passwords"  # in the home folder
_UNITS = ".config/systemd/user"


def run_service(args: Namespace) -> Said:
    """Print the line for cron, or commands that make a systemd timer. Raises Faults if the settings can't be read."""
    folder = Path(os.path.abspath(args.campaign))
    campaigns = campaign_folders.inside(str(folder))[0]
    is_campaign = campaign_folders.is_campaign(str(folder))
    if not (is_campaign or campaign_folders.is_house(str(folder)) or campaigns):
        return Said(notes=[f"{folder} is no campaign and holds none."], code=USAGE)
    words = [*_program(args.program), "run", str(folder)]
    if any("\n" in word for word in words):
        return Said(
            notes=["Neither cron nor systemd takes a path with a line break in it. Rename the folder."], code=USAGE
        )
    variables = _variables([folder] if is_campaign else [folder, *map(Path, campaigns)])
    home = Path(os.path.expanduser("~"))
    # the path, as two campaigns may have the same name
    place = folder.relative_to(home) if folder.is_relative_to(home) else folder
    name = re.sub(r"[^A-Za-z0-9_]+", "-", str(place)).strip("-") or "campaign"
    made = _for_systemd if args.systemd else _for_cron
    return Said([*_about_passwords(home, variables), *made(words, f"kingdom-{name}", home, bool(variables))])


def _program(typed: str) -> list[str]:
    """Return the words that start this program from any folder, with whole paths."""
    words = shlex.split(typed)
    found = which(words[0]) or which(Path(sys.argv[0]).name if len(words) == 1 else words[0])
    if found is None:
        return [sys.executable, "-m", "kingdom"]
    return [os.path.abspath(found), *words[1:]]


def _variables(folders: Sequence[Path]) -> list[str]:
    """Return the environment variables with the passwords of the mail servers. Raises Faults."""
    from kingdom.campaign import house
    from kingdom.campaign.settings import read

    mails: list[Mail | None] = []
    for folder in folders:
        own = house.at(folder)
        mails += [own.mail] if own else []
        mails += [read(folder)[0].mail] if campaign_folders.is_campaign(str(folder)) else []
    servers = [server for mail in mails if mail for server in (mail.imap, mail.smtp) if server]
    return list(dict.fromkeys(server.password_env for server in servers if server.password_env))


def _about_passwords(home: Path, variables: Sequence[str]) -> Iterator[str]:
    if variables:
        file = home / _PASSWORDS
        yield f"# First write the passwords into {file}, which only you may read (chmod 600), a line each:"
        yield from (f"#     {variable}='...'" for variable in variables)


def _for_cron(words: Sequence[str], name: str, home: Path, has_passwords: bool) -> Iterator[str]:
    """The line of a crontab. Cron ends a command at a `%` that has no backslash before it."""
    job = shlex.join(words)
    if has_passwords:  # if a shell can't read them, its message must go into the log, too
        job = f"{{ set -a; . {shlex.quote(str(home / _PASSWORDS))}; {job}; }}"
    command = f"{job} >> {shlex.quote(str(home / name))}.log 2>&1"
    yield "# Type `crontab -e` and add this line. In the log each run begins with the date."
    yield "*/5 * * * * " + command.replace("%", "\\%")


def _for_systemd(words: Sequence[str], name: str, home: Path, has_passwords: bool) -> Iterator[str]:
    """Shell commands that write two units and start the timer."""
    units = home / _UNITS
    about = f"Mail and turns of the campaigns in {words[-1]}".replace("%", "%%")
    yield "# Type this, or add `| sh` to the command that printed it."
    yield f"mkdir -p {shlex.quote(str(units))}"
    yield from _written(units / f"{name}.service", [
        "[Unit]", f"Description={about}", "", "[Service]", "Type=oneshot",
        *([f"EnvironmentFile=%h/{_PASSWORDS}"] if has_passwords else []),
        f"ExecStart={' '.join(map(_quoted, words))}", "# 3: another run is at work.", "SuccessExitStatus=3",
    ])  # fmt: skip
    yield from _written(units / f"{name}.timer", [
        "[Unit]", f"Description={about}, every five minutes", "", "[Timer]", "OnCalendar=*:0/5", "Persistent=true",
        "", "[Install]", "WantedBy=timers.target",
    ])  # fmt: skip
    yield "systemctl --user daemon-reload"
    yield f"systemctl --user enable --now {name}.timer"
    yield "loginctl enable-linger    # it goes on while you are not logged in"


def _written(file: Path, lines: Sequence[str]) -> Iterator[str]:
    yield f"cat > {shlex.quote(str(file))} <<'END'"
    yield from lines
    yield "END"


def _quoted(word: str) -> str:
    """A word of systemd's ExecStart, which reads `%`, `$`, quotes and backslashes."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return escaped if re.fullmatch(r"[\w./@:+=,-]+", word) else f'"{escaped}"'
