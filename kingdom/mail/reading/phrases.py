"""The words by which courtesy, absences and the like are told. Each has a message in tests/mail that is read otherwise without it."""

from __future__ import annotations

import re

LABEL = re.compile(r"(?<!\w)\d{4}(?!\w)")  # of a hex
# keys above orders, which order nothing by themselves: a letter may begin with them, `Turn 4 will be hard`
HEAD = frozenset(("kingdom", "turn", "token"))
NO_ORDERS = HEAD | {"final", "amend"}
# courtesy: a line that holds one of these, and else only names and words of WITH_COURTESY
COURTESY = frozenset((
    "hi", "hello", "dear", "greetings", "thanks", "thank", "cheers", "regards", "wishes", "see you", "yours", "sincerely", "faithfully", "respectfully",
    "hallo", "danke", "dank", "grüße", "grüßen", "bonjour", "merci", "cordialement", "amicalement", "bien", "amitiés", "salutations", "hola", "gracias", "saludos", "saludo", "ciao", "grazie", "presto",
    "hoi", "bedankt", "groetjes", "hej", "tack", "hälsningar", "tak", "hilsen", "hei", "kiitos", "terveisin", "cześć", "dziękuję", "pozdrawiam",
    "привет", "спасибо", "уважением", "ありがとうございます", "よろしくお願いします", "谢谢",
))  # fmt: skip
WITH_COURTESY = frozenset((
    "all", "everybody", "there", "gm", "you", "very", "much", "many", "so", "a", "lot", "and", "kind", "best", "for", "the", "quick", "report", "game", "ok",
    "great", "good", "nice", "lovely", "truly", "ever", "warm", "warmest", "mit", "freundlichen", "viele", "vielen", "für", "den", "bericht", "beaucoup", "d", "avance", "à", "vous", "toi", "muchas", "por", "el", "informe",
    "un", "mille", "voor", "het", "verslag", "så", "mycket", "vänliga", "med", "venlig", "mange", "rapporten", "bardzo", "за", "отчёт", "с",
))  # fmt: skip
# a line above orders, or beside attached ones, that only says so
ORDERS_FOLLOW = r"\borders?\b|^turn \d+$|^(?:see )?attached$"
# the same in a word or two, above the orders with a colon
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
# what a program's own answer says while somebody is away, where no header tells it: that it is one, or all three of the others
AUTOMATIC_TEXT = r"this is an auto(?:matic|mated|matically generated) (?:reply|message)"
FOR_YOUR_MAIL = r"thank(?:s| you) for your (?:e-?mail|message)|dank für ihre nachricht"
AWAY = r"out of the office|on (?:vacation|holidays?|leave)|nicht im büro|im urlaub"
BACK_LATER = r"\burgent|\bdringend"
# the same in other languages, with what says that something is not to be done
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
