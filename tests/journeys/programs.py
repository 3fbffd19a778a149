"""Mail programs: mutt and s-nail themselves, and what Gmail, Outlook and an iPhone send, as tests/mail/corpus has it."""

from __future__ import annotations

import os
import pty
import select
import smtplib
import ssl
import subprocess
import time
from email.utils import format_datetime, make_msgid
from html import escape
from urllib.parse import quote, urlencode

from tests.journeys.world import Person, Written, is_renamed
from tests.kit.mailservers import PASSWORD

SIGNATURE = "Greetings from {name}\nOrder your tea at +44 20 7946 0404\n"


# --- mutt

EDITOR = 'cat "$HOME/text" "$1" >"$1.new" && mv "$1.new" "$1"\n'


def mutt(person: Person, written: Written) -> None:
    """With mutt, in a terminal where something is answered."""
    _mutt(person, written, "mutt")


def neomutt(person: Person, written: Written) -> None:
    """With neomutt, which reads the same settings."""
    _mutt(person, written, "neomutt")


def _mutt(person: Person, written: Written, name: str) -> None:
    _mutt_settings(person)
    (person.home / "text").write_text(written.text + "\n")
    if written.link:  # the program reads it: it fills in subject and text, and only has to be told to send
        words = [name, "-n", "-F", "muttrc", "-e", "set editor=true", written.link]
        asked = [("To: ", "\r")] if name == "mutt" else []
        _in_a_terminal(person, words, *asked, ("Security: ", "y"))
        return
    if written.answers is None and name == "neomutt":  # which refuses an empty file
        _run(person, [name, "-n", "-F", "muttrc", "-s", written.subject, "--", written.to], f"{written.text}\n")
        return
    if written.answers is None:
        words = [name, "-n", "-F", "muttrc", "-s", written.subject, "-i", "text", "--", written.to]
        _run(person, words)
        return
    id = str(written.answers.mail["Message-ID"]).strip("<>").partition("@")[0]
    again = f"<edit-subject>\\Cu{written.subject}<enter>" if is_renamed(written) else ""
    keys = f"push '<search>~i {id}<enter><reply>{again}<send-message><quit>'"
    _in_a_terminal(person, [name, "-n", "-F", "muttrc", "-f", str(person.box.home / "Maildir"), "-e", keys])


def _mutt_settings(person: Person) -> None:
    authority = str(person.world.authority.file)
    settings = {
        "from": person.address, "realname": person.full, "use_from": "yes", "copy": "no", "record": "", "move": "no",
        "smtp_url": f"smtp://{person.box.user}@localhost:{person.world.post.port}/", "smtp_pass": PASSWORD,
        "ssl_starttls": "yes", "ssl_force_tls": "yes", "ssl_ca_certificates_file": authority, "certificate_file": authority,
        "signature": str(person.home / "signature"), "editor": f"sh {person.home}/editor", "include": "yes",
        "fast_reply": "yes", "autoedit": "yes", "abort_unmodified": "no", "quit": "yes", "delete": "yes", "wait_key": "no",
        "header_cache": "", "tmpdir": str(person.home),
    }  # fmt: skip
    (person.home / "signature").write_text(SIGNATURE.format(name=person.full))
    (person.home / "editor").write_text(EDITOR)
    (person.home / "muttrc").write_text("".join(f'set {name}="{value}"\n' for name, value in settings.items()))


# --- s-nail


def s_nail(person: Person, written: Written) -> None:
    """With s-nail, from the command line; a reply quotes the whole mail below what was written."""
    settings = [
        "-Sv15-compat", f"-Smta=smtp://{person.box.user}:{PASSWORD}@localhost:{person.world.post.port}",
        "-Ssmtp-use-starttls", "-Ssmtp-auth=plain", "-Stls-verify=strict", f"-Stls-ca-file={person.world.authority.file}",
        f"-Sfrom={person.full} <{person.address}>", "-Sttycharset=utf-8", "-Ssendwait", "-Smessage-inject-tail=\\n-- \\nTea: 0404",
        "-Sindentprefix=> ", "-Squote-chars=>",
    ]  # fmt: skip
    if written.answers is None:
        _run(person, ["s-nail", "-:/", *settings, "-s", written.subject, written.to], f"{written.text}\n")
        return
    box = person.home / "box"
    box.write_bytes(b"From somebody Thu Jan  1 00:00:00 2026\n" + written.answers.mail.as_bytes() + b"\n")
    again = f"~s {written.subject}\n" if is_renamed(written) else ""
    typed = f"reply 1\n{again}{written.text}\n\n~m 1\n~.\nxit\n"
    _run(person, ["s-nail", "-:/", "-#", "-~", *settings, "-R", "-f", str(box)], typed)


