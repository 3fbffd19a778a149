"""Tells the subject of a mail of ours from what the writer of a reply put beside it. Pure.

Programs put `Re:` and the like before a subject, in many languages, fold it, and cut it; the figures of a report may have changed since.
"""

from __future__ import annotations

import re

from kingdom.engine.regex import regex

# so all campaigns once wrote, and `subject: plain` does
_PLAIN = regex(r"(?:corrected )?report of turn \d{1,6}\b", re.IGNORECASE)
_TURN = regex(r"\d{1,6}(?:, corrected)?: ", re.IGNORECASE)  # before the figures of a report
_DANGER = regex(r"[^\W\d]+(?: [^\W\d]+){0,4} \d{1,3} ?%")  # the last figure, which may be of another danger now
_FIGURE_ENDS = regex(r" ?,\s*| ?$|(?= ?[-–—(\[/|;:!?])")
_CUT = regex(r" ?(?:…|\.{3,}|\[(?:…|\.{3})\])")
_LEAST_KEPT = 4  # letters and digits of a subject that a program cut
# a mark of a reply in whatever language, before the campaign's name
_MARK = regex(r"\s*[^\W\d_][^\s:：\[\]]{0,15}(?: ?[(\[]\d{1,3}[)\]])? ?[:：]\s*(?=\[)")
_WAS = regex(r"[\s(\[]*\b(?:(?:was|war|re|aw|fwd?) ?: *)+$", re.IGNORECASE)  # before the old subject of a thread
_BEGINS = regex(r"^|[-–—:;(|]\s*")  # where our subject may begin
_ASIDE = " -–—:;,.|/()"


def as_reply(subject: str, bracket: str) -> str:
    """The subject of a mail that answers ours, with `Re:` in place of a mark that we do not know, or that was left out; words before it stay.

    bracket: the campaign's name as it stands in our subjects, `[The Greenmarch]`.
    """
    mark = _MARK.match(subject)
    before, name, behind = subject[mark.end() if mark else 0 :].lstrip().partition(bracket)
    return f"Re: {before}{name}{behind}" if name and (not before or _WAS.search(before)) else subject


def turn_of(subject: str) -> int | None:
    """The turn of the report's mail whose subject stands in this one; None for any other."""
    found = _PLAIN.search(subject) or _TURN.match(subject)
    return int(re.findall(r"\d+", found[0])[0]) if found else None


def beside(subject: str, ours: str) -> str | None:
    """The words that a reply's subject has beside that of our mail; "" for none, None where it has nothing of ours.

    subject, ours: without reply marks and what stands in brackets; ours is "" where our mail is gone.
    """
    for begins in _BEGINS.finditer(subject):
        behind = _behind(subject[begins.end() :], ours)
        if behind is not None:
            before = _WAS.sub("", subject[: begins.end()])
            return " ".join(filter(None, (before.strip(" -–—:;,.|/("), behind.strip(_ASIDE))))
    return None


def _behind(subject: str, ours: str) -> str | None:
    """What stands behind our subject, with which `subject` begins; None where it does not."""
    cut = _CUT.search(subject)
    if ours and cut and _is_begun(subject[: cut.start()], ours):
        return subject[cut.end() :]
    if ours and _is_begun(subject, ours):
        return ""
    if turn := _TURN.match(subject):
        return _behind_figures(subject, turn.end(), ours)
    whole = (_like(ours).match(subject) if ours else None) or _PLAIN.match(subject)
    return subject[whole.end() :] if whole and not subject[whole.end() : whole.end() + 1].isalnum() else None


def _behind_figures(subject: str, at: int, ours: str) -> str:
    """What stands behind those figures that are as in our subject but for their numbers. One counts only whole: in `13 BP is too little` every
    word is the player's."""
    known = _TURN.match(ours)
    if known is None:  # which are figures can't be told
        return subject[at:] if "?" in subject else ""
    for figure in (*map(_like, ours[known.end() :].split(", ")), _DANGER):
        found = figure.match(subject, at)
        ends = _FIGURE_ENDS.match(subject, found.end()) if found else None
        at = ends.end() if ends else at
    return subject[at:]


def _like(ours: str) -> re.Pattern[str]:
    """Finds the text with any numbers, and any space between its words."""
    return re.compile(
        r"\s*".join(re.sub(r"(?:\\-)?\d+", r"-?\\d+", re.escape(word)) for word in ours.split()), re.IGNORECASE
    )


def _is_begun(subject: str, ours: str) -> bool:
    """Whether a subject is the beginning of ours, as programs cut it."""
    plain, whole = (re.sub(r"\d+", "0", re.sub(r"[\W_]+", "", text.lower())) for text in (subject, ours))
    return len(plain) >= _LEAST_KEPT and whole.startswith(plain)
