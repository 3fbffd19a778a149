#!/bin/sh
# khal 0.11.3 (PyPI) shows an event that has DTSTART with a time and neither DTEND nor DURATION as an hour long.
# RFC 5545, 3.6.1: such an event ends when it begins. Who sends a moment by mail, such as a deadline, finds it an hour too late.
# Seen on 2026-11-28: "18:00 to 19:00 Orders are due", for an event that is 18:00 and nothing more.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
python3 -m venv env
env/bin/pip -q install khal==0.11.3 icalendar==7.3.2
cat >event.ics <<'END'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//EN
BEGIN:VEVENT
UID:deadline@example.org
DTSTAMP:20261201T000000Z
DTSTART:20261204T180000Z
SUMMARY:Orders are due
END:VEVENT
END:VCALENDAR
END
sed -i 's/$/\r/' event.ics
mkdir calendar
cat >khal.conf <<END
[calendars]
[[mine]]
path = $work/calendar
[locale]
local_timezone = UTC
default_timezone = UTC
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[sqlite]
path = $work/khal.db
END
env/bin/khal -c khal.conf import --batch -a mine event.ics 2>/dev/null
shown=$(env/bin/khal -c khal.conf list --format '{start-time} to {end-time} {title}' 2026-12-04 1d 2>/dev/null | tail -n 1)
echo "khal $(env/bin/khal --version | sed 's/.*version //'): $shown"
[ "$shown" = "18:00 to 19:00 Orders are due" ]