# --- nmh


def nmh(person: Person, written: Written) -> None:
    """With nmh, from the command line; a reply quotes the mail as it stands in its file. It knows no links."""
    mail, tools = person.home / "Mail", "/usr/bin/mh"
    (mail / "inbox").mkdir(parents=True, exist_ok=True)
    (person.home / ".mh_profile").write_text("Path: Mail\n")
    draft = person.home / "draft"
    head = f"From: {person.full} <{person.address}>\nTo: {written.to}\nSubject: {written.subject}\n"
    if written.answers is None:
        draft.write_text(f"{head}\n{written.text}\n")
    else:
        (mail / "inbox" / "1").write_bytes(written.answers.mail.as_bytes())
        _run(person, [f"{tools}/repl", "+inbox", "1", "-build", "-format", "-nocc", "all"])
        made, _, quoted = (mail / "reply").read_text().partition("\n--------\n")
        kept = [
            line for line in made.splitlines() if line.startswith(("In-Reply-To:", "References:", "Comments:", " "))
        ]
        draft.write_text(head + "\n".join([*kept, "", written.text, "", quoted]))
    (person.home / ".netrc").write_text(f"machine localhost login {person.box.user} password {PASSWORD}\n")
    (person.home / ".netrc").chmod(0o600)
    _run(person, [
        f"{tools}/send", "-mts", "smtp", "-server", "localhost", "-port", str(person.world.post.port), "-tls", "-sasl", "-saslmech", "plain",
        "-user", person.box.user, str(draft),
    ])  # fmt: skip


# --- mblaze


def mblaze(person: Person, written: Written) -> None:
    """With mblaze, which sends by msmtp; a reply quotes the whole mail. It knows no links."""
    _by_msmtp(person)
    (person.home / ".mblaze").mkdir(exist_ok=True)
    (person.home / ".mblaze" / "profile").write_text(
        f"Local-Mailbox: {person.full} <{person.address}>\nSendmail: msmtp\nSendmail-Args: -t\n"
    )
    (person.home / "text").write_text(written.text + "\n")
    if written.answers is None:
        _run(person, ["mcom", "-send", "-body", "text", "-to", written.to, "-subject", written.subject])
        return
    file = person.home / "answered"
    file.write_bytes(written.answers.mail.as_bytes())
    (person.home / "edit").write_text('#!/bin/sh\nsed "/^$/r $HOME/text" "$1" >"$1.new" && mv "$1.new" "$1"\n')
    (person.home / "edit").chmod(0o755)
    (person.home / ".mblaze" / "seq").write_text(f"{file}\n")
    _run(person, ["env", f"EDITOR={person.home}/edit", f"VISUAL={person.home}/edit", "mrep", "1"], "send\n")


def _by_msmtp(person: Person) -> None:
    file = person.home / ".msmtprc"
    file.write_text(
        f"account default\nhost localhost\nport {person.world.post.port}\nfrom {person.address}\nauth plain\nuser {person.box.user}\n"
        f"password {PASSWORD}\ntls on\ntls_starttls on\ntls_trust_file {person.world.authority.file}\n"
    )
    file.chmod(0o600)


# --- alpine


def alpine(person: Person, written: Written) -> None:
    """With alpine, in a terminal, which sends by msmtp."""
    _by_msmtp(person)
    settings = {
        "personal-name": person.full, "user-domain": "example.org", "sendmail-path": "/usr/bin/msmtp -t", "default-fcc": '""',
        "inbox-path": str(person.home / "inbox"), "customized-hdrs": f"From: {person.full} <{person.address}>", "last-version-used": "99.99",
    }  # fmt: skip
    (person.home / "pinerc").write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
    words, send = ["alpine", "-p", str(person.home / "pinerc")], [("Send", "\x18"), ("Send message", "y")]
    if written.link:
        _in_a_terminal(person, [*words, "-url", written.link], *send)
        return
    box = person.home / "inbox"
    box.write_bytes(b"")
    text = written.text.replace("\n", "\r")
    if written.answers is None:
        link = f"mailto:{written.to}?{urlencode({'subject': written.subject, 'body': written.text}, quote_via=quote)}"
        _in_a_terminal(person, [*words, "-url", link], *send)
        return
    box.write_bytes(b"From fords@example.org Thu Mar  4 00:00:00 2027\n" + written.answers.mail.as_bytes() + b"\n")
    typed = [
        ("Reply", "r"),
        ("nclude original message", "y"),
        ("to all recipients", "n"),
        ("Message Text", f"{text}\x18"),
        send[1],
        ("MESSAGE INDEX", "q"),
        ("Really quit", "y"),
    ]
    _in_a_terminal(person, [*words, "-i"], *typed)


# --- what others send


