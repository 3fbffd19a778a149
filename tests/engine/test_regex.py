"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import importlib
import pkgutil
import re

import pytest

import kingdom
from kingdom.engine.regex import regex


def test_every_one_that_a_module_declares_compiles() -> None:
    """A fault in one would else be found only by who comes upon it."""
    names = [
        module.name
        for module in pkgutil.walk_packages(kingdom.__path__, "kingdom.")
        if not module.name.endswith("__main__")
    ]
    lazy = [
        (name, word, value)
        for name in names
        for word, value in vars(importlib.import_module(name)).items()
        if type(value) is regex
    ]
    assert len(lazy) > 50
    for name, word, value in lazy:
        assert value.pattern is not None and value.search, (name, word)


def test_it_does_what_a_compiled_one_does() -> None:
    late, now = regex(r"(?P<word>b+)|x", re.IGNORECASE), re.compile(r"(?P<word>b+)|x", re.IGNORECASE)
    found, expected = late.search("aBBb"), now.search("aBBb")
    assert found and expected and found.span() == expected.span() and found["word"] == "BBb"
    assert late.sub("-", "abxb") == now.sub("-", "abxb") and late.pattern == now.pattern and late.flags == now.flags
    assert regex(rb"\d").findall(b"1a2") == [b"1", b"2"]
    with pytest.raises(re.error):
        regex("(").match("")
