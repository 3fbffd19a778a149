"""A turn as who took a seat over reads it: what the player before asked the GM in words is not shown."""

from __future__ import annotations

from collections.abc import Sequence

from kingdom.engine.step import Notice
from kingdom.games.realm.state import Request, replace, with_kingdoms
from kingdom.games.realm.types import Result

_UNSAID = "(a request of the player before you)"


def unsaid(result: Result, seat: str, first: int) -> Result:
    """The result without the words of requests that another player of the seat made. first: the first turn of who plays it now."""
    kingdom = result.before.kingdoms.get(seat)
    older = [request for request in kingdom.requests if request.turn < first] if kingdom else []
    if not older:
        return result
    requests = [
        replace(request, text=_UNSAID) if request in older else request
        for request in result.after.kingdoms[seat].requests
    ]
    now = replace(result.after.kingdoms[seat], requests=tuple(requests))
    notices = [_unsaid(notice, older) if notice.seat == seat else notice for notice in result.notices]
    return result._replace(after=with_kingdoms(result.after, {seat: now}), notices=notices)


def _unsaid(notice: Notice, older: Sequence[Request]) -> Notice:
    """An answer to such a request, or the news that it is closed, without its words."""
    facts = notice.facts
    if notice.kind == "tell" and facts.get("answers") in [request.text for request in older]:
        return notice._replace(facts={**facts, "answers": _UNSAID})
    if notice.kind == "news":  # that it was closed, which quotes it
        for request in older:
            quoted = f'(ruling requests): "{" ".join(request.text.split())}"'
            if quoted in facts["text"]:
                return notice._replace(
                    facts={**facts, "text": facts["text"].replace(quoted, f"(ruling requests) {_UNSAID}.")}
                )
    return notice
