"""An order form filled in without a browser: by the rules of templates/form/fields.js and filling.js."""

from __future__ import annotations

from random import Random
from typing import Any

Values = dict[str, Any]


def offers_of(page: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The offers of a form under that key."""
    return [
        offer
        for section in page["sections"]
        for part in section["parts"]
        for offer in part["offers"]
        if offer["key"] == key
    ]


def is_open(option: dict[str, Any], values: Values) -> bool:
    """Whether the option may be chosen beside what the other fields hold."""
    among = [values.get(name) in words for name, words in option.get("when", {}).items()]
    return all(among) and not any(values.get(name) in words for name, words in option.get("unless", {}).items())


def fits(offer: dict[str, Any], values: Values) -> bool:
    """Whether the form takes these values."""
    for field in offer.get("fields", ()):
        value = values.get(field["name"])
        if value is None:
            if not field.get("none"):
                return False
        elif not any(option["value"] == value and is_open(option, values) for option in field["options"]):
            return False
    return True


def order_of(offer: dict[str, Any], values: Values) -> Any:
    """The order that the offer makes of what was chosen, with what options mean in orders."""
    means = {
        field["name"]: {option["value"]: option["means"] for option in field["options"] if "means" in option}
        for field in offer["fields"]
    }
    return filled(offer["value"], {name: means[name].get(value, value) for name, value in values.items()})


def filled(template: Any, values: Values) -> Any:
    """The offer's value with what was chosen; what stays empty falls away."""
    if isinstance(template, str):
        return values.get(template.strip("\x01")) if template.startswith("\x01") else template
    if isinstance(template, list):
        return [each for each in (filled(item, values) for item in template) if each is not None]
    if isinstance(template, dict):
        found = {key: filled(item, values) for key, item in template.items()}
        return {key: each for key, each in found.items() if each not in (None, [])}
    return template


def at_random(offer: dict[str, Any], random: Random, tries: int = 20) -> Values | None:
    """Some choice of everything; None where none was found."""
    for _ in range(tries):
        values: Values = {}
        for field in offer["fields"] * 3:
            possible = [option["value"] for option in field["options"] if is_open(option, values)]
            if possible and not (field.get("none") and random.random() < 0.4):
                values[field["name"]] = random.choice(possible)
            else:
                values.pop(field["name"], None)
        if fits(offer, values):
            return values
    return None
