#!/bin/sh
# ledger 3.3.0 (Debian 12) accepts hledger's one-line `commodity 1000. "coins"` without a word, and has not declared the commodity:
# with --strict it then warns of every posting in it. hledger 1.25 reads the line as the commodity's name and how its numbers look.
# `commodity "coins"` alone declares it in both, with quotes or without; so a journal for both leaves the numbers' form out.
# Seen on 2026-11-28: ledger warns of the first journal 2 times ("Unknown commodity 'coins'"), of the second never; hledger of neither.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
apt-get -qq download ledger=3.3.0-3 hledger=1.25-2+b5 libboost-iostreams1.74.0 libboost-regex1.74.0 libboost-python1.74.0 \
    libboost-filesystem1.74.0 libboost-system1.74.0 libpython3.11 libmpfr6 libgmp10 libicu72 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find root -name '*.so*' -printf '%h\n' | sort -u | paste -sd:); export LD_LIBRARY_PATH
entry='account assets
account income
payee harvest

2026-12-04 harvest
    assets  5 "coins"
    income  -5 "coins"
'
printf 'commodity 1000. "coins"\n%s' "$entry" >one-line.journal
printf 'commodity "coins"\n%s' "$entry" >name.journal
for journal in one-line name; do
    root/usr/bin/hledger -f $journal.journal check --strict
    echo "$journal: hledger accepts it; ledger warns $(root/usr/bin/ledger -f $journal.journal --strict balance 2>&1 >/dev/null | grep -c "Unknown commodity 'coins'") times"
done | tee seen
[ "$(cat seen)" = "one-line: hledger accepts it; ledger warns 2 times
name: hledger accepts it; ledger warns 0 times" ]
