"""What a day's flood of forged mails costs one fetch: its CPU and its memory, each a whole process with a folder for a mailbox."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

from bench_measure import KINGDOM, Used, exponent, used_by

FEW, MANY = 1_000, 10_000
START, DAY = 1_800_000_000, 86_400  # seconds
OWN_ORDERS = "From: player@example.org\nSubject: Orders k0001 1 [aaaa1]\n\ntaxation: light\n"


def growth(bench: Any) -> float:
    """The growth exponent of the CPU, from a thousand mails to ten thousand."""
    return exponent(FEW, MANY, lambda mails: flood(bench, mails).cpu, 1)


def memory(bench: Any) -> float:
    """Peak of the resident memory, in GiB."""
    return flood(bench, MANY).memory / (1 << 30)


def flood(bench: Any, mails: int) -> Used:
    """Fetch that many forged mails of a player of a campaign of ten kingdoms, and the player's own, which must be filed."""
    folder = bench.folder / "forged"
    shutil.copytree(bench.campaign(10), folder)
    try:
        settings = folder / "campaign.yaml"
        text = settings.read_text().replace(
            "{name: Player k0001}", "{name: Player k0001, email: player@example.org, token: aaaa1}"
        )
        settings.write_text(text + "mail: {address: orders@example.org}\n")
        deliver(folder / "mail/inbox", mails)
        used = used_by([KINGDOM, "mail", "fetch", str(folder)])
        assert "taxation: light" in (folder / "orders/0001/k0001.yaml").read_text()
        return used
    finally:
        shutil.rmtree(folder)


def deliver(inbox: Path, mails: int) -> None:
    """Put the mails there, questions and orders by turns, spread over a day; the player's own comes last."""
    inbox.mkdir(parents=True)
    for number in range(mails):
        text = "taxation: heavy" if number % 2 else "May I take it all?"
        file = inbox / f"{number}.eml"
        file.write_text(f"From: player@example.org\nSubject: Orders k0001 1 [zzzz{number}]\n\n{text}\n")
        os.utime(file, (START + DAY * number // mails,) * 2)
    (inbox / "z.eml").write_text(OWN_ORDERS)
