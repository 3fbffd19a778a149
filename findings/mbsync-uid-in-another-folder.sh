#!/bin/sh
# mbsync 1.4.4 (isync, Debian 12) keeps a message's number in the name of its file, `,U=1`. A program that moves the file to another
# folder of the same Maildir, where that number is higher than the folder has seen, ends the syncing of that folder for good:
# "Maildir error: UID 1 is beyond highest assigned UID 0." The Maildir format's own rules let a name keep what stands before the colon.
# Seen on 2026-11-28: exit 1 with that sentence; without the mark in the name it goes on with exit 0.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
apt-get -qq download isync=1.4.4-5 libdb5.3 libsasl2-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
LD_LIBRARY_PATH=$(find root -name '*.so*' -printf '%h\n' | sort -u | paste -sd:); export LD_LIBRARY_PATH
sync_both() { sleep 2; root/usr/bin/mbsync -c settings -a >said 2>&1 || return $?; }  # a file is looked at when it is a second old
post() { printf 'From: ada@example.org\nMessage-ID: <%s@example.org>\n\nx\n' "$1" >"far/new/180000000$1.M1P1.host"; }
try() {
    rm -rf far near .mbsync; mkdir -p far/cur far/new far/tmp near/cur near/new near/tmp
    cat >settings <<END
MaildirStore far
Inbox $work/far
SubFolders Maildir++

MaildirStore near
Inbox $work/near
SubFolders Maildir++

Channel both
Far :far:
Near :near:
Patterns *
Create Both
SyncState *
END
    done_folder=near/.Done; mkdir -p $done_folder/cur $done_folder/new $done_folder/tmp
    post 1; post 2; sync_both
    for file in near/cur/* near/new/*; do
        [ -e "$file" ] || continue
        name=${file##*/}
        mv "$file" "$done_folder/cur/$(printf %s "$name" | sed "$1")"
    done
    code=0; sync_both || code=$?
    echo "mbsync 1.4.4, $2: exit $code $(grep -o 'UID [0-9]* is beyond highest assigned UID [0-9]*' said || true)"
}
{ try '' "with the mark"; try 's/,U=[0-9]*//' "without the mark"; } | tee seen
grep -q '^mbsync 1.4.4, with the mark: exit 1 UID [0-9]* is beyond highest' seen
grep -q '^mbsync 1.4.4, without the mark: exit 0 *$' seen
