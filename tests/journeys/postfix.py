"""A Postfix of the tests' own: its configuration, queue and log in a temporary folder, on a free port of the loopback.

It lets who logs in send (Dovecot knows the passwords), takes mail for the addresses that it was given, with any tag behind
a +, and puts it into their mailboxes. It is started by root alone, and needs nothing of the system's own Postfix but the programs.
"""

from __future__ import annotations

import grp
import os
import pwd
import shutil
import signal
import smtplib
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from tests.kit.mailservers import free_port, wait_for

PROGRAMS = Path("/usr/lib/postfix/sbin")
USER, GROUP = "postfix", "postdrop"
MAIN = """\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
command_directory = /usr/sbin
daemon_directory = {programs}
mail_owner = {user}
setgid_group = {group}
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
import_environment = MAIL_CONFIG LANG=C {environment}
myhostname = mx.example.org
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
alias_maps =
recipient_delimiter = +
virtual_mailbox_domains = example.org
virtual_mailbox_base = {boxes}
virtual_mailbox_maps = texthash:{folder}/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:{uid}
virtual_gid_maps = static:{gid}
smtpd_relay_restrictions = permit_sasl_authenticated reject_unauth_destination
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{passwords}
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_tls_cert_file = {certificate}
smtpd_tls_key_file = {key}
default_transport = error:5.1.2 nobody is there
in_flow_delay = 0
"""
MASTER = """\
{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
virtual unix - n n - - virtual
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
tlsmgr unix - - n 1000? 1 tlsmgr
"""
QUEUES = ("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming", "saved", "trace", "private")


def is_there() -> bool:
    """Whether it can be started here."""
    return os.getuid() == 0 and (PROGRAMS / "master").exists()


class Postfix:
    """A running Postfix. Its log is in `log`."""

    def __init__(
        self,
        boxes: Mapping[str, Path],
        owner: pwd.struct_passwd,
        passwords: int,
        certificate: tuple[Path, Path],
        environment: Mapping[str, str],
        more: str = "",
    ):
        """more: settings of `main.cf` that come last and so count. boxes: address -> the folder with its Maildir. owner: whose mailboxes they are. passwords: the port on which Dovecot
        knows them. environment: what its programs find there."""
        self.folder = Path(tempfile.mkdtemp(prefix="kp-", dir="/tmp"))  # short: the system cuts the names of sockets
        self.folder.chmod(0o755)
        self.port, self.log = free_port(), self.folder / "log"
        self._make_queue()
        (self.folder / "boxes").write_text("".join(f"{address} {box}/Maildir/\n" for address, box in boxes.items()))
        settings = MAIN.format(
            folder=self.folder, programs=PROGRAMS, user=USER, group=GROUP, boxes="/", uid=owner.pw_uid, gid=owner.pw_gid,
            passwords=passwords, certificate=certificate[0], key=certificate[1],
            environment=" ".join(environment),
        )  # fmt: skip
        (self.folder / "main.cf").write_text(settings + more)
        (self.folder / "master.cf").write_text(MASTER.format(port=self.port))
        self.process = subprocess.Popen(
            [PROGRAMS / "master", "-c", self.folder, "-d"], cwd=self.folder / "queue", start_new_session=True,
            env={"PATH": os.environ["PATH"], "MAIL_CONFIG": str(self.folder), **environment},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        wait_for(self.port, self.process, self.log)
        self._greets()

    def stop(self) -> None:
        """Stop it and all that it started, by its process id."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def is_idle(self) -> bool:
        """Whether all that it took was delivered."""
        places = ("incoming", "active", "deferred", "defer", "maildrop")
        return not any(file.is_file() for place in places for file in (self.folder / "queue" / place).rglob("*"))

    def _greets(self) -> None:
        """Let its first session end in words: a call that comes while smtpd still ends one that was hung up is now and then never taken,
        until another call comes."""
        for seconds in (1, 2, 20):
            try:
                with smtplib.SMTP("127.0.0.1", self.port, "localhost", timeout=seconds):
                    break
            except (TimeoutError, smtplib.SMTPServerDisconnected):
                continue
        time.sleep(0.1)

    def _make_queue(self) -> None:
        user, group = pwd.getpwnam(USER).pw_uid, grp.getgrnam(GROUP).gr_gid
        for name in ("queue", "queue/pid"):
            (self.folder / name).mkdir()
        for name in QUEUES:
            (self.folder / "queue" / name).mkdir(mode=0o700)
            os.chown(self.folder / "queue" / name, user, -1)
        for name, mode in (("maildrop", 0o730), ("public", 0o710)):
            (self.folder / "queue" / name).mkdir()
            (self.folder / "queue" / name).chmod(mode)
            os.chown(self.folder / "queue" / name, user, group)
        (self.folder / "data").mkdir()
        os.chown(self.folder / "data", user, -1)
