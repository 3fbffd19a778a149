"""What mail costs: the week of the README's example, a mail that is read and answered, a day's flood of forged ones."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from bench_campaign import Workbench, play, put
from bench_campaign import campaign as files_of
from bench_measure import KINGDOM, ROOT, Used, cpu_of, exponent, figure, ratio, used_by

GREENMARCH = ROOT / "campaigns" / "greenmarch"  # its turn 12 is due, five mails lie in its inbox
KINGDOMS = 6  # of a campaign with mail
IDLE, DUE = "2100-01-01T18:00", "2026-01-02T18:00"  # deadlines of turn 1
EACH = 10  # mails of a seat; its first costs more
FEW, MANY = 1_000, 10_000  # forged mails
START, DAY = 1_800_000_000, 86_400  # seconds
OWN_ORDERS = "From: player@example.org\nSubject: Orders k0001 1 [aaaa1]\n\ntaxation: light\n"

# --- the week of the README's example ------------------------------------------------------------------------------------


def _week(bench: Workbench, word: str, cold: bool = True) -> float:
    """CPU of turn 12 of the example, by itself or in a run with its mails and advice to its players, which must be made if it is cold."""
    with bench.copy(GREENMARCH) as folder:
        if cold:
            bench.forget_advice()
        used = cpu_of([KINGDOM, word, str(folder)])
        assert (folder / "turns" / "0012").is_dir(), "turn 12 is due"
    return used


@figure("run-cold", "the README's week: `kingdom run` with five mails, a due turn, advice made for four players ÷ `kingdom turn` of it, CPU", 3.3, 2.6)  # fmt: skip
def _cold(bench: Workbench) -> float:
    return ratio(lambda: _week(bench, "run"), lambda: _week(bench, "turn"), 9)


@figure("run-warm", "the same run where the cache has their advice", 3, 2.4)
def _warm(bench: Workbench) -> float:
    return ratio(lambda: _week(bench, "run", cold=False), lambda: _week(bench, "turn", cold=False), 9)


@figure("report-mail", "the largest of its mails with a report, KB", 350, 280)
def _report_mail(bench: Workbench) -> float:
    with bench.copy(GREENMARCH) as folder:
        cpu_of([KINGDOM, "run", str(folder)])
        reports = [*(folder / "mail" / "outbox").glob("report-0012-*")]
        assert len(reports) == 5, reports  # of four players and the GM
        return max(mail.stat().st_size for mail in reports) / 1000


# --- a mail --------------------------------------------------------------------------------------------------------------


def mailed(folder: Path, number: int, deadline: str) -> Path:
    """Make a campaign that differs from others in its dice and its names, with turn 0 kept. Its orders of turn 1 lie in mails."""
    files = {}
    for name, data in files_of(KINGDOMS).items():
        if name.startswith("orders/"):
            seat = Path(name).stem
            name, data = f"mail/inbox/{seat}.eml", _head(seat, f"aaaa{seat}", f"{number}-{seat}") + data
        files[name] = data.replace(b"Town ", f"Town{number} ".encode())
    text = files["campaign.yaml"].decode()
    text = text.replace("seed: measured", f"seed: measured, {number}, 5c0e7d1f9a3b48c2e6d07f5b19a4c83e")
    for seat in map("k{:04}".format, range(KINGDOMS)):
        player = f"{{name: P{number}, email: {seat}@example.org, token: aaaa{seat}}}"
        text = text.replace(f"{{name: Player {seat}}}", player)
    text += f"calendar: {{deadline: {deadline}, zone: UTC, every: 7d}}\nmail: {{address: orders@example.org}}\n"
    put(folder, {**files, "campaign.yaml": text.encode()})
    play(folder)
    return folder


def idle_one(bench: Workbench) -> Path:
    """A campaign in which all is done, its mails too: it was run."""
    one = bench.folder / "idle-one"
    if not one.exists():
        mailed(one, 0, IDLE)
        for _ in range(2):
            cpu_of([KINGDOM, "run", str(one)])
    return one


def alike(one: Path, folder: Path) -> Path:
    """A campaign like another that has run, with a seed and a key of mail of its own: a mere copy would be held back."""
    shutil.copytree(one, folder, ignore=shutil.ignore_patterns("place"))
    settings = folder / "campaign.yaml"
    settings.write_text(settings.read_text().replace("seed: measured", f"seed: measured, {folder}"))
    (folder / "mail" / "key").write_text(sha256(bytes(folder)).hexdigest())
    return folder


def _head(seat: str, token: str, name: str) -> bytes:
    """The head of a mail with orders, and the empty line below it."""
    return (
        f"From: {seat}@example.org\nSubject: Orders {seat} 1 [{token}]\nMessage-ID: <{name}@example.org>\n\n".encode()
    )


def mails_cost(folder: Path, seats: int, token: Callable[[int, str], str], campaigns: int = 1) -> float:
    """CPU that a mail costs beyond an idle run, of EACH of that many seats of that many campaigns. token: of a campaign's seat."""
    inbox = folder / "mail" / "inbox"
    idle = cpu_of([KINGDOM, "run", str(folder)])
    inbox.mkdir(parents=True, exist_ok=True)
    count = 0
    for campaign in range(campaigns):
        for seat in map("k{:04}".format, range(seats)):
            for at in range(EACH):
                text = f"taxation: {('light', 'normal', 'heavy')[at % 3]}\n".encode()
                head = _head(seat, token(campaign, seat), f"{campaign}-{seat}-{at}")
                (inbox / f"bench{count:05}.eml").write_bytes(head + text)
                count += 1
    used = cpu_of([KINGDOM, "run", str(folder)])
    assert not (inbox / "bench00000.eml").exists()
    return (used - idle) / count


