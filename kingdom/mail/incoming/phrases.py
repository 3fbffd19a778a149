"""What mail programs write into mails of their own accord, in the languages that they speak. Only words; reply.py uses them."""

from __future__ import annotations

# the line above a quote: "... wrote:"; the word may stand at its end or in its middle
WROTE = (
    "wrote", "writes", "said", "schrieb", "schrieben", "a écrit", "écrit", "écrivait", "escribió", "escribio", "ha scritto", "scrisse",
    "escreveu", "schreef", "het volgende geschreven", "skrev", "skreiv", "kirjoitti", "napisał", "napisała", "napisał(a)",
    "napisana przez", "pisze", "napsal", "napsala", "napsal(a)", "píše", "napísal", "napísal(a)", "írta", "a scris", "написал",
    "написала", "написал(а)", "написав", "пишет", "пише", "έγραψε", "yazdı", "yazmış", "написа", "je napisao", "je napisao/la", "piše",
    "rašė", "rakstīja", "kirjutas", "va escriure", "idatzi du", "כתב", "כתבה", "מאת", "كتب", "viết", "đã viết", "menulis", "เขียน",
)  # fmt: skip
WROTE_UNSPACED = (
    "写道",
    "寫道",
    "のメール",
    "さんは書きました",
    "作成",
    "작성",
    "님이 작성",
    "썼습니다",
    "撰写",
    "书写",
    "เขียนว่า",
)
BEGINS_INTRO = (
    "on",
    "am",
    "le",
    "el",
    "il",
    "op",
    "den",
    "em",
    "no dia",
    "dne",
    "w dniu",
    "il giorno",
    "at",
    "vào",
    "pada",
    "στις",
)

# the block of headers above a quote: whose, when, to whom, about what
BLOCK = (
    "from|von|de|da|van|från|fra|od|lähettäjä|feladó|от|от кого|від|від кого|发件人|寄件者|寄件人|差出人|보낸 사람|보낸사람|kimden|gönderen|expéditeur|mittente|"
    "remitente|remetente|odesílatel|odosielateľ|nadawca|avsender|afsender|afzender|de la|expeditor|από|pošiljatelj|šalje|מאת|من|จาก|từ|dari",
    "sent|gesendet|gesendet am|envoyé|envoyé le|enviado|enviado el|enviada em|enviada|inviato|inviato il|verzonden|verstuurd|skickat|sendt|sendt dato|"
    "wysłano|wysłane|odesláno|odoslané|lähetetty|elküldve|küldve|отправлено|дата|дата отправки|надіслано|date|datum|data|fecha|dato|发送时间|发送日期|寄件日期|"
    "日期|送信日時|日時|日付|보낸 날짜|날짜|gönderildi|gönderilme|gönderme tarihi|tarih|päiväys|dátum|päivämäärä|trimis|poslano|στάλθηκε|ημερομηνία|נשלח|"
    "תאריך|تم الإرسال|التاريخ|ส่ง|วันที่|đã gửi|ngày|dikirim|tanggal",
    "to|an|à|para|a|aan|naar|till|til|do|komu|pro|vastaanottaja|címzett|кому|收件人|宛先|받는 사람|받는사람|kime|alıcı|destinataire|destinataires|destinatario|"
    "destinatári[oa]|către|za|prima|προς|אל|إلى|ถึง|đến|tới|kepada",
    "subject|betreff|objet|asunto|oggetto|onderwerp|ämne|emne|temat|předmět|predmet|aihe|tárgy|тема|主题|主旨|件名|제목|konu|assunto|sujet|subiect|naslov|"
    "θέμα|נושא|الموضوع|เรื่อง|chủ đề|subyek|subjek|tema|assumpte",
)  # fmt: skip

