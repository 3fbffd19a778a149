"""Real mail programs write orders and send them to the SMTP server; what arrives in Dovecot is read by the program."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kingdom.campaign import clock
from tests.kit.mailservers import ADDRESS, PASSWORD, PLAYERS, VARIABLE, Authority, Dovecot, Postbox, campaign
from tests.mail.test_servers import NOW, fates, fetched

pytestmark = [
    pytest.mark.package("openssl", "openssl"),
    pytest.mark.package("dovecot-imapd", "dovecot"),
    pytest.mark.filterwarnings("ignore:Requiring AUTH"),
]
SUBJECT = f"Orders ann 1 [{PLAYERS['ann']}]"


class Writer:
    """Ann, with a mail program of hers: what it needs to know of the server, and where its own files lie."""

    def __init__(self, folder: Path, post: Postbox, authority: Authority):
        self.folder, self.port, self.authority = folder, post.port, authority
        folder.mkdir()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "DEAD": str(folder / "dead"),
            "LANG": "C.UTF-8",
        }

    def run(self, *words: str, text: str = "") -> None:
        """Run the program; it must succeed."""
        done = subprocess.run(
            words, input=text.encode(), env=self.environment, cwd=self.folder, capture_output=True, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr


def mutt(writer: Writer, text: str, file: Path | None) -> None:
    settings = {
        "from": "ann@example.org", "realname": "Ann Årsjö", "use_from": "yes", "copy": "no", "ssl_starttls": "yes", "ssl_force_tls": "yes",
        "smtp_url": f"smtp://orders@localhost:{writer.port}/", "smtp_pass": PASSWORD, "ssl_ca_certificates_file": str(writer.authority.file),
        "certificate_file": str(writer.authority.file), "signature": str(writer.folder / "signature"), "record": "",
    }  # fmt: skip
    (writer.folder / "signature").write_text("Ann Årsjö\nSent with love: and mutt\n")
    (writer.folder / "muttrc").write_text("".join(f'set {name}="{value}"\n' for name, value in settings.items()))
    (writer.folder / "body").write_text(text)
    attached = ["-a", str(file), "--"] if file else ["--"]
    writer.run("mutt", "-n", "-F", "muttrc", "-s", SUBJECT, "-i", "body", *attached, ADDRESS)


def s_nail(writer: Writer, text: str, file: Path | None) -> None:
    settings = [
        "-Sv15-compat", f"-Smta=smtp://orders:{PASSWORD}@localhost:{writer.port}", "-Ssmtp-use-starttls", "-Ssmtp-auth=plain",
        "-Stls-verify=strict", f"-Stls-ca-file={writer.authority.file}", "-Sfrom=ann@example.org", "-Sttycharset=utf-8",
        "-Ssendwait", "-Smessage-inject-tail=\\n-- \\nAnn",
    ]  # fmt: skip
    writer.run("s-nail", "-:/", *settings, "-s", SUBJECT, *(["-a", str(file)] if file else []), ADDRESS, text=text)


CLIENTS = [
    pytest.param(mutt, marks=pytest.mark.package("mutt", "mutt"), id="mutt"),
    pytest.param(s_nail, marks=pytest.mark.package("s-nail", "s-nail"), id="s-nail"),
]


@pytest.fixture
def way(dovecot: Dovecot, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """(the writer, the campaign): what she sends comes into the campaign's mailbox."""
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    monkeypatch.setenv(VARIABLE, PASSWORD)
    monkeypatch.setattr(clock, "now", lambda: NOW)
    post, box = Postbox(authority), dovecot.mailbox()
    post.boxes = {ADDRESS: box}
    yield Writer(tmp_path / "home", post, authority), campaign(tmp_path / "game", box.server())
    post.stop()


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("how", ["in the mail", "as a file"])
def test_a_mail_program_sends_orders(client: Callable[..., None], how: str, way: Any, tmp_path: Path, capsys) -> None:
    writer, folder = way
    if how == "in the mail":
        client(writer, "take: 2\n", None)
    else:
        file = tmp_path / "orders.yaml"
        file.write_text("kingdom: ann\nturn: 1\ntake: 2\n")
        client(writer, "See the file, dear GM. Ünter the hedge it is.\n", file)
    assert fates(fetched(folder, capsys)) == [("ann", "accepted")]
    assert (folder / "orders" / "0001" / "ann.yaml").read_text().endswith("take: 2\n")
