"""The small campaigns of the board games that scripts/keep_release plays: a person has one seat, bots have the others."""

from __future__ import annotations

from pathlib import Path

LAST = 2  # the last turn that is played
TELL = "turn: 1\ntell: {all: May the best one win.}\n"
FILES = {
    "kings_progress": {
        "campaign.yaml": """\
name: Two cities
game: kings_progress
seed: public, what a release wrote
steward_after: 0
rules: {pace: weekly}
players: {alice: {name: Ada}, bob: {name: Bob, bot: chancellor}}
""",
        "kingdoms/alice.yaml": "name: Alice\n",
        "kingdoms/bob.yaml": "name: Bob\n",
        "table.yaml": "clockwise: [alice, bob]\n",
        "orders/0001/alice.yaml": """\
kingdom: alice
turn: 1
city: 5 in alice, 0 in bob
city_veto:
  - {if: {city: newest, tile_max: 1, taken_by_me: false}, replace_with: 4}
invest: [{kingdom: alice, coin: 4, if: {tile_min: 4}}, {kingdom: bob, coin: 0}, {kingdom: alice, coin: 1}]
messages: {all: May the richest road win.}
""",
        "orders/0001/gm.yaml": TELL,
        "orders/0002/alice.yaml": """\
kingdom: alice
turn: 2
city: 9 in bob, 4 in alice, 0 in bob
invest: 5 in alice, 0 in bob
progress: {veto_if: {next_tile_max: 2, vetoes_min: 1}}
""",
    },
    "royal_progress": {
        "campaign.yaml": """\
name: A summer
game: royal_progress
seed: public, what a release wrote
steward_after: 0
rules: {pace: lap}
players: {alice: {name: Ada}, bob: {name: Bob, bot: chamberlain}, carol: {name: Carol, bot: random}}
""",
        "kingdoms/alice.yaml": "name: Alice\n",
        "kingdoms/bob.yaml": "name: Bob\n",
        "kingdoms/carol.yaml": "name: Carol\n",
        "table.yaml": "clockwise: alice bob carol\n",
        "orders/0001/alice.yaml": """\
kingdom: alice
turn: 1
discard: jester 0
standing:
  pair: {prefer_types: [titles, land], then: most_crowns}
messages: {all: A fine summer to everybody.}
""",
        "orders/0001/gm.yaml": TELL,
        "orders/0002/alice.yaml": """\
kingdom: alice
turn: 2
plans:
  - actions: [B knight 1, C]
  - actions: [{do: C, prefer: [{min: 2}, any]}, C]
messages: {bob: Leave me the bishop?}
""",
    },
    "cardinals_guards": {
        "campaign.yaml": """\
name: A castle
game: cardinals_guards
seed: public, what a release wrote
steward_after: 0
rules:
  pace: {turns: 4, deals: 2}
  layout:
    tiles: [C5 C0 M2 A2 C1, M1 C4 S4 S1 M5, A3 S3 -- S2 M4, A1 C2 A5 A0 A4, M3 C3 S5 M0 S0]
    north: CCSSC
    east: ACMMM
    south: AACMM
    west: SSMAA
    supply: SSCA
players: {athos: {name: Ada}, porthos: {name: Bob, bot: captain}}
""",
        "kingdoms/athos.yaml": "name: Athos\n",
        "kingdoms/porthos.yaml": "name: Porthos\n",
        "orders/0001/athos.yaml": """\
kingdom: athos
turn: 1
continue_from: 0
orders: move C E, move C S, move A W, move A E, move A N, move M N, move M W, move M N, move M E, move M S exit a1
messages: {all: All for one.}
""",
        "orders/0001/gm.yaml": TELL,
        "orders/0002/athos.yaml": """\
kingdom: athos
turn: 2
continue_from: 10
orders: lure A a2, move C W, move A W, move A N, move S S
""",
    },
    "kings_pouch": {
        "campaign.yaml": """\
name: Two houses
game: kings_pouch
seed: public, what a release wrote
steward_after: 0
players: {alice: {name: Ada}, bob: {name: Bob, bot: steward}}
""",
        "kingdoms/alice.yaml": "name: House of Alder\n",
        "kingdoms/bob.yaml": "name: House of Birch\n",
        "table.yaml": "characters:\n",
        "orders/0001/alice.yaml": """\
kingdom: alice
turn: 1
castle: [E3, E4, E1]
messages: {bob: Peace between us?}
""",
        "orders/0001/gm.yaml": TELL,
        "orders/0002/alice.yaml": """\
kingdom: alice
turn: 2
place: [common at Barracks, common at Barracks, soldier at Farmstead, common at Tavern]
manage: [{occupy: [R4, R5]}, {build: [School, Inn, Stable]}, {claim: [queen, prince]}]
tax: if_needed
""",
    },
}


def laid_down(name: str, folder: Path) -> Path:
    """The campaign of a game before turn 0, with its orders filed; gives the folder."""
    for file, text in FILES[name].items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    return folder