# a line of its own above a quote or above what is forwarded, between dashes
ORIGINAL = (
    "original message|original appointment|ursprüngliche nachricht|originalnachricht|original-nachricht|originalmeldung|"
    "ursprünglicher termin|message d'origine|message original|courriel original|mensaje original|messaggio originale|mensagem original|"
    "oorspronkelijk bericht|origineel bericht|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|opprinnelig melding|"
    "originalmelding|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|původní zpráva|pôvodná správa|eredeti üzenet|mesaj original|"
    "исходное сообщение|оригинальное сообщение|пересылаемое сообщение|конец пересылаемого сообщения|вихідне повідомлення|orijinal mesaj|özgün ileti|"
    "原始邮件|原始郵件|原邮件|元のメッセージ|원본 메시지|original besked|reply message|αρχικό μήνυμα|הודעה מקורית|الرسالة الأصلية"
)
FORWARDED = (
    "forwarded message|forwarded by|weitergeleitete nachricht|weitergeleitete mail|message transféré|message réexpédié|mensaje reenviado|messaggio inoltrato|"
    "messaggio rediretto|mensagem encaminhada|mensagem reencaminhada|doorgestuurd bericht|doorgezonden bericht|vidarebefordrat meddelande|"
    "vidarebefordrat brev|videresendt besked|videresendt melding|välitetty viesti|edelleenlähetetty viesti|wiadomość przekazana|przekazana wiadomość|"
    "přeposlaná zpráva|továbbított üzenet|пересланное сообщение|пересылаемое письмо|переслане повідомлення|iletilen mesaj|转发的邮件|轉寄的郵件|转发邮件|"
    "転送されたメッセージ|転送メッセージ|전달된 메시지|mesaj redirecționat|προωθημένο μήνυμα"
)
BEGIN_FORWARDED = (
    "begin forwarded message|anfang der weitergeleiteten nachricht|début du message (?:transféré|réexpédié)|inicio del mensaje reenviado|"
    "inizio messaggio inoltrato|início da mensagem (?:re)?encaminhada|begin doorgestuurd bericht|vidarebefordrat brev|videresendt besked|"
    "początek przekazywanej wiadomości|välitetty viesti alkaa|начало переадресованного сообщения|下面是被转发的邮件|開始轉寄郵件|転送されたメッセージ"
)

# what a phone or a web mailer adds below what was written: one line
SENT_FROM = (
    r"sent from (?:my |the |a |an |outlook|yahoo|mail|samsung|galaxy|aol|att|proton|gmx|web\.de|windows|spark|blue ?mail|airmail|mailbird|type app|"
    r"nine|canary|hey|fairemail|thunderbird|iphone|ipad|android|mobile)|sent (?:via|with|using|by) \S|sent on the go|"
    r"(?:von|mit) mein\w{1,2} .{0,60}(?:gesendet|verschickt)|gesendet (?:von|mit|über|vom)\b|diese nachricht wurde von mein\w{1,2} .{0,80}gesendet|"
    r"envoyé (?:de|depuis|à partir|avec|via)\b|télécharge[rz] outlook|obtenir outlook|provenance : |"
    r"enviado (?:desde|do|de|com|con|a partir)\b|obtener outlook|obter o? ?outlook|obtenha o outlook|inviato (?:da|dal|con|tramite)\b|"
    r"(?:ottieni|scarica) outlook|verzonden (?:vanaf|met|via|vanuit)\b|verstuurd (?:vanaf|met|via)\b|(?:download|ontvang|haal) outlook|"
    r"skickat från\b|skickades från\b|hämta outlook|sendt fra\b|send(?:t)? med\b|hent outlook|få outlook|lähetetty \S+(?:sta|stä|lta|ltä|lla|llä)\b|"
    r"hanki outlook|wysłan[eoya]+ z\b|pobierz outlook|odesláno z\b|odoslané z\b|získat outlook|stáhnout outlook|"
    r"отправлено (?:с|из|от)\b|надіслано з\b|скачать outlook|get outlook for|get bluemail|outlook (?:für|for) \w+ (?:beziehen|herunterladen)|"
    r"(?:holen sie sich|laden sie) outlook|küldve .{0,30}(?:ról|ről|ból|ből)|trimis de pe\b|στάλθηκε από|iphone'?umdan gönderildi|\S+umdan gönderildi|"
    r"发自我的|從我的|发自|傳送自|iphoneから送信|.{0,30}から送信|나의 .{0,30}보냄|.{0,30}에서 보냄|"
    r"please excuse (?:my|the|any) |bitte entschuldigen sie (?:die )?kürze|veuillez excuser ma bri|excuse the brevity|"
    r"yahoo mail: |yahoo mail\.|sent as |gesendet aus\b"
)

