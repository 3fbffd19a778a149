#!/bin/sh
# SpamAssassin 4.0.1 (Debian 12) takes 30 to 35 single letters in a row for a Bitcoin address if the first is a 1 or a 3, with a space between any
# two of them or none. So the first row of a map as text, its number in front and a letter for each hex, is an address (rule PDS_BTC_ID), and so
# are the letters of an inline SVG map, which stand in a <text> each. Beside "within 48 hours" they make a blackmailer's deadline
# (BITCOIN_DEADLINE): two points, where five are spam. The same row as the second of its map is no address.
# Seen on 2026-11-29: 1.0 BITCOIN_DEADLINE and 1.0 PDS_BTC_ID for the first row and for the drawing, neither for the second row.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
apt-get -qq download spamassassin=4.0.1-1~deb12u1 libhtml-parser-perl=3.81-1+deb12u1 libhtml-tagset-perl liburi-perl \
    libnet-dns-perl libnetaddr-ip-perl libsocket6-perl libsys-hostname-long-perl libhttp-date-perl >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
folders=$(find "$PWD/root/usr" -type d \( -path '*/share/perl5' -o -path '*/lib/*/perl5/5.*' \) -prune -printf '-I %p ')
letters='F M H T F M H T F M H T F M H T F M H T F M H T F M H T F M'
drawing=$(for letter in 1 $letters; do printf '<text>%s</text>' "$letter"; done)
mail() {  # type, what stands below the deadline
    printf '%s\n' 'From: gm@example.org' 'To: ann@example.com' 'Subject: Turn 12' 'Date: Sat, 28 Nov 2026 10:00:00 +0000' \
        'Message-ID: <turn-12@example.org>' 'MIME-Version: 1.0' "Content-Type: $1; charset=utf-8" '' \
        'Your kingdom in turn 12. Send your orders within 48 hours.' '' "$2"
}
scored() {  # what it is, type, what stands below the deadline
    echo "$1:"
    # shellcheck disable=SC2086  # a list of options
    mail "$2" "$3" | perl -T $folders root/usr/bin/spamassassin --local --test-mode --nocreate-prefs --configpath root/usr/share/spamassassin \
        --siteconfigpath root/etc/spamassassin | sed -n 's/^ *\([0-9.]* \(BITCOIN\|PDS_BTC\)[A-Z_]*\) .*/\1/p' | sort
}
{
    scored 'first row' text/plain "1 $letters"
    scored drawing text/html "<html><body><p>Map</p><svg>$drawing</svg></body></html>"
    scored 'second row' text/plain "2 $letters"
} | tee seen
[ "$(cat seen)" = "first row:
1.0 BITCOIN_DEADLINE
1.0 PDS_BTC_ID
drawing:
1.0 BITCOIN_DEADLINE
1.0 PDS_BTC_ID
second row:" ]
