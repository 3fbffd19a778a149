"""Changing a seed that leaked: from the next turn on the dice come from another, and all get new commitments."""

from __future__ import annotations

from msgspec.structs import replace

from kingdom.campaign import campaign as campaigns
from kingdom.campaign import commitment, settings_edit, store, undone_turns
from kingdom.campaign.campaign import Campaign
from kingdom.campaign.commitment import ENDED, RESEED, Promise, prove_seed
from kingdom.campaign.errors import fault, writing
from kingdom.campaign.settings import FILE


def reseed(campaign: Campaign, seed: str) -> int:
    """Write a new seed into campaign.yaml, with the old one and the last turn that was rolled from it, and keep what is promised by it.
    Returns the first turn of the new seed. The caller must hold the campaign. Raises Faults."""
    file, newest = campaign.folder / FILE, campaigns.newest(campaign)
    if newest < 0:
        code = "reseed_taken_back" if undone_turns.latest(campaign.folder, 0) else "reseed_start"
        raise fault(code, file, folder=campaigns.typed(campaign))
    turn = campaigns.kept(campaign)
    if over := campaigns.over(campaign, newest + 1, campaigns.state_of(campaign, turn)):
        raise fault("game_over", campaign.folder, turn=newest + 1, reason=over)
    if undone_turns.is_closed(campaign.folder, newest + 1):
        raise fault("reseed_closed", campaign.folder, turn=newest + 1, folder=campaigns.typed(campaign))
    prove_seed(campaign, turn)
    changed, data = with_seed(campaign, seed, newest)
    is_told = commitment.is_told(campaign, campaign.settings.seed_of(newest), turn)
    attempt = undone_turns.attempt_of(campaign.folder, newest + 1)
    commitments = campaigns.commitments(changed, newest + 1)
    made = Promise(
        newest + 1, attempt, turn.digest, ENDED if is_told else RESEED, commitments, commitment.in_force(campaign, turn)
    )
    with writing(file):
        commitment.prepare(campaign, made)
        write(campaign, data)
        commitment.settle(changed)
    return newest + 1


def with_seed(campaign: Campaign, seed: str, last: int) -> tuple[Campaign, bytes]:
    """Return the campaign with another seed after turn `last`, and the text of its campaign.yaml. Raises Faults if that can't be written
    without touching more."""
    settings, file = campaign.settings, campaign.folder / FILE
    old = {turn: before for turn, before in sorted(settings.old_seeds.items()) if turn < last}
    old[last] = settings.seed_of(last)
    data = settings_edit.with_seed(store.read(file), seed, old)
    if data is None:
        raise fault("reseed_by_hand", file)
    return campaign._replace(settings=replace(settings, seed=seed, old_seeds=old)), data


def write(campaign: Campaign, data: bytes) -> None:
    """Write campaign.yaml anew by one rename. Raises OSError."""
    file = campaign.folder / FILE
    store.move(store.prepared(file, data), file)