# paragraphs that a server or a program adds, above or below
DISCLAIMER = (
    r"(?:confidentiality|privacy|legal|important) notice|disclaimer\b|caution\s*:|warning\s*: (?:this|external)|\[external[^\]\n]{0,40}\]|external(?: e-?mail)?\s*[:!]|\[?you don['’]t often get e-?mail from |"
    r"this (?:e-?mail|message|mail) (?:originated|was sent|came|has been scanned|has been sent|is from an external) |think before you print|"
    r"(?:this|the (?:information|content)s? (?:contained )?(?:in|of) this) (?:e-?mail|message|communication|mail|transmission)\b.{0,300}\b(?:confidential|intended|privileged|virus)|"
    r"(?:please )?consider the environment|do(?:n't| not) click (?:on )?links|if you (?:are not the intended|have received this)|"
    r"(?:virus-free|virenfrei|sans virus|libre de virus|privo di virus|virusvrij|virusfri)\b|avast\b|scanned by|checked by avg|"
    r"achtung\s*: (?:diese|externe)|(?:vertraulichkeitshinweis|haftungsausschluss|wichtiger hinweis)\b|diese (?:e-?mail|nachricht|mail)\b.{0,300}\b(?:vertraulich|bestimmt|viren)|"
    r"(?:avis de confidentialité|avertissement)\b|ce (?:message|courriel|courrier|mail|e-?mail)\b.{0,300}\b(?:confidentiel|destin|virus)|"
    r"aviso (?:legal|de confidencialidad|de privacidad)|est[ea] (?:mensaje|correo|mensagem|e-?mail)\b.{0,300}\b(?:confidenci|destinat|virus|vírus)|"
    r"(?:avviso di riservatezza|questo messaggio|questa e-?mail|le informazioni contenute)\b.{0,300}(?:riservat|confidenzial|destinat|$)|"
    r"(?:dit|deze) (?:bericht|e-?mail|mail)\b.{0,300}\b(?:vertrouwelijk|bestemd|virus)|"
    r"(?:detta|det här) (?:meddelande|mejl|e-post\w*)\b.{0,300}\b(?:konfidentiel|avsett|sekretess)|denne (?:e-?mail|mail|meddelelse|meldingen|e-posten)\b.{0,300}\b(?:fortrolig|konfidensiel)|"
    r"(?:niniejsza wiadomość|ta wiadomość|treść tej wiadomości)\b.{0,300}(?:poufn|przeznaczon)|tato (?:zpráva|e-?mailová zpráva)\b.{0,300}důvěrn|"
    r"(?:это|данное|настоящее) (?:сообщение|письмо|электронное)\b.{0,300}(?:конфиденциальн|предназначен)|"
    r"(?:本邮件|此邮件|本電子郵件|此電子郵件).{0,200}(?:保密|机密|機密)|このメール.{0,200}(?:機密|秘密)|"
    r"you (?:have )?received this (?:message|e-?mail|mail) because|to unsubscribe\b|unsubscribe\s*(?::|at\b|here\b|from\b)|you are receiving this |"
    r"this (?:outgoing |incoming )?(?:e-?mail|mail|message) .{0,20}(?:scanned|checked|tested|protected|processed) (?:for|by|on|with)\b|"
    r"(?:e-?mail|mail|message|virus)[ -](?:scanned|checked|protected) (?:for|by)\b|"
    r"no virus(?:es)? (?:found|detected|were)|(?:and )?(?:is )?believed to be clean|dangerous content by mailscanner|mailscanner\b|"
    r"_{2,} information from eset|(?:this|the) message was checked by|click here to report this|"
    r"diese (?:e-?mail|mail|nachricht) wurde (?:auf|von|mit|durch)\b|(?:es wurden )?keine viren (?:gefunden|erkannt)|virengeprüft|"
    r"ce (?:message|courriel|courrier|mail|e-?mail) a été (?:vérifié|analysé|contrôlé|envoyé)|aucun virus|l'absence de virus|"
    r"este (?:mensaje|correo|e-?mail|mensagem) (?:ha sido|foi) |este e-?mail foi |questa e-?mail è stata |deze e-?mail is (?:gecontroleerd|gescand)|"
    r"detta (?:mejl|e-postmeddelande|meddelande) har |ta wiadomość (?:e-mail )?została |это сообщение проверено|проверено на вирусы"
)

# how the subject of a program's own answer begins while somebody is away; a person's "Out of office until Monday" has no colon
AUTOMATIC = (
    "auto(?:matic|mated|matisk|matiskt)?[ -]?(?:reply|response|svar)|autoreply|autoresponse|autosvar|autoantwort|"
    "out[ -]of[ -](?:the[ -])?office(?: (?:auto(?:matic)?[ -]?)?reply)?|ooo|abwesenheitsnotiz|abwesenheitsnachricht|automatische antwort|"
    "automatisch antwoord|afwezigheidsbericht|afwezig|niet aanwezig|réponse automatique|absente? du bureau|absence du bureau|message d'absence|"
    "respuesta automática|fuera de la oficina|risposta automatica|fuori sede|fuori ufficio|resposta automática|fora do escritório|frånvaro|"
    "ej på kontoret|ikke på kontoret|fraværende|automaattinen vastaus|poissa|odpowiedź automatyczna|poza biurem|automatická odpov[eě]ď|"
    "automatikus válasz|răspuns automat|автоматический ответ|автоответ|автоматична відповідь|otomatik yanıt|αυτόματη απάντηση|自动回复|"
    "自動回覆|自動返信|不在通知|자동 회신|부재 중 자동 회신"
)

