"""The page on hosting can be followed: its blocks are typed in a shell, its files are read by the programs they are for."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import Any

import pytest

from tests.kit import tours
from tests.kit.mailservers import PASSWORD, Authority, Dovecot, Mailbox, Postbox
from tests.kit.tours import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "hosting.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+) ?([\w.]*)\n(.*?)^```", PAGE, re.M | re.S)  # (language, name, text)
SYSTEMD = pytest.mark.package("systemd", "systemd-escape")
STAND_INS = {
    "sudo": 'exec "$@"\n',
    "systemctl": 'echo "$*" >>"$HOME/systemctl.log"\ncase "$*" in start*service) exec scripts/kingdom run "$HOME/house" ;; esac\n',
    "doveadm": 'command=$1; shift\nexec /usr/bin/doveadm -c "$DOVECOT" "$command" "$@"\n',
    "rsync": 'mkdir -p "$3" && exec cp -a "$2." "$3"\n',
    "git": "exit 0\n",
}


def with_servers(test: Any) -> Any:
    """Mark a test that needs a mailbox and a sending server."""
    for mark in (
        pytest.mark.package("openssl", "openssl"),
        pytest.mark.package("dovecot-imapd", "dovecot"),
        pytest.mark.filterwarnings("ignore:Requiring AUTH"),
        SYSTEMD,
    ):
        test = mark(test)
    return test


def block(language: str, name: str = "", number: int = 0) -> str:
    """The text of a fenced block of the page."""
    return [text for kind, called, text in BLOCKS if (kind, called) == (language, name)][number]


def lines_in(text: str) -> list[str]:
    return [line.partition("  #")[0].rstrip() for line in text.splitlines()]


class Host:
    """A host at a shell, whose home stands for /srv/play; `old` and `new` are the mailboxes of two machines."""

    def __init__(self, home: Path, dovecot: Dovecot, authority: Authority, post: Postbox):
        self.home, self.post, self.sent = home, post, 0
        self.old, self.new = dovecot.mailbox(), dovecot.mailbox()
        self.checkout = tours.checkout(home / "kingdom", "nothing")
        (home / "bin").mkdir()
        for name, script in STAND_INS.items():
            (home / "bin" / name).write_text(f"#!/bin/sh\n{script}")
            (home / "bin" / name).chmod(0o755)
        (home / "backup").mkdir()
        self.environment = {
            "PATH": f"{home}/bin:{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8", "SSL_CERT_FILE": str(authority.file),
            "HOUSE_PASSWORD": PASSWORD, "DOVECOT": str(dovecot.folder / "dovecot.conf"), "KINGDOM_CACHE": os.environ["KINGDOM_CACHE"],
        }  # fmt: skip
        self.house(home / "house", self.old, "play@example.org")

    def house(self, folder: Path, box: Mailbox, address: str) -> None:
        """The house.yaml of the page, with the tests' servers in it."""
        text = block("yaml", "house.yaml").replace("play@example.org", address)
        text = text.replace("port: 143", f"port: {box.dovecot.open}").replace("username: play", f"username: {box.user}")
        text = text.replace(
            "port: 25, tls: none", f"port: {self.post.port}, tls: none, username: orders, password_env: HOUSE_PASSWORD"
        )
        folder.mkdir(parents=True)
        (folder / "house.yaml").write_text(text)
        self.post.boxes[address] = box

    def types(self, text: str, seat: str = "") -> str:
        """Lines of the page in a shell that ends at the first one that fails."""
        text = text.replace("/srv/play", str(self.home)).replace("/srv/backup", f"{self.home}/backup")
        text = text.replace("-u play", f"-u {self.old.user}").replace("new.example.org:", f"{self.home}/new/")
        text = text.replace("HOUSE_PASSWORD=... ", "").replace("KINGDOM", seat)
        unit = lines_in(block("sh", number=1))[0]
        done = subprocess.run(
            ["sh", "-ec", f"{unit}\n{text}"], env=self.environment, cwd=self.checkout, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}\n{done.stdout}"
        return done.stdout

    def begins(self) -> str:
        """Step 3, up to Ada's welcome. Returns her seat."""
        lines = block("sh").splitlines()
        for line in lines[:3]:
            self.types(line)
        settings = self.home / "house/fords/campaign.yaml"
        seat = re.findall(r"^  (\w+): \{name: Player", settings.read_text(), re.M)[0]
        for line in lines[3:]:
            self.types(line, seat)
        return seat

    def ada(self, text: str, answers: EmailMessage) -> None:
        """Ada's reply to a mail lies in the mailbox from which that mail came."""
        self.sent += 1
        to = str(answers["Reply-To"])
        data = (
            f"Received: from there by mx.example.org; Sat, 21 Nov 2026 12:30:00 +0000\r\nFrom: ada@example.org\r\nTo: {to}\r\nSubject: Re: orders\r\n"
            f"Message-ID: <{self.sent}@mail.example.org>\r\nIn-Reply-To: {answers['Message-ID']}\r\n\r\n{text}\r\n"
        )
        (self.post.boxes[re.findall(r"[\w.+-]+@[\w.]+", to)[0]]).deliver(data.encode())

    def got(self, person: str) -> list[Any]:
        """The mails that a person got."""
        return [
            message_from_bytes(one.data, policy=default)
            for one in self.post.received
            if one.to == (f"{person}@example.org",)
        ]


