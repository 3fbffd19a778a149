#!/bin/sh
# getmail6 6.19.8 (PyPI) puts a `Received` line of its own above those of the mail servers, dated with the moment of fetching, and without
# the day of the week. A program that takes the topmost Received for the server's, as is usual, finds every mail as late as it was fetched.
# fetchmail 6.4.37 and mpop 1.4.18 (Debian 12) do the same with other words. The line can be left out: `received = false`.
# Seen on 2026-11-28: "Received: from 127.0.0.1 (127.0.0.1:PORT) by HOST with POP3 getmail6 msgid:u1; DATE", DATE that of the run.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv env
env/bin/pip -q install getmail6==6.19.8
cat >try.py <<'END'
import email, pathlib, socketserver, subprocess, sys, threading
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

MAIL = b"Received: by mx.example.org with ESMTP; Fri, 04 Dec 2020 17:00:00 +0000\r\nFrom: ada@example.org\r\nSubject: x\r\n\r\nx\r\n"

class Pop(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(b"+OK\r\n")
        for line in self.rfile:
            word = line.split()[0].upper()
            size = b"%d" % len(MAIL)
            self.wfile.write({
                b"STAT": b"+OK 1 " + size + b"\r\n", b"LIST": b"+OK\r\n1 " + size + b"\r\n.\r\n", b"UIDL": b"+OK\r\n1 u1\r\n.\r\n",
                b"RETR": b"+OK\r\n" + MAIL + b".\r\n", b"CAPA": b"-ERR\r\n",
            }.get(word, b"+OK\r\n"))
            if word == b"QUIT":
                return

server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Pop)
threading.Thread(target=server.serve_forever, daemon=True).start()
pathlib.Path("rc").write_text(f"""[retriever]
type = SimplePOP3Retriever
server = 127.0.0.1
port = {server.server_address[1]}
username = a
password = b
[destination]
type = MDA_external
path = /bin/sh
arguments = ("-c", "cat >{pathlib.Path.cwd()}/got")
allow_root_commands = true
[options]
delete = false
verbose = 0
""")
subprocess.run([f"{sys.prefix}/bin/getmail", "--getmaildir", ".", "--rcfile", f"{pathlib.Path.cwd()}/rc"], check=True)
top, below = email.message_from_bytes(pathlib.Path("got").read_bytes()).get_all("Received")
print("topmost:", " ".join(top.split()))
print("below:", " ".join(below.split()))
age = abs((datetime.now(timezone.utc) - parsedate_to_datetime(top.rpartition(";")[2].strip()).replace(tzinfo=timezone.utc)).total_seconds())
sys.exit(not ("with POP3 getmail6" in " ".join(top.split()) and age < 60 and below.endswith("2020 17:00:00 +0000")))
END
env/bin/python try.py
