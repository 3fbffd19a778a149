"""What of a mail is words that somebody should read: every question reaches a person, and thanks bother nobody."""

from __future__ import annotations

import time
from typing import Any

import pytest

from kingdom.mail import headers
from kingdom.mail.reading import order_text, parts, prose
from kingdom.mail.reading.prose import is_absence
from tests.kit import mailkit
from tests.kit.rows import sampled
from tests.mail.test_fuzz import KEYS, reads

INTRO = "On Wed, Dec 16, 2026 at 9:58 AM The two fords <orders@example.org> wrote:"
QUOTE = f"{INTRO}\n> The report of turn 2.\n>\n> claim: 0102\n"
BLOCK = "From: The two fords <orders@example.org>\nSent: Wednesday, December 16, 2026 9:58 AM\nTo: Ada\nSubject: Report\n\nThe report.\nclaim: 0102\n"


def read(body: str, **more: Any) -> str:
    """The prose of a mail of Ada's with that body."""
    return words_of(mailkit.message({"body": body, **more}))


def words_of(data: bytes) -> str:
    """The prose of a mail."""
    head, there = headers.read(data), parts.read(data)
    return prose.words_of(order_text.find(head, there, KEYS, reads), head, there, KEYS)


NOTHING = {
    "empty": "",
    "thanks": "Thanks!\n",
    "thanks_above_a_quote": f"Thanks!\n\n{QUOTE}",
    "thanks_for": "Thank you very much for the report!\n\nAda\n",
    "thanks_and_praise": "Great, thanks!\n",
    "thanks_by_name": "Thanks, Ben.\n",
    "thanks_with_greeting": "Hi Ben, thanks for the quick report.\n\nCheers,\nAda\n",
    "thanks_ok": "Ok, thanks :-)\n",
    "thanks_emoji": "Thanks 🙂👍\n",
    "thumb": "👍\n",
    "smile": ":-)\n",
    "reaction": "👍 Ada reacted via Gmail\n",
    "thanks_de": "Hallo Ben,\n\nvielen Dank für den Bericht!\n\nViele Grüße\nAda\n",
    "thanks_fr": "Bonjour,\n\nmerci beaucoup !\n\nCordialement,\nAda\n",
    "thanks_es": "¡Hola!\n\nMuchas gracias por el informe.\n\nSaludos\nAda\n",
    "thanks_it": "Ciao Ben,\ngrazie mille!\nA presto\n",
    "thanks_nl": "Hoi Ben,\nbedankt voor het verslag.\nGroetjes\nAda\n",
    "thanks_sv": "Hej!\n\nTack så mycket!\n\nVänliga hälsningar\nAda\n",
    "thanks_da": "Hej Ben\n\nMange tak for rapporten.\n\nMed venlig hilsen\nAda\n",
    "thanks_fi": "Hei,\nkiitos!\nTerveisin Ada\n".replace(" Ada", "\nAda"),
    "thanks_pl": "Cześć,\n\ndziękuję bardzo!\n\nPozdrawiam\nAda\n",
    "thanks_ru": "Привет!\n\nСпасибо за отчёт.\n\nС уважением\nAda\n",
    "thanks_ja": "ありがとうございます。\nよろしくお願いします\n",
    "thanks_zh": "谢谢！\n",
    "greeting_alone": "Hi Gm,\n",
    "signature_with_rule": "Thanks!\n\n-- \nAda Lovelace\nWhen in doubt, compute.\n",
    "signature_without_rule": "Thanks\n\nAda Lovelace\nTel. 0404 555 1234\n",
    "signature_after_closing": "Best regards,\n\nAda Lovelace | Analytical Engines\nTel: +44 20 7946 0123\nWeb: https://ada.example.org\n",
    "name": "Ada\n",
    "phone": "Sent from my iPhone\n",
    "phone_above_a_quote": f"\nSent from my iPhone\n\n> {INTRO}\n> \n> claim: 0102\n",
    "outlook_phone": f"Get Outlook for Android<https://aka.ms/AAb9ysg>\n________________________________\n{BLOCK}",
    "outlook": f"\n\n{BLOCK}",
    "disclaimer": "Thanks\n\nCONFIDENTIALITY NOTICE: This email and any attachments are confidential\nand intended solely for the addressee.\n",
    "scanner": "Thanks\n\n-- \nThis message has been scanned for viruses and\ndangerous content by MailScanner, and is\nbelieved to be clean.\n",
    "scanner_without_rule": "Thanks\n\nNo virus found in this message.\nChecked by AVG - www.avg.com\n",
    "list": "Thanks!\n_______________________________________________\nPlayers mailing list\nTo unsubscribe send an email to players-leave@lists.example.org\n",
    "groups_io": "Thanks!\n\n-=-=-=-=-=-=-=-=-=-=-=-\nGroups.io Links: You receive all messages sent to this group.\nUnsubscribe: https://groups.io/x\n-=-=-=-=-=-=-=-=-=-=-=-\n",
    "orders": "taxation: light\nbuild:\n  - house in Oakhold\n\n  - inn in Oakhold\n# that is all\n",
    "orders_with_courtesy": f"Hi Gm,\n\nhere are my orders for turn 3:\n\ntaxation: light\nclaim: 0102, 0103,\n0104\n\nCheers,\nAda\n\n{QUOTE}",
    "orders_and_thanks": "taxation: light\n\nThanks for the great game!\nAda\n".replace("the great game", "the game"),
    "orders_with_text": "messages:\n  - to: borderia\n    text: |\n      Shall we talk?\n\n      When?\ntaxation: light\n",
    "orders_without_colon": "claim 0102\ntaxation light\n",
    "orders_fenced": "My orders are below.\n\n```yaml\ntaxation: light\n```\n",
    "orders_in_braces": '{"kingdom": "examplia", "turn": 3, "claim": ["0102"]}\n',
    "bottom_posted_orders": f"{QUOTE}taxation: light\n",
    "out_of_office_text": "Thank you for your e-mail. I am out of the office until Monday 21 December with limited access to my mailbox. For urgent matters please contact Ben.\n",
    "out_of_office_de": "Vielen Dank für Ihre Nachricht. Ich bin bis zum 21.12. nicht im Büro. In dringenden Fällen wenden Sie sich an Ben.\n",
    "automatic": "This is an automatically generated message: your mail was received.\n",
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING)
def test_what_says_nothing_bothers_nobody(name: str) -> None:
    assert read(NOTHING[name]) == ""


