#!/bin/sh
# msmtpd 1.8.23 (Debian 12) hangs up as soon as it has refused a mail, without a 421: the next mail of the same connection gets no answer.
# After a mail that it took the connection stays, but it knows no RSET (500), which RFC 5321 (4.5.1) asks of every server.
# Who sends several mails in one connection must be ready to call again after each refusal, and read an RSET's answer.
# Seen on 2026-11-28: 554 to DATA, then the connection is closed; after a mail that was taken RSET is answered with 500.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
apt-get -qq download msmtp-mta=1.8.23-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
cat >try.py <<'END'
import smtplib, socket, subprocess, sys, time

def tried(code):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = f"--command=/bin/sh -c 'cat >/dev/null; exit {code}' --"
    server = subprocess.Popen(["root/usr/bin/msmtpd", "--interface=127.0.0.1", f"--port={port}", command])
    try:
        for _ in range(100):
            try:
                connection = smtplib.SMTP("127.0.0.1", port)
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
        connection.ehlo("example.org")
        connection.mail("a@example.org")
        connection.rcpt("b@example.org")
        try:
            said = connection.data("Subject: x\r\n\r\nx\r\n")[0]
        except smtplib.SMTPResponseException as error:
            said = error.smtp_code
        try:
            return said, connection.rset()[0]
        except smtplib.SMTPServerDisconnected:
            return said, "closed"
    finally:
        server.kill()
        server.wait()

seen = {code: tried(code) for code in (0, 67)}
for code, (said, then) in seen.items():
    print(f"the pipe ends with {code}: DATA {said}, RSET {then}")
sys.exit(seen != {0: (250, 500), 67: (554, "closed")})
END
python3 try.py