@pytest.fixture
def host(dovecot: Dovecot, authority: Authority, tmp_path: Path) -> Iterator[Host]:
    post = Postbox(authority, tls="none")
    yield Host(tmp_path, dovecot, authority, post)
    post.stop()


def filed(folder: Path, seat: str) -> str:
    return (folder / "fords/orders/0001" / f"{seat}.yaml").read_text()


@with_servers
def test_the_house_is_made_and_restored_and_goes_on(host: Host) -> None:
    """Ada's orders after the backup come again from the server, and the turn that was played is played again, the same."""
    seat = host.begins()
    house, (welcome,) = host.home / "house", host.got("ada")
    assert "play@example.org" in welcome["From"]
    host.ada("taxation: light", welcome)
    said = host.types(block("sh", number=2))
    assert "1 mail came, 0 of them for no campaign" in said and "light" in filed(house, seat)
    host.ada("taxation: heavy", welcome)
    run, play = "scripts/kingdom run ~/house", "scripts/kingdom turn ~/house/fords --yes"
    host.types(run)
    host.types(play)
    assert "heavy" in filed(house, seat) and len(host.got("ada")) == 3
    turn = {name: (house / "fords/turns/0001" / name).read_bytes() for name in ("state.json", "dice.csv", "ledger.csv")}
    host.types(block("sh", "restore"))
    assert "light" in filed(house, seat) and not (house / "fords/turns/0001").exists()
    assert len(host.old.messages()) == 2
    host.types(run)
    assert "heavy" in filed(house, seat) and host.old.messages() == []
    assert [str(mail["Subject"]).startswith("[Fords] Filed") for mail in host.got("ada")[1:]] == [True] * 3
    host.types(play)
    assert turn == {name: (house / "fords/turns/0001" / name).read_bytes() for name in turn}
    log = (host.home / "systemctl.log").read_text().replace("\\x2d", "-")
    assert [line.split()[0] for line in log.splitlines()] == ["stop", "start", "start", "stop", "start"]
    host.types(block("sh", "upgrade"))


@with_servers
def test_a_campaign_moves_to_another_machine_in_mid_week(host: Host) -> None:
    seat = host.begins()
    (welcome,) = host.got("ada")
    host.ada("taxation: light", welcome)
    host.house(host.home / "new/house", host.new, "moved@example.org")
    host.types(block("sh", "move"))
    house = host.home / "new/house"
    assert "light" in filed(house, seat) and not (host.home / "house/fords").exists()
    host.ada("taxation: heavy", welcome)  # to the old address
    host.types("scripts/kingdom run ~/house; scripts/kingdom run ~/new/house")
    assert "light" in filed(house, seat)
    assert "1 mail came that fit no campaign" in " ".join(
        host.got("hal")[-1].get_body(("plain",)).get_content().split()
    )
    late = host.home / "late"
    late.mkdir()
    (kept,) = (host.home / "house/mail/inbox").glob("*.eml")
    shutil.copy(kept, late)
    host.types(block("sh", "late").replace("~/house", "~/new/house"))
    host.types(
        "scripts/kingdom turn ~/new/house/fords --yes; scripts/kingdom run ~/new/house; scripts/kingdom run ~/house"
    )
    assert "heavy" in filed(house, seat)
    report = host.got("ada")[-1]
    assert "moved@example.org" in report["From"] and "[Fords] 1: " in report["Subject"]
    host.ada("taxation: normal", report)
    assert len(host.new.messages()) == 1
    host.types("scripts/kingdom run ~/new/house")
    assert "normal" in (house / "fords/orders/0002" / f"{seat}.yaml").read_text()


