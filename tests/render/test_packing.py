"""What a page makes of packed offers are the offers that went in, whatever they hold. Those of games: tests/games/test_form_pages.py."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.games.test_form_pages import some_page
from tests.kit.browser import PROGRAM, Browser
from tests.kit.formkit import unpacked

pytestmark = pytest.mark.package("chromium", PROGRAM)
WORDS = [
    "", "0102", "12", "1", "e", "id", "Claim 0102, hills", "~", "~0~", "New Haven", 'a "b" \\', "held 0102", "Øster å", "</script>",
]  # fmt: skip


def test_offers_made_at_random_come_back_as_they_were(browser: Browser, tmp_path: Path) -> None:
    some_page("kings_progress").show(browser, tmp_path)
    rows = 0
    for seed in range(60):
        model = json.loads(json.dumps(some_model(Random(seed))))
        rows += sum(len(part.get("offers", [])) for section in model["sections"] for part in section["parts"])
        assert unpacked(browser, model) == model["sections"], seed
    assert rows > 1_000


def some_model(random: Random) -> dict[str, Any]:
    """Offers that share much of what they hold, in several parts, some without offers."""
    shapes = [some_value(random, 3) for _ in range(6)]
    words = [word for word in WORDS if "~" not in word] if random.random() < 0.7 else WORDS
    places = random.sample(words, 4)

    def offer() -> dict[str, Any]:
        place = random.choice(places)
        held = {
            name: some_like(random, random.choice(shapes), place)
            for name in random.sample("abcdefgh", random.randrange(6))
        }
        at = {"at": place} if random.random() < 0.8 else {}
        return {"id": f"{random.choice(['claim', 'build'])} {place}", "key": random.choice("xy"), **at, **held}

    def part() -> dict[str, Any]:
        offers = {"offers": [offer() for _ in range(random.randrange(12))]} if random.random() < 0.9 else {}
        return {"title": random.choice(places), **offers}

    return {"sections": [{"id": "one", "parts": [part() for _ in range(random.randrange(5))]} for _ in range(2)]}


def some_value(random: Random, deep: int) -> Any:
    """A value of JSON."""
    kind = random.randrange(7 if deep else 4)
    if kind < 4:
        return [random.choice([0, 1, True, False, 12, -1.5]), None, *random.sample(WORDS, 2)][kind]
    inside = [some_value(random, deep - 1) for _ in range(random.randrange(4))]
    return inside if kind == 4 else dict(zip(random.sample([*"abc", "id", "0102", "e"], 3), inside, strict=False))


def some_like(random: Random, shape: Any, place: str) -> Any:
    """A value of that shape, with the place in some of its texts."""
    if isinstance(shape, list):
        return [some_like(random, inner, place) for inner in shape]
    if isinstance(shape, dict):
        return {name: some_like(random, inner, place) for name, inner in shape.items() if random.random() < 0.95}
    again = random.random()
    return f"{shape} {place}" if again < 0.3 else shape if again < 0.9 else some_value(random, 0)
