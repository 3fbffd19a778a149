"""Who a message is from, and whether that is proved. Pure."""

from __future__ import annotations

import re
from typing import NamedTuple

from kingdom.campaign.settings import Settings
from kingdom.engine.dice import GM
from kingdom.mail.records import Headers

SENDER, TOKEN, RESULTS = "sender", "token", "authentication_results"


class Sender(NamedTuple):
    """seat: whose message it is, `gm` for the GM's, "" for a stranger's. code: why that is not proved, "" where it is.

    listed: the address is on that seat's list.
    """

    seat: str
    code: str = ""
    listed: bool = False


def seats_of(address: str, settings: Settings) -> list[str]:
    """The seats, and `gm`, on whose list the address stands; the size of letters does not matter."""
    lists = {GM: settings.gm.email, **{seat: player.email for seat, player in settings.players.items()}}
    return [seat for seat, addresses in lists.items() if address and address in (one.lower() for one in addresses)]


def tokens(settings: Settings) -> dict[str, str]:
    """Seat, and `gm`, -> its token, for those that have one."""
    given = {**{seat: player.token for seat, player in settings.players.items()}, GM: settings.gm.token}
    return {seat: token for seat, token in given.items() if token}


def without_tokens(text: str, settings: Settings) -> str:
    """The text without any token of the campaign, and without what stands where one would: for the log, and for other eyes."""
    words = "|".join(re.escape(token) for token in tokens(settings).values()) or r"(?!)"
    return re.sub(rf"\[\s*[A-Za-z0-9]{{4,60}}\s*\]|(?<![A-Za-z0-9])(?:{words})(?![A-Za-z0-9])", "[...]", text)


def sender_of(headers: Headers, token: str, kingdom: str, settings: Settings) -> Sender:
    """Who sent this. token: the one that was found, "" for none. kingdom: the one that was named, "" for none.

    An address may serve several seats; then the token says whose, or else the kingdom that is named.
    """
    given = tokens(settings)
    needed = settings.mail.authenticate if settings.mail else (SENDER, TOKEN)
    mine = seats_of(headers.sender, settings)
    shown = next((seat for seat, one in given.items() if _same(one, token)), "")
    if shown and shown not in mine and SENDER in needed:
        return Sender(shown, "unlisted_address")
    candidates = [shown] if shown else [seat for seat in mine if seat == kingdom] or mine
    if not candidates:
        return Sender("", "stranger")
    seat, listed = candidates[0], candidates[0] in mine
    if len(candidates) > 1 and TOKEN not in needed:
        return Sender(seat, "which_seat", listed)
    if seat not in given:
        return Sender(seat, "seat_without_token", listed)
    if TOKEN in needed and seat != shown:
        return Sender(seat, "wrong_token" if token else "no_token", listed)
    if RESULTS in needed and not vouched(headers, settings.mail.authserv_id if settings.mail else ""):
        return Sender(seat, "not_vouched", listed)
    return Sender(seat, "", listed)


def _same(token: str, other: str) -> bool:
    from hmac import compare_digest

    return compare_digest(token.encode(), other.encode("utf-8", "replace"))


def vouched(headers: Headers, server: str) -> bool:
    """Whether the campaign's own receiving server says that the message is from the domain that From names.

    Only the topmost result of that server counts: what stands below it came with the message.
    """
    ours = next((result for result in headers.results if server and _server(result) == server.lower()), "")
    domain = headers.sender.rpartition("@")[2]
    return bool(domain) and any(_passes(part, domain) for part in _without_comments(ours).split(";")[1:])


def _server(result: str) -> str:
    words = _without_comments(result).partition(";")[0].split()
    return words[0].lower() if words else ""


def _without_comments(text: str) -> str:
    """The text without (comments), nested ones too, and without quoted strings, in which anything may stand."""
    text = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    while (shorter := re.sub(r"\([^()]*\)", " ", text)) != text:
        text = shorter
    return text


def _passes(result: str, domain: str) -> bool:
    """Whether one result, `dkim=pass header.d=example.org`, vouches for that domain."""
    words = [word.partition("=") for word in result.lower().split()]
    if not words:
        return False
    method, _, verdict = words[0]
    facts = {name: value.rpartition("@")[2] for name, _, value in words[1:]}
    if verdict != "pass":
        return False
    if method == "dmarc":
        return facts.get("header.from") == domain
    if method == "dkim":
        return _aligned(facts.get("header.d") or facts.get("header.i") or "", domain)
    return method == "spf" and _aligned(facts.get("smtp.mailfrom", ""), domain)


def _aligned(signer: str, domain: str) -> bool:
    """Whether the signing domain is that of the address, or one that it stands under (two labels at least)."""
    return signer == domain or ("." in signer and domain.endswith(f".{signer}"))
