"""`kingdom correct` in the board games: a grant that should not have been is booked back by the GM's grant."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from kingdom.campaign import campaign as campaigns
from kingdom.campaign.corrections import correct
from kingdom.cli.main import main
from kingdom.engine import game as games

NEW = {"name": "A new one", "seed": "a public seed", "tokens": (), "size": None, "bots": 0}
GRANTED = {  # game -> what a grant names, the account that it moves, how much, and what else the campaign says
    "cardinals_guards": ("by", "total", 3, {"rules": {"pace": {"turns": 1, "deals": 5}}}),
    "kings_pouch": ("prestige", "prestige", 3, {}),
    "kings_progress": ("vetoes", "vetoes", -2, {}),
    "royal_progress": ("points", "points", 3, {}),
}


@pytest.fixture(params=GRANTED)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Three turns in which nobody orders anything but the GM, who grants in the first."""
    key, _, by, more = GRANTED[request.param]
    files = games.load(request.param).opening.new(3, NEW)
    told = yaml.safe_load(files["campaign.yaml"]) | more | {"steward_after": 0, "public_seed": True}
    seat = min(told["players"])
    grant = {"turn": 1, "gm": [{"grant": seat, key: by, "reason": "a slip"}]}
    for name, text in {
        **files,
        "campaign.yaml": yaml.safe_dump(told),
        "orders/0001/gm.yaml": yaml.safe_dump(grant),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert main(["turn", str(tmp_path)]) == main(["turn", str(tmp_path), "--turns", "3"]) == 0
    return tmp_path


def test_a_grant_that_should_not_have_been_is_booked_back(folder: Path) -> None:
    (folder / "orders/0001/gm.yaml").unlink()
    campaign = campaigns.open_campaign(folder)
    key, account, by, _ = GRANTED[campaign.game.name]
    seat = min(campaign.seats)
    found = correct(campaign, 1)
    assert found.orders == [{"grant": seat, key: -by, "reason": "correction of turn 1"}]
    assert found.today[seat][account] == found.right[seat][account] + by and found.left == {}
    assert main(["correct", str(folder), "--turn", "1", "--yes"]) == main(["turn", str(folder)]) == 0
    assert correct(campaigns.open_campaign(folder), 1).orders == [], "it stands as it should"
