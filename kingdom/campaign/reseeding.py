"""Changing a seed that leaked: from the next turn on the dice come from another, and all get new commitments."""

from __future__ import annotations

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import settings_edit, store, taken_back
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.promise import prove_seed
from kingdom.campaign.settings import FILE


def reseed(campaign: Campaign, seed: str) -> int:
    """Write a new seed into campaign.yaml, with the old one and the last turn that was rolled from it. Returns the first turn
    of the new seed. The caller must hold the campaign. Raises Faults."""
    file, newest = campaign.folder / FILE, campaigns.newest(campaign)
    if newest < 0:
        raise fault("reseed_start", file)
    turn = campaigns.kept(campaign)
    over = campaigns.over(campaign, newest + 1, campaigns.state_of(campaign, turn))
    if over:
        raise fault("game_over", campaign.folder, turn=newest + 1, reason=over)
    if taken_back.is_closed(campaign.folder, newest + 1):
        raise fault("reseed_closed", campaign.folder, turn=newest + 1, folder=campaigns.typed(campaign))
    prove_seed(campaign, turn)
    settings = campaign.settings
    old = {last: seed_before for last, seed_before in sorted(settings.old_seeds.items()) if last < newest}
    old[newest] = settings.seed_of(newest)
    changed = settings_edit.with_seed(store.read(file), seed, old)
    if changed is None:
        raise fault("reseed_by_hand", file, entry=f"old_seeds: {settings_edit.seeds_in_words(old)}")
    with writing(file):
        store.move(store.prepared(file, changed), file)
    return newest + 1
