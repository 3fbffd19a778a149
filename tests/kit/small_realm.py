"""A small campaign of the kingdom game: two kingdoms that touch, and a few turns played."""

from __future__ import annotations

from pathlib import Path

from tests.kit.tiny_game import file_orders, write

CAMPAIGN = """\
name: The two fords
game: realm
seed: public, this is a test
public_seed: true
rules: {events: {chance: {normal: 0, after_quiet_turn: 0}}, trade: {between_neighbours: false}}
players: {examplia: {name: Ada}, borderia: {name: Bo}}
"""
MAP = """\
grid: |
  pppffh
  ppppfh
  ppphhm
  ppphhm
hexes:
  "0202": {features: [river]}
  "0103": {secret: an old crown}
"""
EXAMPLIA = """\
name: Examplia
attributes: {economy: 4, loyalty: 4, stability: 4}
treasury: 50
capital: Oakhold
hexes: {"0202": [farm], "0203": []}
settlements: {Oakhold: {hex: "0203", buildings: [house, inn]}}
"""
BORDERIA = """\
name: Borderia
attributes: {economy: 2, loyalty: 2, stability: 2}
treasury: 30
unrest: 2
capital: Fordham
hexes: {"0302": [], "0303": []}
settlements: {Fordham: {hex: "0303", buildings: [house]}}
"""
FILES = {
    "campaign.yaml": CAMPAIGN,
    "map.yaml": MAP,
    "kingdoms/examplia.yaml": EXAMPLIA,
    "kingdoms/borderia.yaml": BORDERIA,
}
ORDERS = {
    (1, "examplia"): "claim: 0102\nbuild: house in Oakhold, inn in Nowhere\nfinal: true\n",
    (1, "borderia"): "holiday: long\nclaim: 0402\n",
    (2, "examplia"): "claim: 0103\naid: economy to borderia\nrequests: May I dig?\n",
    (2, "gm"): 'gm: [{grant: borderia, account: treasury, by: -3, reason: "a fine, for \\"noise\\""}]\n',
    (3, "borderia"): "taxation: light\nimprove: road 0302\n",
}


def campaign(folder: Path) -> Path:
    """The campaign before turn 0."""
    for name, text in FILES.items():
        write(folder, name, text)
    return folder


def played(folder: Path, turns: int = 2) -> Path:
    """The campaign with so many turns kept after turn 0; what is filed for the next one lies there, too."""
    from kingdom.cli.main import main

    campaign(folder)
    assert main(["turn", "--yes", str(folder)]) == 0
    for turn in range(1, turns + 2):
        for (number, seat), text in ORDERS.items():
            if number == turn:
                file_orders(folder, turn, seat, text)
        if turn <= turns:
            assert main(["turn", "--yes", str(folder)]) == 0
    return folder