def alone_cost(bench: Workbench) -> float:
    """CPU of a mail to a campaign alone."""
    folder = alike(idle_one(bench), bench.folder / "alone")
    cpu_of([KINGDOM, "run", str(folder)])
    cost = mails_cost(folder, KINGDOMS, lambda _, seat: f"aaaa{seat}")
    shutil.rmtree(folder)
    return cost


@figure("mail", "a mail with orders read, checked, filed and answered, of sixty in a run, CPU ÷ pass", 0.8, 0.6)
def _mail(bench: Workbench) -> float:
    return ratio(lambda: alone_cost(bench), rounds=5)


# --- forged mails --------------------------------------------------------------------------------------------------------


@figure("growth-forged", "growth exponent of `kingdom mail fetch`, 1,000 to 10,000 forged mails", 1.05, 1)
def _growth_forged(bench: Workbench) -> float:
    return exponent(FEW, MANY, lambda mails: _flood(bench, mails).cpu, 1)


@figure("memory-forged", "peak memory of it, GiB", 0.29, 0.1)
def _memory_forged(bench: Workbench) -> float:
    return _flood(bench, MANY).memory / (1 << 30)


def _flood(bench: Workbench, mails: int) -> Used:
    """Fetch that many forged mails of a player of a campaign of ten kingdoms, and the player's own, which must be filed.

    They are questions and orders by turns, spread over a day; the player's own comes last.
    """
    with bench.copy(bench.campaign(10)) as folder:
        settings = folder / "campaign.yaml"
        text = settings.read_text().replace(
            "{name: Player k0001}", "{name: Player k0001, email: player@example.org, token: aaaa1}"
        )
        settings.write_text(text + "mail: {address: orders@example.org}\n")
        inbox = folder / "mail" / "inbox"
        inbox.mkdir(parents=True)
        for number in range(mails):
            asked, file = "taxation: heavy" if number % 2 else "May I take it all?", inbox / f"{number}.eml"
            file.write_text(f"From: player@example.org\nSubject: Orders k0001 1 [zzzz{number}]\n\n{asked}\n")
            os.utime(file, (START + DAY * number // mails,) * 2)
        (inbox / "z.eml").write_text(OWN_ORDERS)
        used = used_by([KINGDOM, "mail", "fetch", str(folder)])
        assert "taxation: light" in (folder / "orders" / "0001" / "k0001.yaml").read_text()
    return used
