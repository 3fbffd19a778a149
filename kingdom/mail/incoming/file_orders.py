"""Files the orders of a proved sender: whose they are, for which turn, whether they came in time and are newer than what is filed.

A message that may have been meant as orders but holds none that can be filed is an Unreadable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.engine.dice import GM
from kingdom.engine.step import Facts, Orders
from kingdom.mail.incoming import answer_view, filing
from kingdom.mail.incoming.answers import NO_GM, answer_of
from kingdom.mail.incoming.carrying import letters_to
from kingdom.mail.incoming.in_time import HELD, late_by, too_late, waits_now
from kingdom.mail.incoming.outcome import ACCEPTED, REFUSED, TRIED, Case, Decided, Fate, reason
from kingdom.mail.incoming.proof import Sender
from kingdom.mail.incoming.sending import PlayersLetter, delivered
from kingdom.mail.journal import BESIDE
from kingdom.mail.outgoing import letters as making
from kingdom.mail.outgoing import outbox
from kingdom.mail.outgoing.correspondence import addressed
from kingdom.mail.outgoing.letters import Content
from kingdom.mail.outgoing.people import who
from kingdom.mail.reading import changes
from kingdom.mail.reading.dry_run import TRY
from kingdom.mail.records import Found, Letter, Standing
from kingdom.mail.tokens import without_tokens
from kingdom.orders import orders_file
from kingdom.orders.schema import Seats, snake

LONGEST = 256 << 10  # bytes of orders
_NEXT = "To file them for turn {turn}, tap the link, or reply with them and the line `turn: {turn}`."
_CORRECTED = "Corrected, they can be filed for turn {turn}: the links and a plain reply to this mail do that."
_SAME = "To file them all the same, tap the link, or reply to this mail with the same lines."
_WHOLE = "To file the whole as it would be, tap the link, or reply to this mail with these lines."
_REPLIED = "You named no turn and replied to a mail about turn {turn}, so they were read as orders for it."
_CORRECT = "To correct turn {turn}, change orders/{turn:04}/gm.yaml and run `kingdom redo --yes`, or take it back with `kingdom undo`."
_STILL = " Its reports still wait for your release."
_BESIDE = "The orders of {others} stay beside yours. To file yours for turn {turn} alone, add the line `amend: false`."


class FileOrders(NamedTuple):
    """Orders to file. found: the orders in the message, and what the subject says; alone: the orders, read without asking whose they are;
    letters: the letters beside them."""

    sender: Sender
    found: Found
    alone: orders_file.Filing
    letters: Sequence[PlayersLetter] = ()

    @property
    def seat(self) -> str:
        """Whose they are."""
        return self.sender.seat

    def decided(self, case: Case) -> Decided:
        """Filed, tried or refused, and answered. Words beside the orders go to the GM."""
        fate = self._fate(case)
        if self.found.tries:
            fate = fate._replace(tries=True)
            fate = fate._replace(outcome=TRIED, lost={}) if fate.outcome == ACCEPTED else fate
        campaign, digest = case.campaign, case.message.digest
        fate = fate._replace(lost=answer_view.lost_of(campaign, case.journal, fate, case.now))
        beside = self.found.prose
        words = "\n\n".join(text for text in (beside, *fate.to_gm) if text)
        fate, sent = _with_words(case, fate, words, self.letters)
        fate = fate._replace(words=beside if fate.passed_on else "")
        other = addressed(campaign, beside) if fate.passed_on else ""
        if other in campaign.seats and other != self.seat:
            said = f"That begins as if it were for {who(campaign, other)}. To send it there, reply with the line `to {other}` above it."
            fate = fate._replace(passed_over=(*fate.passed_over, said))

        is_filed = fate.filed is not None and fate.outcome == ACCEPTED
        others = self._other_gms(case, fate.before, fate.turn) if is_filed else ()
        more = {"by": case.headers.sender} if self.seat == GM else {}
        more |= {"what": BESIDE} if others and not fate.lost else {}

        def done() -> None:
            if fate.filed is None or fate.outcome == TRIED:
                return
            if late_by(case, self.seat, fate.turn, fate.turn + 1):
                # once these orders are filed, the turn may no longer wait for the others
                for seat in waits_now(case, fate.turn):
                    mark = digest if seat == self.seat else ""
                    case.journal.tell_once(case.now, "waits_for", seat, fate.turn, mark)
            filing.put(campaign, case.journal, fate.seat, fate.turn, fate.filed, case.time, case.now, more)

        letters = [answer_of(case, fate), *sent, *(_told(case, fate, address) for address in others)]
        if fate.outcome == TRIED:
            fate = fate._replace(outcome=ACCEPTED, code=TRY, turn=0, filed=None)
        return Decided(fate, letters, done)

    def _fate(self, case: Case) -> Fate:
        campaign, journal = case.campaign, case.journal
        filed, code, facts = self._whole(case)
        filed, to_gm = _without_the_gms(filed)
        fate = Fate(REFUSED, seat=self.seat, text=self.found.text, passed_over=self.found.passed_over, to_gm=to_gm)
        if code:
            return fate._replace(code=code, reason=reason(code, **facts), turn=filed.turn or 0)
        # a filing with problems does not know the subject's turn
        turn = filed.turn or self.found.turn or self.sender.turn
        if filed.orders is None:
            return self._wrong(case, fate, filed, turn)
        fate = fate._replace(turn=turn, wanted=filed.orders)

        def refused(code: str, how: str, next: int = turn, /, **facts: object) -> Fate:
            return fate._replace(code=code, reason=reason(code, **facts), next=next, how=how)

        if self._said_turn() is None and not self.found.tries:  # orders are always tried for the next turn
            return refused("no_turn", _NEXT.format(turn=turn))._replace(turn=0)
        code, facts = too_late(case, self.seat, turn)
        counts = str(facts.get("counts", ""))
        if code and not counts:
            next = int(str(facts.get("open", 0)))
            how = _NEXT.format(turn=next) if next else ""
            if not (self.alone.turn or self.found.turn):
                how = f"{_REPLIED.format(turn=turn)} {how}".strip()
            if self.seat == GM and code == "past_turn" and turn == next - 1:
                waits = outbox.kept_back(journal, case.now)
                how = f"{_CORRECT.format(turn=turn)}{_STILL if waits else ''} {how}"
            return refused(code, how, next, **facts)
        if self.sender.expired:
            return refused("expired", _SAME, turn=self.sender.turn)
        there = filing.standing(campaign, journal, self.seat, turn, case.now)
        if not filing.counts(there, case.time, case.message.seen):
            code = "older" if there.receipt else "withdrawn_since"
            return refused(code, _SAME, turn=turn, receipt=there.receipt)._replace(before=there)
        if counts:
            told = code if counts == HELD else ""  # the GM needs no news of orders for which the turn waits
            fate = fate._replace(code=told, reason=reason(code, **facts), how=counts)
        return self._filed(case, fate._replace(before=there), filed.orders)

    def _filed(self, case: Case, fate: Fate, orders: Orders) -> Fate:
        """What becomes of orders in which nothing is wrong: filed beside or instead of what is filed."""
        campaign, turn, there = case.campaign, fate.turn, fate.before
        sent = [{**one, "text": without_tokens(one["text"], campaign.settings)} for one in orders.get("messages") or ()]
        newer = {**orders, "messages": sent} if sent else orders
        if asked := [without_tokens(text, campaign.settings) for text in orders.get("requests") or ()]:
            newer = {**newer, "requests": asked}  # the GM reads the requests, and everybody when the campaign ends
        others = self._other_gms(case, there, turn)
        whole = filing.merged(campaign, there, newer, self.seat, turn, bool(others))
        if whole.lost and not whole.amended and "amend" not in newer and changes.rest_stays(self.found.own):
            both = filing.merged(campaign, there, {**newer, "amend": True}, self.seat, turn)
            said = reason("rest_stays", turn=turn)
            return fate._replace(code="rest_stays", reason=said, wanted=both.wanted, next=turn, how=_WHOLE)
        data = orders_file.write(whole.wanted).encode()
        if others and not whole.lost:
            fate = fate._replace(how=_BESIDE.format(others=" and ".join(others), turn=turn))
        fate = fate._replace(outcome=ACCEPTED, wanted=whole.wanted, filed=data, keys=frozenset(orders))
        return fate._replace(amended=whole.amended, lost=whole.lost)

    def _other_gms(self, case: Case, there: Standing, turn: int) -> tuple[str, ...]:
        """The addresses of other GMs whose orders are filed for the turn."""
        stands = self.seat == GM and there.receipt and not there.by_hand
        return tuple(sorted(one for one in case.journal.gms.get(turn, ()) if stands and one != case.headers.sender))

    def _wrong(self, case: Case, fate: Fate, filed: orders_file.Filing, turn: int) -> Fate:
        """What becomes of orders with problems. If they came too late as well, they are to be corrected for the turn that takes them."""
        code, facts = too_late(case, self.seat, turn) if turn and self.seat != GM else ("", {})
        open = int(str(facts.get("open", 0))) if not facts.get("counts") else 0
        count = len(filed.problems)
        said = reason(
            "problems", count=f"There {'are' if count > 1 else 'is'} {count} problem{'s' if count > 1 else ''}"
        )
        fate = fate._replace(code="problems", reason=said, turn=open or turn, problems=tuple(filed.problems))
        if open:
            fate = fate._replace(reason=f"{reason(code, **facts)} {said}", how=_CORRECTED.format(turn=open))
        there = filing.standing(case.campaign, case.journal, self.seat, fate.turn, case.now) if fate.turn else None
        return fate._replace(before=there or Standing())

    def _said_turn(self) -> int | None:
        """The turn that the orders, the subject, or the mail or token that proves the sender names; None if none of them names one."""
        said = (self.alone.turn, self.found.turn, self.sender.turn or None)
        return next((turn for turn in said if turn is not None), None)

    def _whole(self, case: Case) -> tuple[orders_file.Filing, str, Facts]:
        """(the filing, the code of the reason against it, facts): read for the seat and the turn that the orders or the subject name."""
        found, alone = self.found, self.alone
        kingdom = alone.kingdom or found.kingdom or self.seat
        turn = self._said_turn()
        said = (found.kingdom, found.turn) if found.kingdom and not case.headers.is_reply else ("", None)
        theirs = (alone.kingdom or said[0], alone.turn or said[1])
        if said[0] and theirs != said:
            facts = {"subject": f"{said[0]} {said[1]}", "orders": f"{theirs[0]} {theirs[1]}"}
            return alone, "subject_disagrees", facts
        if kingdom and kingdom != self.seat:
            return alone, "other_kingdom", {"kingdom": kingdom, "seat": self.seat}
        if turn is None:
            turn = campaigns.newest(case.campaign) + 1 or 1
        return self._read(case, turn), "", {}

    def _read(self, case: Case, turn: int) -> orders_file.Filing:
        """The filing. `messages` may name the GM, who is no seat: if nothing else is wrong, the orders are read with the GM as a seat."""
        campaign, names = case.campaign, campaigns.names_today(case.campaign)
        text, file, game = self.found.text.encode(), self.found.file, campaign.game
        filed = orders_file.read(text, file, game, names, self.seat, turn, LONGEST, True)
        if self.seat == GM or not filed.problems or any(not one.path.startswith("messages") for one in filed.problems):
            return filed
        seats = Seats((*campaign.seats, GM))
        seats.called = {**campaigns.called(campaign), snake(campaign.settings.gm.name): GM}
        again = orders_file.read(text, file, game, {**names, "seats": seats}, self.seat, turn, LONGEST, True)
        return again if again.orders is not None else filed


class Unreadable(NamedTuple):
    """A message in which there is nothing that could be done. facts: for the reason, and `quoted` orders.

    words: words for a person, which go to the GM all the same. passed_over: a sentence for each thing that did not count.
    tries: the orders were only to be tried. letters: the letters beside them.
    """

    code: str
    seat: str
    facts: Facts = {}
    words: str = ""
    passed_over: tuple[str, ...] = ()
    tries: bool = False
    letters: Sequence[PlayersLetter] = ()

    def decided(self, case: Case) -> Decided:
        """Refused, and answered where the seat is known."""
        fate = Fate(REFUSED, self.code, reason(self.code, **self.facts), self.seat)
        quoted = str(self.facts.get("quoted", ""))
        fate = fate._replace(quoted=quoted, passed_over=self.passed_over, tries=self.tries)
        if not self.seat:
            return Decided(fate)
        fate, sent = _with_words(case, fate, self.words, self.letters)
        return Decided(fate, [answer_of(case, fate), *sent])


def _with_words(case: Case, fate: Fate, words: str, letters: Sequence[PlayersLetter]) -> tuple[Fate, list[Letter]]:
    """The fate of orders, with what became of the words for the GM and the letters beside them; and the mails that carry both."""
    sent = letters_to(case, fate.seat, GM, words) if words and fate.seat != GM else []
    kept = (NO_GM,) if words and fate.seat != GM and not sent else ()
    made = delivered(case, letters)
    name = case.campaign.settings.gm.name if sent else ""
    fate = fate._replace(passed_on=name, passed_over=(*made.said, *fate.passed_over, *kept))
    return fate, [*sent, *made.mails]


def _told(case: Case, fate: Fate, address: str) -> Letter:
    """The mail to a GM that another GM filed orders, too. address: the reader's."""
    campaign, view = case.campaign, answer_view.view_of(case.campaign, case.journal, fate, case.now)
    stays = "Yours stay beside them" if not view["lost"] else f"They took out: {', '.join(view['lost'])}"
    receipt = filing.receipt_of(fate.filed or b"")
    said = (
        f"{case.headers.sender} filed orders of the GM for turn {fate.turn}. {stays}. Filed is now (receipt {receipt}):"
    )
    text, html = making.short(campaign.settings.name, [said], view["orders"])
    title = making.titled(campaign, f"Another GM filed orders for turn {fate.turn}")
    number = list(campaign.settings.gm.email).index(address) if address in campaign.settings.gm.email else 0
    id, content = f"also-{case.message.digest[:16]}-{number}", Content(title, text, html, answers=True)
    return making.letter(campaign, id, "answer", GM, fate.turn, address, content, case.now)


def _without_the_gms(filed: orders_file.Filing) -> tuple[orders_file.Filing, tuple[str, ...]]:
    """(the filing without messages to the GM, the texts of those messages, which go to the GM as letters)."""
    messages = (filed.orders or {}).get("messages") or ()
    texts = tuple(one["text"] for one in messages if one["to"] == GM)
    if filed.orders is None or not texts:
        return filed, ()
    rest = [one for one in messages if one["to"] != GM]
    orders = {key: value for key, value in filed.orders.items() if key != "messages"}
    return replace(filed, orders={**orders, "messages": rest} if rest else orders), texts