def gmail(person: Person, written: Written) -> None:
    """As Gmail in a browser sends it: text and HTML, the quote folded away in the HTML."""
    said, text, quoted = _attribution(person, written)
    plain = f"{written.text}\n" + (f"\n{said}\n\n{text}" if text else "")
    body = escape(written.text).replace("\n", "<br>")
    fold = f'<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(said)}<br></div><blockquote class="gmail_quote">{quoted}</blockquote></div>'
    _send(person, written, plain, f'<div dir="ltr">{body}</div>' + (fold if text else ""))


def outlook(person: Person, written: Written) -> None:
    """As Outlook sends it: the quote below a block of headers, without marks."""
    head = "\n".join(_outlook_head(written))
    quoted = written.answers.text if written.answers else ""
    plain = f"{written.text}\n" + (f"\n{head}\n\n{quoted}" if written.answers else "")
    lines = "".join(f'<p class="MsoNormal">{escape(line) or "<o:p>&nbsp;</o:p>"}</p>' for line in plain.splitlines())
    _send(person, written, plain, f'<html><body lang="EN-GB"><div class="WordSection1">{lines}</div></body></html>')


def iphone(person: Person, written: Written) -> None:
    """As an iPhone sends it: the first letter of each line grown, a signature of its own, the quote behind a line about it."""
    text = "\n".join(line[:1].upper() + line[1:] for line in written.text.splitlines())
    said, marked, quoted = _attribution(person, written)
    plain = f"{text}\n\nSent from my iPhone\n" + (f"\n> {said}\n> \n{marked}" if marked else "")
    page = f'<html><body dir="auto">{escape(text)}<br><br><div>Sent from my iPhone</div><blockquote type="cite">{quoted}</blockquote></body></html>'
    _send(person, written, plain, page.replace("\n", "<br>"))


def _attribution(person: Person, written: Written) -> tuple[str, str, str]:
    """(the line above a quote, the quote with its marks, the quote as HTML)"""
    if written.answers is None:
        return "", "", ""
    mail = written.answers
    when = mail.mail["Date"].datetime
    said = f"On {when:%a, %b %d, %Y at %I:%M %p} {mail.sender} wrote:"
    return said, "".join(f"> {line}\n" for line in mail.text.splitlines()), escape(mail.text).replace("\n", "<br>")


def _outlook_head(written: Written) -> list[str]:
    if written.answers is None:
        return []
    mail = written.answers.mail
    sent = mail["Date"].datetime
    return [
        "-----Original Message-----", f"From: {mail['From']}", f"Sent: {sent:%A, %B %d, %Y %I:%M %p}", f"To: {mail['To']}",
        f"Subject: {mail['Subject']}",
    ]  # fmt: skip


def _send(person: Person, written: Written, plain: str, page: str) -> None:
    from email.message import EmailMessage

    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = f"{person.full} <{person.address}>", written.to, written.subject
    mail["Date"] = format_datetime(person.world.clock.now)
    mail["Message-ID"] = make_msgid(domain=f"{person.program.__name__}.example")
    if written.answers is not None:
        answered = written.answers.mail
        mail["In-Reply-To"] = answered["Message-ID"]
        mail["References"] = f"{answered['References'] or ''} {answered['Message-ID']}".strip()
    mail.set_content(plain)
    mail.add_alternative(page, subtype="html")
    context = ssl.create_default_context(cafile=str(person.world.authority.file))
    with smtplib.SMTP("localhost", person.world.post.port) as connection:
        connection.starttls(context=context)
        connection.login(person.box.user, PASSWORD)
        connection.send_message(mail, person.address, [written.to])


# --- running them


def _run(person: Person, words: list[str], text: str = "") -> None:
    done = subprocess.run(
        words, input=text.encode(), env=person.environment, cwd=person.home, capture_output=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _in_a_terminal(person: Person, words: list[str], *typed: tuple[str, str]) -> None:
    """Run a program that draws on a terminal, until it ends. typed: what it shows, and the keys that are pressed then."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        words,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=person.environment,
        cwd=person.home,
        start_new_session=True,
    )
    os.close(theirs)
    drawn, end, typing, seen = b"", time.monotonic() + 60, list(typed), 0
    while process.poll() is None and time.monotonic() < end:
        if select.select([ours], [], [], 0.05)[0]:
            try:
                drawn += os.read(ours, 65536)
            except OSError:
                break
        if typing and typing[0][0].encode() in drawn[seen:]:
            seen = len(drawn)
            os.write(ours, typing.pop(0)[1].encode())
    if process.poll() is None:
        try:
            process.wait(max(end - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            process.kill()
    os.close(ours)
    assert process.wait() == 0, drawn.decode(errors="replace")[-2000:]
