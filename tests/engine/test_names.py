"""When two names are one: only comparing is lenient."""

from __future__ import annotations

import pytest

from kingdom.engine import names


@pytest.mark.parametrize(
    "typed",
    ["Oak’s End", "oak's end", "OAK‘S  END", "Oak´s End.", "Oa\u200dk's End", " Oak's End "],
)
def test_a_name_is_found_however_it_is_typed(typed: str) -> None:
    assert names.find(typed, ["Oakhold", "Oak's End"]) == "Oak's End"


def test_letters_composed_and_decomposed_are_the_same() -> None:
    assert names.find("Ko\u0308ln", ["K\u00f6ln"]) == "K\u00f6ln"


@pytest.mark.parametrize("known", ["St. John.", "Mt.", "d’Or", "می\u200cشهر"])
def test_an_odd_name_is_found_as_it_is_spelt(known: str) -> None:
    assert names.find(known, ["Oakhold", known]) == known
    assert names.find(known.rstrip("."), ["Oakhold", known]) == known


def test_the_same_name_comes_before_one_that_is_only_alike() -> None:
    assert names.find("Mt", ["Mt.", "Mt"]) == "Mt"
    assert names.find("Oakhold", ["Mt."]) == ""


@pytest.mark.parametrize("address", ["ada@b\u00fccher.example", "ADA@xn--bcher-kva.example"])
def test_a_domain_is_the_same_in_both_its_forms(address: str) -> None:
    assert names.address(address) == "ada@xn--bcher-kva.example"