# below a rule of a mailing list one of these stands within a few lines
LIST_INFO = (
    r"unsubscribe|mailing[ -]?list|mailinglist|mailing-liste|subscri(?:be|ption)|list-?info|google groups|groups\.io|yahoo! groups|abmelden|abbestellen|"
    r"désinscri|désabonn|cancelar (?:la )?suscripción|darse de baja|disiscri|cancella(?:ti|re) l'iscrizione|uitschrijven|afmelden|avprenumerera|"
    r"wypisać się|отписаться|descadastrar|退订|配信停止"
)

# what people write above and below orders
CLOSING = (
    "cheers", "regards", "best", "best regards", "kind regards", "warm regards", "best wishes", "all the best", "many thanks", "thanks",
    "thank you", "thanks a lot", "thx", "ta", "yours", "yours sincerely", "yours truly", "sincerely", "bye", "cu", "see you", "ttfn",
    "good luck", "have fun", "love", "br", "kr", "rgds", "brgds", "take care", "greetings", "best greetings",
    "gruß", "gruss", "grüße", "gruesse", "grüsse", "viele grüße", "viele gruesse", "viele grüsse", "liebe grüße", "liebe gruesse",
    "beste grüße", "schöne grüße", "mit freundlichen grüßen", "mit freundlichen gruessen", "mit besten grüßen", "freundliche grüße",
    "mfg", "lg", "vg", "bg", "danke", "vielen dank", "besten dank", "bis dann", "bis bald", "tschüss",
    "cordialement", "bien cordialement", "bien à vous", "bien à toi", "amicalement", "merci", "merci d'avance", "salutations", "à bientôt", "cdt",
    "saludos", "un saludo", "saludos cordiales", "atentamente", "gracias", "muchas gracias", "un abrazo", "saluti", "cordiali saluti",
    "distinti saluti", "un saluto", "grazie", "ciao", "a presto", "cumprimentos", "atenciosamente", "obrigado", "obrigada", "abraços", "um abraço",
    "groet", "groeten", "groetjes", "met vriendelijke groet", "met vriendelijke groeten", "mvg", "bedankt", "dank je", "alvast bedankt",
    "hälsningar", "vänliga hälsningar", "med vänliga hälsningar", "mvh", "tack", "hilsen", "med venlig hilsen", "vennlig hilsen",
    "med vennlig hilsen", "vh", "mange tak", "takk", "tak", "terveisin", "ystävällisin terveisin", "kiitos", "t",
    "pozdrawiam", "z poważaniem", "serdecznie pozdrawiam", "dziękuję", "dzięki", "s pozdravem", "zdravím", "děkuji", "díky",
    "üdvözlettel", "köszönöm", "üdv", "с уважением", "спасибо", "привет", "всего доброго", "з повагою", "дякую", "saygılarımla", "teşekkürler",
    "よろしくお願いします", "よろしくお願いいたします", "敬具", "谢谢", "謝謝", "此致", "敬礼", "祝好", "감사합니다",
)  # fmt: skip

# words in names and titles that are written small
SMALL_WORDS = (
    "von", "van", "der", "den", "de", "di", "da", "du", "del", "della", "la", "le", "of", "and", "und", "et", "y", "the", "for", "für", "at",
    "bei", "&", "-", "|", "/", "·", "•",
)  # fmt: skip

# --- what nobody has to read: greetings, thanks, and words around orders; each a regular expression for a piece of a sentence

