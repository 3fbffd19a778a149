"""Real mail servers for the tests: Dovecot for IMAP, aiosmtpd for SMTP, both with TLS and a throw-away certificate.

Each test has a mailbox of its own in one Dovecot, which runs without privileges on free ports of the loopback and is
stopped by its process id. Whoever trusts the certificates sets SSL_CERT_FILE to `Authority.file`.
"""

from __future__ import annotations

import json
import os
import pwd
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from email.utils import format_datetime
from pathlib import Path
from typing import Any, NamedTuple

from kingdom.campaign import clock
from kingdom.campaign.settings import Server

PASSWORD = "correct-horse-7"
VARIABLE = "KINGDOM_TEST_PASSWORD"
NAME = "localhost"
DOVECOT = shutil.which("dovecot") or "/usr/sbin/dovecot"


# --- certificates --------------------------------------------------------------------------------------------------------


class Authority:
    """A certificate authority in a folder. days: for how long what it signs holds; since: from that day on, through faketime."""

    def __init__(self, folder: Path, days: int = 2, since: str = ""):
        self.folder, self.days = folder, days
        self._environment = os.environ | ({"LD_PRELOAD": faketime(), "FAKETIME": since} if since else {})
        self.file = folder / "ca.pem"
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days), "-subj", "/CN=Tests",
            "-keyout", folder / "ca.key", "-out", self.file, "-addext", "keyUsage=critical,keyCertSign,cRLSign",
        )  # fmt: skip

    def certificate(self, name: str = NAME, days: int = 0, signed: bool = True) -> tuple[Path, Path]:
        """(certificate, key) for a server's name. days: below 0 it has expired; 0: as usual. signed: else by itself."""
        days = days or self.days
        place = self.folder / f"{name}-{days}-{signed}"
        certificate, key, request = (place.with_name(place.name + ending) for ending in (".pem", ".key", ".csr"))
        if certificate.exists():
            return certificate, key
        fresh = [
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-subj",
            f"/CN={name}",
            "-keyout",
            key,
        ]
        if not signed:
            self._openssl(
                "req", "-x509", *fresh, "-days", str(days), "-out", certificate, "-addext", f"subjectAltName=DNS:{name}"
            )
        else:
            self._openssl("req", *fresh, "-out", request)
            names = place.with_name(place.name + ".ext")
            names.write_text(f"subjectAltName=DNS:{name}\n")
            by = ["-CA", self.file, "-CAkey", self.folder / "ca.key", "-CAcreateserial", "-extfile", names]
            self._openssl("x509", "-req", "-in", request, *by, "-days", str(days), "-out", certificate)
        key.chmod(0o644)
        return certificate, key

    def context(self, name: str = NAME, days: int = 0, signed: bool = True) -> ssl.SSLContext:
        """For a server that shows such a certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate(name, days, signed))
        return context

    def _openssl(self, *words: object) -> None:
        done = subprocess.run(["openssl", *map(str, words)], capture_output=True, text=True, env=self._environment)
        assert done.returncode == 0, done.stderr


def faketime() -> str:
    """The library that makes a program see another time. Not by its command, which fails where a killed one left a semaphore."""
    return str(next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")))


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


# --- IMAP ----------------------------------------------------------------------------------------------------------------

CONFIGURATION = """\
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = {user}
default_internal_group = {group}
default_login_user = {user}
first_valid_uid = 1
first_valid_gid = 1
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{key}
mail_location = maildir:~/Maildir
mail_plugins = quota
rawlog_dir = {folder}/%u/rawlog
auth_failure_delay = 0
mail_fsync = never
{more}passdb {{
  driver = passwd-file
  args = {folder}/users/%u
}}
userdb {{
  driver = passwd-file
  args = {folder}/users/%u
}}
namespace inbox {{
  inbox = yes
  separator = .
  prefix =
}}
protocol imap {{
  mail_plugins = quota imap_quota
}}
plugin {{
  quota = maildir:User quota
}}
service imap-login {{
  chroot =
  service_count = 0
  inet_listener imap {{
    port = {open}
  }}
  inet_listener imaps {{
    port = {implicit}
    ssl = yes
  }}
}}
service imap {{
  service_count = 1000
}}
service auth {{
  inet_listener {{
    port = {passwords}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service stats {{
  chroot =
}}
"""

BY_TOKEN = """\
auth_mechanisms = plain xoauth2 oauthbearer
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
"""
INTROSPECTION = """\
introspection_mode = post
introspection_url = http://127.0.0.1:{port}/
username_attribute = username
active_attribute = active
active_value = true
"""


class Tokens:
    """Says which access tokens hold, as Microsoft and Google do to their own servers. valid: token -> user; the others have expired."""

    def __init__(self) -> None:
        import threading
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        from urllib.parse import parse_qs

        self.valid: dict[str, str] = {}
        tokens = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
                user = tokens.valid.get(parse_qs(asked).get("token", [""])[0])
                body = json.dumps({"active": bool(user), "username": user or ""}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Stop it."""
        self._server.shutdown()
        self._server.server_close()


class Dovecot:
    """A running Dovecot. open: the port without TLS, on which STARTTLS is offered; implicit: the one with TLS; passwords: the one on which
    it tells other servers whether a password is right.

    tokens: who knows access tokens; then they are accepted besides passwords.
    """

    def __init__(self, authority: Authority, tokens: Tokens | None = None):
        self.folder = Path(tempfile.mkdtemp(prefix="kd-", dir="/tmp"))  # short: the system cuts the names of sockets
        self.owner = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        self.open, self.implicit, self.passwords = free_port(), free_port(), free_port()
        certificate, key = (shutil.copy(file, self.folder) for file in authority.certificate())
        import grp

        (self.folder / "users").mkdir()
        if tokens:
            (self.folder / "oauth2.conf").write_text(INTROSPECTION.format(port=tokens.port))
        (self.folder / "dovecot.conf").write_text(
            CONFIGURATION.format(
                folder=self.folder,
                user=self.owner.pw_name,
                group=grp.getgrgid(self.owner.pw_gid).gr_name,
                certificate=certificate,
                key=key,
                open=self.open,
                implicit=self.implicit,
                more=BY_TOKEN.format(folder=self.folder) if tokens else "",
                passwords=self.passwords,
            )  # fmt: skip
        )
        for place in (self.folder, *self.folder.iterdir()):
            self._give(place)
        who: dict[str, Any] = (
            {"user": self.owner.pw_uid, "group": self.owner.pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
        )
        command = [DOVECOT, "-F", "-c", str(self.folder / "dovecot.conf")]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, **who
        )
        wait_for(self.open, self.process, self.folder / "log")
        self._users = 0

    def stop(self) -> None:
        """Stop it and all that it started, by its process id."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:  # it takes its time over connections that were cut
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def mailbox(self, name: str = "", **settings: str) -> Mailbox:
        """A new user's mailbox. settings: of Dovecot, for this user, with `/` as `__` and `-` as it is."""
        self._users += 1
        name = name or f"user{self._users}"
        home = self.folder / name
        for place in (
            home,
            home / "rawlog",
            home / "Maildir",
            *(home / "Maildir" / part for part in ("new", "cur", "tmp")),
        ):
            place.mkdir()
            self._give(place)
        extra = " ".join(f"userdb_{key.replace('__', '/')}={value}" for key, value in settings.items())
        line = f"{name}:{{PLAIN}}{PASSWORD}:{self.owner.pw_uid}:{self.owner.pw_gid}::{home}::{extra}\n"
        (self.folder / "users" / name).write_text(line)  # of its own: Dovecot reads a file anew only in another second
        return Mailbox(self, name, home)

    def _give(self, place: Path) -> None:
        if os.getuid() == 0:
            os.chown(place, self.owner.pw_uid, self.owner.pw_gid)


class Mailbox(NamedTuple):
    """A user's mailbox in Dovecot."""

    dovecot: Dovecot
    user: str
    home: Path

    def deliver(self, *messages: bytes) -> None:
        """Put messages into the inbox as a mail server does."""
        for number, message in enumerate(messages):
            name = f"{time.time_ns()}.{number}.test"
            file = self.home / "Maildir" / "tmp" / name
            file.write_bytes(message)
            file.chmod(0o666)
            file.rename(self.home / "Maildir" / "new" / name)

    def messages(self, folder: str = "") -> list[bytes]:
        """What lies in a folder, none for the inbox, and is not marked as deleted; sorted."""
        place = self.home / "Maildir" / (f".{folder}" if folder else "")
        files = [file for part in ("new", "cur") for file in (place / part).glob("[!.]*")]
        return sorted(file.read_bytes() for file in files if "T" not in file.name.partition(":2,")[2])

    def server(self, tls: str = "implicit", **change: Any) -> Server:
        """As campaign.yaml has it."""
        port = self.dovecot.implicit if tls == "implicit" else self.dovecot.open
        return Server(
            **{"host": NAME, "port": port, "tls": tls, "username": self.user, "password_env": VARIABLE, **change}
        )

    def commands(self) -> list[str]:
        """Every command of all sessions, but for those before the login."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:  # a server writes its log when it comes to it
            found = [line for file in sorted((self.home / "rawlog").glob("*.in")) for line in _lines(file)]
            if found and found[-1].startswith("LOGOUT"):
                return found
            time.sleep(0.02)
        return found

    def client(self) -> Any:
        """Another mail program's connection."""
        from imapclient import IMAPClient

        client = IMAPClient(NAME, self.dovecot.open, ssl=False)
        client.login(self.user, PASSWORD)
        return client


def _lines(file: Path) -> list[str]:
    lines = file.read_text(errors="replace").splitlines()
    return [found[1] for line in lines if (found := re.match(r"[0-9.]+ [A-Z]+[0-9]+ (.*)", line))]


def wait_for(port: int, process: Any = None, log: Path | None = None) -> None:
    """Wait until somebody listens there."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            if process is not None and process.poll() is not None:
                break
            time.sleep(0.02)
    raise RuntimeError(log.read_text() if log and log.exists() else f"nobody listens on port {port}")


# --- SMTP ----------------------------------------------------------------------------------------------------------------


class Received(NamedTuple):
    """A mail that the SMTP server took."""

    sender: str
    to: tuple[str, ...]
    data: bytes


class Postbox:
    """An SMTP server with TLS and a login, in a thread. What it takes goes into `received`, and into the mailbox of who it is to.

    answers, data_answers: address -> what it says to RCPT, or to the text, instead of 250. sender_answer: to any MAIL FROM.
    tokens: access tokens that it accepts for `orders`; tags: mail to orders+anything goes where mail to orders goes.
    results: what it writes as Authentication-Results, "" for nothing, {} for the number of the mail. renames: it gives each mail a Message-ID of its own.
    """

    def __init__(self, authority: Authority, tls: str = "starttls", context: ssl.SSLContext | None = None):
        from aiosmtpd.controller import Controller

        self.received: list[Received] = []
        self.boxes: dict[str, Mailbox] = {}
        self.answers: dict[str, str] = {}
        self.data_answers: dict[str, str] = {}
        self.sender_answer = ""
        self.tokens: set[str] = set()
        self.tags, self.results, self.renames = False, "", False
        self.now = lambda: clock.now()  # what it writes into what it delivers
        self._peers: list[Any] = []
        self.tls = tls
        context = context or authority.context()
        form: dict[str, Any] = {"ssl_context": context} if tls == "implicit" else {}
        if tls == "starttls":
            form = {"tls_context": context, "require_starttls": True}
        self._controller = Controller(
            self, hostname="127.0.0.1", port=free_port(), authenticator=self._let_in, auth_required=True, data_size_limit=1 << 20,
            auth_require_tls=tls == "starttls", **form,
        )  # fmt: skip
        self._controller.start()
        self.port = self._controller.port

    def stop(self) -> None:
        """Stop it."""
        self._controller.stop()

    def server(self, **change: Any) -> Server:
        """As campaign.yaml has it."""
        return Server(
            **{
                "host": NAME,
                "port": self.port,
                "tls": self.tls,
                "username": "orders",
                "password_env": VARIABLE,
                **change,
            }
        )

    @property
    def connections(self) -> int:
        """How many there have been."""
        return len(self._peers)

    def box_of(self, address: str) -> Mailbox | None:
        """Whose mailbox is meant; with `tags` whatever stands behind a +."""
        return self.boxes.get(re.sub(r"\+[^@]*", "", address) if self.tags else address)

    def _let_in(self, server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
        from aiosmtpd.smtp import AuthResult

        return AuthResult(success=(data.login, data.password) == (b"orders", PASSWORD.encode()), handled=False)

    async def auth_XOAUTH2(self, server: Any, args: list[str]) -> Any:
        """A token in a line of its own; one that is refused is told why, and then the client has to say something."""
        from base64 import b64decode, b64encode

        from aiosmtpd.smtp import AuthResult

        server._reader._limit = 12_288  # as the standard has it for this one line
        await server.push("334 ")
        said = b64decode(await server._reader.readline()).decode().split("\x01")
        if said[0] == "user=orders" and said[1].removeprefix("auth=Bearer ") in self.tokens:
            return AuthResult(success=True, auth_data=b"orders")
        await server.push("334 " + b64encode(b'{"status":"401"}').decode())
        await server._reader.readline()
        return AuthResult(success=False, handled=False)

    async def handle_EHLO(
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        if session.peer not in self._peers:
            self._peers.append(session.peer)
        session.host_name = hostname
        return responses

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if self.sender_answer:
            return self.sender_answer
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        if address in self.answers:
            return self.answers[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        refusal = self.data_answers.get(envelope.rcpt_tos[0])
        if refusal:
            return refusal
        self.received.append(Received(envelope.mail_from, tuple(envelope.rcpt_tos), envelope.content))
        when = format_datetime(self.now())
        head = f"Authentication-Results: {self.results.format(len(self.received))}\r\n" if self.results else ""
        if self.renames:
            own = f"Message-ID: <{len(self.received)}@relay.example>".encode()
            envelope.content = re.sub(rb"(?im)^Message-ID:.*(?:\r\n[ \t].*)*?(?=\r\n)", own, envelope.content, count=1)
        for box in filter(None, map(self.box_of, envelope.rcpt_tos)):
            box.deliver(f"{head}Received: from there by mx.example.org; {when}\r\n".encode() + envelope.content)
        return "250 taken"


# --- between them --------------------------------------------------------------------------------------------------------


class Line(NamedTuple):
    """What a proxy does with a connection; see Proxy."""

    lost: int = 0
    unanswered: int = 0
    octets: int = 0


WHOLE = Line()  # nothing is lost


class Proxy:
    """Stands between the program and a server, and drops the connection at a place.

    It speaks TLS to the program and none to the server, so that it can count. lost: the Nth command does not arrive;
    unanswered: it is done, and its answer does not arrive; octets: the answers end after so many. 0: nothing of that.
    A mail's text is one command. `commands` holds what came, `said` counts the octets of the answers.
    """

    def __init__(self, port: int, context: ssl.SSLContext, cut: Line = WHOLE):
        import threading

        self.target, self.context, self.cut = port, context, cut
        self.commands: list[bytes] = []
        self.said = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop listening."""
        with socket.socket() as last:
            self._listening.close() if last.connect_ex(("127.0.0.1", self.port)) else None
        self._listening.close()

    def _serve(self) -> None:
        import threading

        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._one, args=(client,), daemon=True).start()

    def _one(self, raw: socket.socket) -> None:
        try:
            client = self.context.wrap_socket(raw, server_side=True)
        except OSError:
            raw.close()
            return
        server = socket.create_connection(("127.0.0.1", self.target))
        self._pump(client, server)
        for one in (client, server):
            one.close()

    def _pump(self, client: ssl.SSLSocket, server: socket.socket) -> None:
        """One thread for both ways: a command goes on only when all that the server had to say has come."""
        import select

        left, mute = b"", False
        while True:
            there = [client] if client.pending() else select.select([client, server], [], [], 30)[0]
            if not there:
                return
            try:
                if server in there:
                    answer = server.recv(1 << 16)
                    if not answer or mute:
                        return
                    if self.cut.octets and self.said + len(answer) >= self.cut.octets:
                        client.sendall(answer[: self.cut.octets - self.said])
                        self.said = self.cut.octets
                        return
                    self.said += len(answer)
                    client.sendall(answer)
                else:
                    asked = client.recv(1 << 16)
                    if not asked:
                        return
                    left += asked
                    commands, left = self._whole(left)
                    for command in commands:
                        self.commands.append(command)
                        if len(self.commands) == self.cut.lost:
                            return
                        mute = len(self.commands) == self.cut.unanswered
                        server.sendall(command)
            except OSError:
                return

    def _whole(self, data: bytes) -> tuple[list[bytes], bytes]:
        """(whole commands, the rest): a line each, but for a mail's text."""
        found = []
        while data:
            text = bool(self.commands + found) and (self.commands + found)[-1].upper().strip() == b"DATA"
            end = data.find(b"\r\n.\r\n") + 5 if text else data.find(b"\n") + 1
            if end in (0, 4):
                break
            found.append(data[:end])
            data = data[end:]
        return found, data


class Talker:
    """A server that is no server: it does with each connection what it is told to."""

    def __init__(self, act: Callable[[socket.socket], None]):
        import threading

        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.act = act
        self._open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def stop(self) -> None:
        """Hang up on everybody."""
        for one in (self._listening, *self._open):
            one.close()

    def _serve(self) -> None:
        import threading

        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(client)
            threading.Thread(target=self._one, args=(client,), daemon=True).start()

    def _one(self, client: socket.socket) -> None:
        with suppress(OSError):
            self.act(client)


# --- a campaign that plays by them ---------------------------------------------------------------------------------------

PLAYERS = {"ann": "aaaaa", "bob": "bbbbb", "cyn": "ccccc"}  # seat: token
ADDRESS = "orders@example.org"
CAMPAIGN = """\
name: A tally
game: tally
seed: public, this is a test
public_seed: true
gm: {{email: gm@example.org, token: ggggg}}
players: {{{players}}}
mail: {{address: {address}{servers}}}
"""


def campaign(folder: Path, imap: Server | None = None, smtp: Server | None = None, more: str = "") -> Path:
    """A campaign of the tiny game with turn 0 kept and nothing else done, whose mail goes by these servers.

    more: what else stands in campaign.yaml.
    """
    from kingdom.campaign import keeping, next_turn
    from kingdom.campaign.campaign import open_campaign, rules_today
    from tests.kit import tiny_game

    tiny_game.register()
    players = ", ".join(f"{seat}: {{email: {seat}@example.org, token: {token}}}" for seat, token in PLAYERS.items())
    for seat in PLAYERS:
        tiny_game.write(folder, f"kingdoms/{seat}.yaml", "coins: 5\n")
    servers = "".join(f", {name}: {_flow(server)}" for name, server in (("imap", imap), ("smtp", smtp)) if server)
    tiny_game.write(folder, "campaign.yaml", CAMPAIGN.format(players=players, address=ADDRESS, servers=servers) + more)
    opened = open_campaign(folder)
    keeping.keep(opened, [next_turn.opening_draft(opened, rules_today(opened))])
    return folder


def _flow(server: Server) -> str:
    """A server as campaign.yaml has it; JSON is YAML too."""
    keys = (
        "host",
        "port",
        "tls",
        "username",
        "password_env",
        "password_command",
        "auth",
        "folder",
        "processed",
        "refused",
    )
    usual = Server("")
    said = {key: getattr(server, key) for key in keys if key == "tls" or getattr(server, key) != getattr(usual, key)}
    return json.dumps(said, ensure_ascii=False)


def orders(seat: str, text: str = "take: 1", id: str = "", **headers: str) -> bytes:
    """A mail with orders for turn 1."""
    token = PLAYERS.get(seat, "")
    head = {
        "From": f"{seat}@example.org", "To": ADDRESS, "Subject": f"Orders {seat} 1 [{token}]",
        "Date": "Sat, 21 Nov 2026 12:00:00 +0000", "Message-ID": f"<{id or seat}@mail.example.org>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }  # fmt: skip
    return "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + b"\r\n" + text.encode() + b"\r\n"


def from_a_machine(number: int) -> bytes:
    """A mail that nobody wrote and nobody answers."""
    return orders("bot", f"I am away, number {number}.", f"away-{number}", Auto_Submitted="auto-replied")


# --- for the whole run ---------------------------------------------------------------------------------------------------


def authorities() -> Iterator[Authority]:
    """The authority of a test run."""
    folder = Path(tempfile.mkdtemp(prefix="kingdom-ca-"))
    yield Authority(folder)
    shutil.rmtree(folder)


def dovecots(authority: Authority) -> Iterator[Dovecot]:
    """The Dovecot of a test run."""
    server = Dovecot(authority)
    yield server
    server.stop()
