"""The words by which greetings, thanks, absences and the like are known. Each has a mail in tests/mail that is read wrongly without it."""

from __future__ import annotations

import re

LABEL = re.compile(r"(?<!\w)\d{4}(?!\w)")  # of a hex
# keys that stand above orders and order nothing themselves; a letter may begin with such a word, `Turn 4 will be hard`
HEAD = frozenset(("kingdom", "turn", "token"))
NO_ORDERS = HEAD | {"final", "amend"}
# a line is a greeting if it holds one of these words, and beside them only names and words of WITH_GREETINGS
GREETINGS = frozenset((
    "hi", "hello", "dear", "greetings", "thanks", "thank", "cheers", "regards", "wishes", "see you", "yours", "sincerely", "faithfully", "respectfully",
    "hallo", "danke", "dank", "grüße", "grüßen", "bonjour", "merci", "cordialement", "amicalement", "bien", "amitiés", "salutations", "hola", "gracias", "saludos", "saludo", "ciao", "grazie", "presto",
    "hoi", "bedankt", "groetjes", "hej", "tack", "hälsningar", "tak", "hilsen", "hei", "kiitos", "terveisin", "cześć", "dziękuję", "pozdrawiam",
    "привет", "спасибо", "уважением", "ありがとうございます", "よろしくお願いします", "谢谢",
))  # fmt: skip
WITH_GREETINGS = frozenset((
    "all", "everybody", "there", "gm", "you", "very", "much", "many", "so", "a", "lot", "and", "kind", "best", "for", "the", "quick", "report", "game", "ok",
    "great", "good", "nice", "lovely", "truly", "ever", "warm", "warmest", "mit", "freundlichen", "viele", "vielen", "für", "den", "bericht", "beaucoup", "d", "avance", "à", "vous", "toi", "muchas", "por", "el", "informe",
    "un", "mille", "voor", "het", "verslag", "så", "mycket", "vänliga", "med", "venlig", "mange", "rapporten", "bardzo", "за", "отчёт", "с",
))  # fmt: skip
# a line that only says that orders follow, or that they are attached
ORDERS_FOLLOW = r"\borders?\b|^turn \d+$|^(?:see )?attached$"
# headings of a word or two, which stand above orders with a colon
HEADINGS = frozenset(("orders", "my_orders"))
# words with which people speak of themselves and others
SPEAKS = frozenset(("i", "is", "may"))
# words with which people give up their seat
RESIGNS = (
    r"\b(?:i|we)(?:['’]ll| will| must| have to| need to| want to| would like to|['’]d like to|['’]m going to| am going to)?"
    r" (?:hereby )?(?:resign|quit|drop out|give up (?:my|our) (?:seat|kingdom)|leave the (?:game|campaign))\b"
    r"|\b(?:i am|i['’]m|we are) (?:resigning|quitting|dropping out|giving up (?:my|our) (?:seat|kingdom))\b"
    r"|\bich (?:gebe auf|steige aus|höre auf)\b|\bj['’]abandonne\b"
)
# what Outlook sends when somebody recalls a mail
RECALLS = (
    r".{1,100} would like to recall the message,? [\"“].{0,300}[\"”]\.?"
    r"|.{1,100} möchte die Nachricht [\"„“].{0,300}[\"“”] zurückrufen\.?"
)
# what an automatic answer says while somebody is away, if no header says it: AUTOMATIC_TEXT, or all three of the other patterns
AUTOMATIC_TEXT = r"this is an auto(?:matic|mated|matically generated) (?:reply|message)"
FOR_YOUR_MAIL = r"thank(?:s| you) for your (?:e-?mail|message)|dank für ihre nachricht"
AWAY = r"out of the office|on (?:vacation|holidays?|leave)|nicht im büro|im urlaub"
BACK_LATER = r"\burgent|\bdringend"
# words of a sentence to a person in other languages, and words that say that something is not to be done
PERSONS_ABROAD = frozenset((
    "mir", "mich", "dir", "dich", "du", "dein", "deine", "deinen", "ihr", "euch", "ihnen", "uns", "nicht", "kein", "keine", "keinen", "nie", "lass", "lassen",
    "tu", "te", "toi", "vous", "votre", "vos", "moi", "nous", "pas", "ne", "jamais", "usted", "ti", "tú", "tus", "nos", "no", "nunca", "voi", "noi", "non", "mai",
    "jij", "je", "jou", "jouw", "mij", "ons", "niet", "geen", "dig", "oss", "inte",
))  # fmt: skip
# words of a sentence to a person; nobody puts them behind the word of an order or a command: `Give me two days`, `Status quo is fine`
TO_PERSONS = frozenset((
    "i", "i'm", "i'll", "i've", "i'd", "me", "my", "mine", "we", "we're", "we'll", "us", "our", "ours", "myself", "you", "you're", "you'll", "your", "yours", "yourself",
    "he", "him", "his", "she", "her", "they", "them", "their", "is", "are", "was", "were", "will", "would", "can", "could", "shall", "should", "may", "might",
    "must", "does", "did", "have", "has", "had", "not", "don't", "what", "whatever", "who", "why", "how", "if",
))  # fmt: skip