GREETING = (
    r"hi|hiya|hey|hello|hullo|dear|greetings|howdy|good (?:morning|day|afternoon|evening)|morning|hi there|hello there|"
    r"hallo|liebe[rs]?|guten (?:morgen|tag|abend)|moin(?: moin)?|servus|grüß (?:dich|gott)|grüezi|sehr geehrte[rs]?(?: damen und herren)?|"
    r"bonjour|bonsoir|salut|ch(?:er|ère)s?|coucou|hola|buenos días|buenas(?: tardes| noches)?|estimad[oa]s?|querid[oa]s?|ciao|salve|buongiorno|"
    r"buonasera|car[oaie]|gentile|olá|oi|bom dia|boa (?:tarde|noite)|car[oa]s|hoi|beste|goede(?:morgen|middag|navond|ndag)|dag|hej(?:san)?|god (?:morgon|dag|kväll|morgen|aften)|"
    r"kära?|kære|kjære|hei|moi|terve|huomenta|hyvää päivää|cześć|dzień dobry|witam|drog[ia]|ahoj|dobrý den|zdravím|szia(?:sztok)?|kedves|"
    r"здравствуйте|привет|добрый (?:день|вечер)|вітаю|merhaba|selam|γεια(?: σας| σου)?|שלום|こんにちは|你好|您好|안녕하세요"
)
# after a greeting, beside a name
TO_ALL = (
    "all", "everybody", "everyone", "there", "gm", "folks", "team", "guys", "again", "friends", "sir", "madam", "master", "zusammen", "alle",
    "leute", "herr", "frau", "spielleiter", "à tous", "tous", "tout le monde", "todos", "tutti", "allemaal", "iedereen", "allihopa", "alla", "kaikki",
    "wszystkim", "všem", "всем", "game", "mr", "mrs", "ms", "dr",
)  # fmt: skip
THANKS = (
    r"(?:(?:many|great|big|lots of|a lot of|ok(?:ay)?|cool|great) )?(?:thanks?|thank you|thx|tnx|thanx|cheers|ta|ty|much appreciated|appreciated)"
    r"|(?:vielen |besten |herzlichen |lieben |schönen |tausend )?dank(?:e|eschön)?(?: schön| sehr| dir| ihnen| vielmals)?|merci(?: beaucoup| bien| d'avance)?|(?:muchas |mil )?gracias"
    r"|grazie(?: mille| tante)?|(?:muito )?obrigad[oa]|(?:hartelijk )?bedankt|dank (?:je|u)(?: wel)?|dankjewel|tack(?: så mycket)?|tusen takk|mange tak|takk|tak|kiitos(?: paljon)?|kiitoksia"
    r"|dziękuję(?: bardzo)?|dzięki|děkuji|díky|köszönöm(?: szépen)?|köszi|mulțumesc|(?:большое )?спасибо(?: большое)?|дякую|teşekkürler|teşekkür ederim|ευχαριστώ|תודה(?: רבה)?|شكرا"
    r"|ありがとう(?:ございます|ございました)?|谢谢|謝謝|多谢|감사합니다|고마워요?"
)
MUCH = r"(?: (?:so|very|really) ?much(?: indeed)?| a lot| a bunch| a million| again| indeed| in advance| im voraus| nochmals| to you| gm| all| both)?"
THANKED_FOR = "for|für|pour|por|per|voor|för|za|pel[oa]s?|за"
# words that make more of thanks than thanks
GOES_ON = (
    "but", "and", "when", "why", "how", "what", "which", "where", "who", "can", "could", "would", "should", "please", "if", "i", "we", "is", "are",
    "not", "nothing", "no", "aber", "und", "wann", "wie", "was", "warum", "kann", "ich", "wir", "nicht", "nichts", "mais", "et", "quand", "comment", "je", "nous",
    "rien", "pero", "y", "cuando", "cómo", "yo", "nada", "ma", "quando", "come", "maar", "en", "wanneer", "hoe", "ik", "men", "och", "när", "jag", "ale", "но", "когда",
)  # fmt: skip
APPROVAL = (
    r"ok(?:ay)?|great|nice|cool|perfect|super|wonderful|excellent|brilliant|lovely|awesome|got it|received|noted|will do|looks good|all good|good|toll|prima|klasse|alles klar|passt|"
    r"angekommen|erhalten|parfait|génial|bien reçu|perfecto|perfetto|ricevuto|top|fint|hienoa|świetnie|отлично|(?:great|nice|good|lovely|wonderful|super|fantastic) (?:work|job|report|turn|one|stuff|game|read)"
)
# lines that only say that orders follow, or are attached
ORDERS_FOLLOW = (
    r"\b(?:my|our|the|these|here|herewith|hereby|below|attached|see)\b.*\b(?:orders?|moves?|commands?|turn|file|attach\w*)\b|\borders?\b.*\b(?:attached|below|follow\w*|turn \d+)\b|^(?:see )?attached$|^see below$|"
    r"\b(?:meine|unsere|hier|anbei|die)\b.*\b(?:befehle|züge|zug|anweisungen|datei)\b|\b(?:mes|nos|les|voici|ci-joint)\b.*\b(?:ordres|fichier)\b|\b(?:mis|nuestras|las|aquí|adjunto)\b.*\b(?:órdenes|ordenes|archivo)\b|"
    r"\b(?:i miei|ecco|allego|gli)\b.*\b(?:ordini|file)\b|\b(?:mijn|onze|hierbij|de)\b.*\b(?:orders|bevelen|bijlage)\b|\b(?:mina|här)\b.*\border\b|^turn \d+$|^orders?$"
)
# the same in a word or two, above the orders with a colon
HEADINGS = frozenset(("orders", "my_orders", "our_orders", "the_orders", "moves", "my_moves", "my_turn", "befehle", "meine_befehle", "ordres", "mes_ordres"))  # fmt: skip
# words with which people speak of themselves and others
SPEAKS = frozenset(("i", "i'd", "i'm", "i'll", "we", "you", "your", "my", "me", "us", "is", "are", "was", "will", "would", "can", "could", "may", "should", "shall", "ich", "wir", "du", "ist", "je", "nous", "est"))  # fmt: skip
# what a program's own answer says while somebody is away: that it is one, or all three of the others
# words with which people give up their seat
RESIGNS = (
    r"\b(?:i|we)(?:['’]ll| will| must| have to| need to| want to| would like to|['’]d like to|['’]m going to| am going to)?"
    r" (?:hereby )?(?:resign|quit|drop out|give up (?:my|our) (?:seat|kingdom)|leave the (?:game|campaign))\b"
    r"|\b(?:i am|i['’]m|we are) (?:resigning|quitting|dropping out|giving up (?:my|our) (?:seat|kingdom))\b"
    r"|\bich (?:gebe auf|steige aus|höre auf)\b|\bj['’]abandonne\b"
)
AUTOMATIC_TEXT = (
    r"this is an? (?:auto(?:mated|matic|matically generated|-generated)?)[ -](?:reply|response|message|e-?mail|answer)|(?:dies|das) ist eine automatische? (?:generierte )?(?:antwort|nachricht|e-?mail)|"
    r"ceci est un (?:message|courriel) automatique|este es un mensaje automático|questo è un messaggio automatico|dit is een automatisch (?:antwoord|bericht)|detta är ett automatiskt|это автоматический ответ"
)
FOR_YOUR_MAIL = (
    r"thank(?:s| you) for (?:your|the) (?:e-?mail|mail|message)|dank für (?:ihre|deine) (?:e-?mail|mail|nachricht)|merci (?:de|pour) (?:votre|ton) (?:message|courriel|e-?mail|mail)|"
    r"gracias por (?:su|tu) (?:mensaje|correo)|grazie per (?:la sua|la tua|il suo|il tuo) (?:e-?mail|messaggio)|bedankt voor (?:uw|je) (?:bericht|e-?mail|mail)|tack för ditt (?:mejl|mail|meddelande)"
)
AWAY = (
    r"out of (?:the )?office|on (?:annual |parental |sick |maternity )?leave|on (?:vacation|holidays?)|limited access to|nicht im (?:büro|haus)|im urlaub|nicht erreichbar|abwesend|außer haus|"
    r"en (?:congés?|vacances)|absente?\b|de vacaciones|fuera de la oficina|in ferie|fuori (?:sede|ufficio)|met vakantie|afwezig|på semester|inte på kontoret"
)
BACK_LATER = (
    r"\burgent|\bdringend|\bas soon as|\bupon my return|\bwhen i(?: am|'m)? (?:return|back)|\bi will (?:reply|respond|answer|return|be back)|please contact|bitte wenden|nicht weitergeleitet|"
    r"werde (?:ich )?.{0,60}(?:beantworten|antworten)|à mon retour|en cas d'urgence|a mi regreso|al mio rientro|bij mijn terugkomst|när jag är tillbaka"
)

# in a signature: before a telephone number, before the number of a room, before an address or a name
TELEPHONE = (
    "tel|telefon|telephone|telefono|teléfono|telefone|téléphone|phone|fon|mobile|mobil|mobiel|handy|cell|cellulare|móvil|portable|fax|office|direct|ph|tlf|"
    "puh|gsm|тел|電話|电话"
)
ROOM = "room|suite|floor|raum|zimmer|apt|bureau"
ACCOUNT = "skype|signal|telegram|discord|twitter|mastodon|matrix|web|website|homepage|blog|e-?mail|mail|linkedin"