def test_the_shell_alone_uses_all_cores(tmp_path: Path) -> None:
    for name in ("one house", "two"):
        (tmp_path / "houses" / name).mkdir(parents=True)
    (tmp_path / "scripts").mkdir()
    script = tmp_path / "scripts/kingdom"
    script.write_text('#!/bin/sh\necho "$1:$2"\n')
    script.chmod(0o755)
    environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    said = subprocess.run(
        ["sh", "-ec", block("sh", "cores")], env=environment, cwd=tmp_path, text=True, capture_output=True, check=True
    ).stdout
    assert sorted(said.splitlines()) == [f"run:{tmp_path}/houses/one house", f"run:{tmp_path}/houses/two"]


# --- the files


@pytest.mark.package("postfix", "postfix")
def test_postfix_reads_its_lines(tmp_path: Path) -> None:
    shown = block("postfix")
    (tmp_path / "main.cf").write_text(f"compatibility_level = 3.6\n{shown}")
    (tmp_path / "master.cf").write_text("")
    done = subprocess.run(["postconf", "-c", str(tmp_path), "-n"], capture_output=True, text=True, check=True)
    assert done.stderr == "" and all(line in done.stdout for line in shown.splitlines())
    (tmp_path / "main.cf").write_text("home_mailbxo = Maildir/\n")
    assert (
        "unused parameter"
        in subprocess.run(["postconf", "-c", str(tmp_path), "-n"], capture_output=True, text=True).stderr
    )


@pytest.mark.package("dovecot-imapd", "dovecot")
def test_dovecot_reads_its_lines(tmp_path: Path) -> None:
    (tmp_path / "dovecot.conf").write_text(block("dovecot"))
    done = subprocess.run(["doveconf", "-c", str(tmp_path / "dovecot.conf"), "-n"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(line in done.stdout for line in ("listen = 127.0.0.1", "mail_location = maildir:~/Maildir"))


@SYSTEMD
@pytest.mark.parametrize("name", ["kingdom-house@", "kingdom-run@"])
def test_systemd_takes_the_units_for_a_folder_with_a_space(name: str, tmp_path: Path) -> None:
    folder = "/srv/play/the northern house"
    instance = subprocess.run(["systemd-escape", "--path", folder], capture_output=True, text=True, check=True).stdout
    assert (
        subprocess.run(
            ["systemd-escape", "-u", "--path", instance.strip()], capture_output=True, text=True
        ).stdout.strip()
        == folder
    )
    for kind in ("service", "timer"):
        text = (DOCS / f"{name}.{kind}").read_text()
        text = re.sub(r"ExecStart=\S+/scripts/kingdom run %f$", "ExecStart=/bin/true run %f", text, flags=re.M)
        (tmp_path / f"{name}{instance.strip()}.{kind}").write_text(text)
    place = {"SYSTEMD_UNIT_PATH": f"{tmp_path}:/usr/lib/systemd/system"}
    for kind in ("service", "timer"):
        done = subprocess.run(
            ["systemd-analyze", "verify", str(tmp_path / f"{name}{instance.strip()}.{kind}")],
            env=os.environ | place, capture_output=True, text=True,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), kind
    (service,) = tmp_path.glob("*.service")
    assert "ExecStart=/bin/true run %f" in service.read_text()


def test_the_units_of_the_page_are_those_that_lie_beside_it() -> None:
    (enabled,) = [shlex.split(line) for line in block("sh", number=1).splitlines() if "enable" in line]
    assert enabled[-1] == "$unit.timer" and "kingdom-house@$(systemd-escape --path " in block("sh", number=1)
    for kind in ("service", "timer"):
        assert f"[kingdom-house@.{kind}](kingdom-house@.{kind})" in PAGE and (DOCS / f"kingdom-house@.{kind}").is_file()
    assert (
        "/etc/kingdom-passwords" in PAGE
        and "EnvironmentFile=/etc/kingdom-passwords" in (DOCS / "kingdom-house@.service").read_text()
    )


def test_the_steps_are_numbered_and_listed() -> None:
    steps = re.findall(r"^## (\d+)\. (.*?)$", PAGE, re.M)
    assert re.findall(r"^(\d+)\. \[(.*?)\]\(#", PAGE, re.M) == steps
    assert [int(number) for number, _ in steps] == [*range(1, len(steps) + 1)]
