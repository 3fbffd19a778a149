"""Counts the lines of code of the project's Python files, so that "before" and "after" mean the same: `scripts/lines`.

A line counts where a part of a statement stands on it. Blank lines, comments, docstrings and imports do not count; a line inside
another text does, unless it is blank. Without a folder, kingdom/ alone is counted: 52,712 lines at commit 9d8076ac.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
UNCOUNTED = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(source: str) -> int:
    """The number of lines of code in the text of a Python module. Raises SyntaxError."""
    uncounted = {number for number, line in enumerate(source.split("\n"), 1) if not line.strip()}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            uncounted.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            uncounted.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    occupied: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in UNCOUNTED:
            occupied.update(range(token.start[0], token.end[0] + 1))
    return len(occupied - uncounted)


def by_folder(folders: list[str], commit: str | None, depth: int) -> Counter[str]:
    """The lines of code in each folder below the named ones, cut to `depth` names; of a commit, or as the files stand now.

    Raises subprocess.CalledProcessError where git does not know the commit.
    """
    counts: Counter[str] = Counter()
    for path, source in _sources(folders, commit):
        counts["/".join(path.parent.parts[:depth])] += code_lines(source)
    return counts


def _sources(folders: list[str], commit: str | None) -> list[tuple[PurePosixPath, str]]:
    """Each Python file with its text. Files that git does not track count as well, but none in a hidden folder."""
    if commit is None:
        paths = sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))
        return [(PurePosixPath(path.relative_to(ROOT).as_posix()), path.read_text("utf-8")) for path in paths]
    names = _git("ls-tree", "-r", "--name-only", "-z", commit, "--", *folders).split("\0")
    return [(PurePosixPath(name), _git("show", f"{commit}:{name}")) for name in names if name.endswith(".py")]


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True, encoding="utf-8"
    ).stdout


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="scripts/lines", description=__doc__)
    parser.add_argument(
        "folders", nargs="*", metavar="FOLDER", help="below the project's own folder (default: kingdom)"
    )
    parser.add_argument("--at", metavar="COMMIT", help="count the files of this commit (default: as they stand now)")
    parser.add_argument(
        "--depth", type=int, default=2, metavar="N", help="names of folders in a row (default: %(default)s)"
    )
    asked = parser.parse_args(words)
    try:
        counts = by_folder([folder.rstrip("/") for folder in asked.folders or ["kingdom"]], asked.at, asked.depth)
    except subprocess.CalledProcessError as failure:
        parser.error(failure.stderr.strip())
    for folder, lines in sorted(counts.items()):
        print(f"{lines:8,}  {folder}")
    print(f"{counts.total():8,}  in all")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
