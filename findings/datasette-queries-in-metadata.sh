#!/bin/sh
# Datasette 1.0a41 (PyPI, an alpha) takes no `queries` from a file given with `-m`: it shows the file's title, and each query is
# "Table not found". The same file with `-c` works. Datasette 0.65.5 is the other way round: `-m` works, and it knows no `-c`.
# Settings that are not metadata moved to another file, and nothing says so of queries that are left in the old one.
# Seen on 2026-11-28: 0.65.5 -m: the row; 0.65.5 -c: "No such option"; 1.0a41 -m: "Table not found"; 1.0a41 -c: the row.
set -eu
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
for version in 0.65.5 1.0a41; do
    python3 -m venv $version
    $version/bin/pip -q install datasette==$version 2>/dev/null
done
cat >questions.yaml <<'END'
databases:
  books:
    queries:
      one:
        sql: select 1 as one
END
python3 -c 'import sqlite3; base = sqlite3.connect("books.sqlite"); base.execute("create table entries (x)"); base.commit()'
for version in 0.65.5 1.0a41; do
    for option in -m -c; do
        said=$($version/bin/datasette books.sqlite $option questions.yaml --get /books/one.csv 2>&1 | tr -d '\r' | tr '\n' ' ' || true)
        case $said in *"No such option"*) said="No such option" ;; esac
        echo "$version $option: $said" | sed 's/ *$//'
    done
done | tee seen
[ "$(cat seen)" = "0.65.5 -m: one 1
0.65.5 -c: No such option
1.0a41 -m: Table not found
1.0a41 -c: one 1" ]