SAID = {
    "question": ("When is the next turn?\n", "When is the next turn?"),
    "question_above_a_quote": (f"When is the next turn?\n\n{QUOTE}", "When is the next turn?"),
    "question_with_greeting": ("Hi Gm,\n\nwhen is the next turn?\n\nCheers,\nAda\n", "when is the next turn?"),
    "question_in_the_greeting": ("Hi, when is the next turn?\n", "Hi, when is the next turn?"),
    "question_in_the_thanks": ("Thanks! When is the next turn?\n", "Thanks! When is the next turn?"),
    "thanks_and_more": ("Thanks for the report but where is Oakhold\n", "Thanks for the report but where is Oakhold"),
    "irony": ("Thanks for nothing, you cheat\n", "Thanks for nothing, you cheat"),
    "yes": (f"Yes\n\n{QUOTE}", "Yes"),
    "no_thanks": ("No, thanks.\n", "No, thanks."),
    "agreed": ("Agreed, thanks!\n", "Agreed, thanks!"),
    "agreed_below": ("Thanks. Agreed.\n", "Thanks. Agreed."),
    "ok_is_an_answer": ("Ok\n", "Ok"),
    "number": ("5\n", "5"),
    "question_mark": ("???\n", "???"),
    "two_words": ("I resign.\n", "I resign."),
    "above_outlook": (f"I do not get the trade rule.\n\n{BLOCK}", "I do not get the trade rule."),
    "below_the_quote": (f"{QUOTE}\nI do not get the trade rule.\n", "I do not get the trade rule."),
    "inline": (f"{INTRO}\n> Shall we ally?\nYes, gladly.\n> Against whom?\nAgainst the duke.\n> Yours, Bo\n", "Yes, gladly.\nAgainst the duke."),
    "inline_thunderbird": ("Am 16.12.26 um 09:58 schrieb Bo:\n> Gibst du mir die Furt?\n\nNiemals!\n\n> Und Gold?\n\n5 BP.\n\n-- \nAda\n", "Niemals!\n\n5 BP."),
    "postscript": ("Thanks!\n\nCheers,\nAda\n\nPS: will there be a winter turn?\n", "PS: will there be a winter turn?"),
    "beside_orders": (f"taxation: light\n\nCan I build in 0404, too?\n\nAda\n\n{QUOTE}", "Can I build in 0404, too?"),
    "above_orders": ("Dear Gm,\n\nI will be in Rome next week. Here are my orders for turn 3:\n\ntaxation: light\n", "I will be in Rome next week. Here are my orders for turn 3:"),
    "above_and_below_orders": ("Is the duke mad?\n\nclaim: 0102\nbuild:\n- house in Oakhold\n\nI hope so.\n", "Is the duke mad?\n\nI hope so."),
    "above_a_fence": ("I hope this is right:\n\n```\ntaxation: light\n```\nTell me if not.\n", "Tell me if not."),
    "claim_in_a_sentence": ("I want to know something.\nclaim 0102\nIs that how it works?\n", "I want to know something.\nclaim 0102\nIs that how it works?"),
    "away_by_hand": ("I am on holiday until Monday. I will reply when I am back.\n", "I am on holiday until Monday. I will reply when I am back."),
    "signature_below": ("Where is Oakhold?\n\nAda Lovelace\nTel. 0404 555 1234\n", "Where is Oakhold?"),
    "phone_below": (f"Where is Oakhold?\n\nSent from my iPhone\n\n> {INTRO}\n> claim: 0102\n", "Where is Oakhold?"),
    "list_below": ("Where is Oakhold?\n_______________________________________________\nPlayers mailing list\nPlayers@example.org\n", "Where is Oakhold?"),
    "two_paragraphs": ("I have a plan.\n\n\n\nWill you hear it?\n", "I have a plan.\n\nWill you hear it?"),
    "curly": ("He said “no” – why?\n", "He said “no” – why?"),
    "virus": ("This virus in my town, can I cure it?\n", "This virus in my town, can I cure it?"),
    "words_with_a_colon": ("Question: how many hexes may I take?\n", "Question: how many hexes may I take?"),
    "de": ("Hallo Ben,\n\nwann ist der nächste Zug?\n\nViele Grüße\nAda\n", "wann ist der nächste Zug?"),
    "fr": ("Bonjour,\n\nquand finit le tour ?\n\nMerci d'avance\nAda\n", "quand finit le tour ?"),
    "es": ("Hola Ben:\n\n¿cuándo es el próximo turno?\n\nUn saludo\nAda\n", "¿cuándo es el próximo turno?"),
    "ja": ("次のターンはいつですか。\n\nよろしくお願いします\n", "次のターンはいつですか。"),
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_what_a_person_says_is_read(name: str) -> None:
    body, said = SAID[name]
    assert read(body) == said


@pytest.mark.parametrize(
    ("html", "said"),
    [
        (
            'Look at <a href="https://example.org/map?a=1">my map</a>, please.',
            "Look at my map (https://example.org/map?a=1), please.",
        ),
        (
            'It is at <a href="https://example.org/map/">https://example.org/map</a>.',
            "It is at https://example.org/map.",
        ),
        (
            'See <a href="http://example.org">example.org</a> and <a href="mailto:a@example.org">me</a>.',
            "See example.org and me.",
        ),
    ],
)
def test_the_address_of_a_link_stays_with_its_words(html: str, said: str) -> None:
    assert read(f"<div>{html}</div>", type="text/html") == said


def test_words_are_found_in_every_form_of_a_mail() -> None:
    html = "<div dir=ltr>Hi Gm,<br><br>when is the next turn?</div><div class=gmail_quote>claim: 0102</div>"
    assert read(html, type="text/html") == "when is the next turn?"
    flowed = "I court the heir of the duke, who lives in the castle on the \nhill beyond the river.\n"
    assert read(flowed, type="text/plain; format=flowed").startswith("I court the heir") and "\n" not in read(
        flowed, type="text/plain; format=flowed"
    )
    attached = [
        {"body": "Hi Gm,\n\nmy orders are attached.\nWill it snow?\n"},
        {"type": "application/yaml", "disposition": "attachment; filename=o.yaml", "body": "taxation: light\n"},
    ]
    data = mailkit.message({"parts": attached})
    assert words_of(data) == "Will it snow?"


def test_a_programs_own_answer_is_told_by_its_subject_too() -> None:
    data = mailkit.message({"head": {"Subject": "Out of Office: Re: Report"}, "body": "I am away. Ask Ben.\n"})
    assert is_absence(headers.read(data), parts.read(data))
    assert not words_of(data)


SILENT = ("blocks", "charsets", "clients", "intros", "programs", "signatures")


@pytest.mark.parametrize("topic", SILENT)
def test_no_signature_quote_or_footer_of_the_corpus_is_taken_for_words(topic: str) -> None:
    """All of its messages that are filed hold orders and nothing that anybody has to read."""
    wrong = []
    for case in mailkit.cases():
        for said in mailkit.messages(case) if case.topic == topic else ():
            data = mailkit.message(said)
            if "filed" not in said or said.get("letter"):
                continue
            if words := words_of(data):
                wrong.append(f"{case}: {words!r}")
    assert not wrong, "\n".join(wrong)


SLOW = ["Hi A B C D ", "thanks for x y ", "a,", "- ", ": ", ". ", "Ada\n", "Cheers,\n", "> x\ny\n", "👍", "On 1.1.2026 x wrote", "```\n", "12 Ab Cd, ", "claim 0102 ", "P.S. ", "\u00a0"]  # fmt: skip


@pytest.mark.parametrize("line", sampled(SLOW, SLOW[::3]))
def test_no_words_take_long(line: str) -> None:
    for text in (line * (250_000 // len(line)), f"{line}\n" * 2400):
        data = b"From: ada@example.org\nSubject: x\n\n" + text[: parts.LONGEST].encode()
        started = time.process_time()
        words_of(data)
        assert time.process_time() - started < 1.0
