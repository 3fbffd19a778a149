"""A turn is played only with dice that a kept report or a mail that went out has promised, whatever a GM who wants better ones tries."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from kingdom.campaign import commitment, reseeding, store, undo
from kingdom.campaign.audit import audit
from kingdom.campaign.campaign import kept, newest, open_campaign
from kingdom.engine.dice import commitment_of, key_of
from tests.campaign.test_seed import SECRET, STRONG, report, run
from tests.kit import small_realm
from tests.kit.tiny_game import write

OTHER = "0badc0de9a3b48c2e6d07f5b19a4c83e"
UNTOLD = "No mail of this campaign is known to have brought you the new ones before the turn was played."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Turns 0 to 2 of a campaign without mail are kept."""
    made = small_realm.campaign(tmp_path / "fords")
    write(made, "campaign.yaml", SECRET)
    for _ in range(3):
        assert run(made, "turn") == 0
    return made


def dice(folder: Path, turn: int) -> str:
    return (folder / f"turns/{turn:04}/dice.csv").read_text()


def settings(folder: Path) -> str:
    return (folder / "campaign.yaml").read_text()


def is_refused(folder: Path, capsys: pytest.CaptureFixture[str], said: str, *words: str) -> None:
    before = newest(open_campaign(folder))
    capsys.readouterr()
    assert run(folder, *(words or ("turn",))) == 1
    assert said in capsys.readouterr().err and newest(open_campaign(folder)) == before


# --- the turn is opened again


def test_a_turn_that_is_opened_again_without_mail_says_so_in_every_report_of_it(folder: Path) -> None:
    for _ in range(2):
        assert run(folder, "undo", "--reopen") == 0 and run(folder, "turn") == 0
    record = kept(open_campaign(folder)).record
    assert record.attempt == 3 and [one.why for one in record.replaced] == ["reopened", "reopened"]
    assert record.replaced[0].commitments == kept(open_campaign(folder), 1).record.promised
    assert record.replaced[1].commitments["examplia"] == commitment_of(key_of(STRONG, 2, "examplia", 2))
    assert record.commitments["examplia"] == commitment_of(key_of(STRONG, 2, "examplia", 3))
    for file in (folder / "turns/0002/reports").glob("*ia.txt"):
        told = " ".join(file.read_text().split())
        assert (
            "The commitments to the dice of turn 2 were replaced twice before it was played: the GM opened turn 2 again twice."
            in told
        )
        assert UNTOLD in told
    assert run(folder, "turn") == 0 and UNTOLD not in report(folder, 3)
    assert audit(open_campaign(folder)).problems == []


def test_a_turn_that_was_taken_back_and_is_gone_from_there_is_not_played_with_its_first_dice(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "undo", "--reopen") == 0
    shutil.rmtree(folder / "undone")
    is_refused(folder, capsys, "The dice of turn 2 were promised anew after the last report")


def test_a_forged_attempt_is_not_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "undo", "--reopen") == 0 and run(folder, "turn") == 0 and run(folder, "undo") == 0
    (folder / "undone/0002-2.reopened").write_text("0002-2\n")
    is_refused(folder, capsys, "The dice of turn 2 were promised anew after the last report")


# --- the seed is changed


def test_a_seed_that_was_written_by_hand_with_the_old_one_is_promised_by_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "campaign.yaml", SECRET.replace(f"seed: {STRONG}", f"seed: {OTHER}\nold_seeds: {{2: {STRONG}}}"))
    for words in (["turn"], ["turn", "--dry-run"]):
        is_refused(folder, capsys, "No report promised the dice that `seed` and `old_seeds` give turn 3", *words)
    assert run(folder, "reseed") == 0 and run(folder, "turn") == 0, "the cure"
    assert "were replaced once before it was played: the GM changed the seed once." in report(folder, 3)


def test_what_was_written_over_a_changed_seed_is_not_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = settings(folder)
    assert run(folder, "reseed") == 0
    changed = settings(folder)
    for text in (first, changed.replace(open_campaign(folder).settings.seed, OTHER)):
        write(folder, "campaign.yaml", text)
        is_refused(folder, capsys, "The dice of turn 3 were promised anew after the last report")
    assert run(folder, "reseed") == 0 and run(folder, "turn") == 0, "the cure"
    record = kept(open_campaign(folder)).record
    assert [one.why for one in record.replaced] == ["reseed", "reseed"] and "were replaced twice" in report(folder, 3)


def test_each_change_of_the_seed_is_kept_with_what_it_replaced_and_counted_in_every_report(folder: Path) -> None:
    commitments = [kept(open_campaign(folder)).record.promised]
    for _ in range(3):
        assert run(folder, "reseed") == 0
        seed = open_campaign(folder).settings.seed
        commitments.append({seat: commitment_of(key_of(seed, 3, seat)) for seat in ("borderia", "examplia", "gm")})
    files = sorted((folder / "promises").iterdir())
    assert [file.name for file in files] == ["0003-1.json", "0003-2.json", "0003-3.json"]
    for file, old, new in zip(files, commitments, commitments[1:], strict=False):
        made = json.loads(file.read_text())
        assert (made["why"], made["replaced"], made["commitments"]) == ("reseed", old, new)
    assert run(folder, "turn") == 0
    record = kept(open_campaign(folder)).record
    assert [one.commitments for one in record.replaced] == commitments[:-1] and record.commitments == commitments[-1]
    assert "replaced 3 times before it was played: the GM changed the seed 3 times." in report(folder, 3)
    assert UNTOLD in report(folder, 3)


def test_a_promise_that_was_made_for_another_turn_before_does_not_hold(folder: Path) -> None:
    """The seed is changed after turn 2, which is then opened again: its new report promises turn 3 by the new seed."""
    assert run(folder, "reseed") == 0
    assert run(folder, "undo", "--reopen") == 0 and run(folder, "turn") == 0 and run(folder, "turn") == 0
    assert [one.why for one in kept(open_campaign(folder), 3).record.replaced] == ["reseed"]
    assert "were replaced once" in report(folder, 3) and UNTOLD not in report(folder, 3)
    assert audit(open_campaign(folder)).problems == []


def test_a_start_that_was_taken_back_keeps_its_seed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        assert run(folder, "undo") == 0
    write(folder, "campaign.yaml", SECRET.replace(STRONG, OTHER))
    is_refused(folder, capsys, "`seed` is not the one by which the report of turn 0 promised the dice of turn 1")
    is_refused(folder, capsys, "Turn 0 was taken back, and its dice were promised by this seed.", "reseed")


def test_reports_that_an_older_program_kept_promise_still(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_an_older_one(folder)
    aside = folder / "undone.json"
    shutil.move(folder / "turns/0002/reports", aside)
    is_refused(folder, capsys, "turns/0002/reports/")
    shutil.move(aside, folder / "turns/0002/reports")
    assert run(folder, "turn") == 0


def as_an_older_one(folder: Path) -> None:
    """The newest turn as a program before 0.4 would have kept it."""
    file = sorted((folder / "turns").iterdir())[-1] / store.RECORD
    text = (
        file.read_text().replace(' "promised": {', ' "unknown": {').replace(' "commitments": {', ' "unknown too": {', 1)
    )
    digest = store.own_digest(text.encode())
    own = json.loads(text)["digest"]
    file.write_text(text.replace(own, digest, 1))


# --- trying


@pytest.mark.parametrize("change", [("reseed",), ("undo", "--reopen")])
def test_a_trial_draws_other_dice_as_long_as_no_report_has_promised_the_turn_s(
    folder: Path, capsys: pytest.CaptureFixture[str], change: tuple[str, ...]
) -> None:
    assert run(folder, *change) == 0
    turn = newest(open_campaign(folder)) + 1
    capsys.readouterr()
    assert run(folder, "turn", "--dry-run") == 0
    tried = capsys.readouterr()
    assert f"Turn {turn} will have other dice: no report has promised those yet" in tried.err
    assert run(folder, "turn", "--dry-run") == 0
    assert capsys.readouterr() == tried, "the same other ones each time"
    assert run(folder, "turn") == 0
    assert (
        capsys.readouterr().out.split("kept in")[1].split("\n")[1:] != tried.out.split("--dry-run).")[1].split("\n")[1:]
    )


def test_a_trial_draws_the_dice_that_a_report_has_promised(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run(folder, "turn", "--dry-run") == 0
    tried = capsys.readouterr()
    assert tried.err == "" and run(folder, "turn") == 0
    checks = [line for line in tried.out.splitlines() if " against " in line]
    assert checks and checks == [line for line in capsys.readouterr().out.splitlines() if " against " in line]


def test_a_turn_that_keeps_its_dice_is_tried_with_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "undo", "--reopen") == 0 and run(folder, "turn") == 0 and run(folder, "undo") == 0
    capsys.readouterr()
    assert run(folder, "turn", "--dry-run") == 0 and capsys.readouterr().err == ""
    assert run(folder, "turn") == 0 and UNTOLD in report(folder, 2), "its reports say again how its dice came to be"


def test_the_dice_of_a_public_seed_are_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = small_realm.campaign(tmp_path / "fords")
    for words in (["turn"], ["turn"], ["undo", "--reopen"], ["turn", "--dry-run"]):
        assert run(folder, *words) == 0
    assert capsys.readouterr().err == ""
    assert run(folder, "turn") == 0 and UNTOLD not in report(folder, 1)


def test_a_seed_that_is_called_public_only_now_was_promised_as_a_secret(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "reseed") == 0
    write(folder, "campaign.yaml", settings(folder) + "public_seed: true\n")
    capsys.readouterr()
    assert run(folder, "turn", "--dry-run") == 0 and "Turn 3 will have other dice" in capsys.readouterr().err
    assert run(folder, "turn") == 0 and UNTOLD in report(folder, 3)
    assert run(folder, "reseed") == 0 and run(folder, "turn", "--dry-run") == 0
    assert "other dice" not in capsys.readouterr().err, "since turn 3 all were told"


# --- an end that is taken back


@pytest.fixture
def ended(folder: Path) -> Path:
    """Turn 3 was the last, and its reports told the seed."""
    write(folder, "campaign.yaml", SECRET + "ends: {turn: 3}\n")
    assert run(folder, "turn") == 0 and STRONG in report(folder, 3)
    return folder


def test_an_end_that_is_taken_back_gives_later_turns_a_new_seed(
    ended: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(ended, "undo") == 0
    assert "The end told everybody the seed, so from turn 4 on the dice come from a new one" in capsys.readouterr().out
    write(ended, "campaign.yaml", settings(ended).replace("ends: {turn: 3}\n", ""))
    before = (ended / "undone/0003-1/dice.csv").read_text()
    assert run(ended, "turn") == 0 and dice(ended, 3) == before
    assert run(ended, "turn") == 0
    now = open_campaign(ended).settings
    assert now.old_seeds == {3: STRONG} and key_of(now.seed, 4, "examplia") in report(ended, 4)
    assert kept(open_campaign(ended), 4).record.replaced == [], "the report of turn 3 promised them"
    assert audit(open_campaign(ended)).problems == []


def test_an_end_that_is_opened_again_is_rolled_from_a_new_seed(ended: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(ended, "undo", "--reopen") == 0
    assert "from turn 3 on the dice come from a new one" in capsys.readouterr().out
    write(ended, "campaign.yaml", settings(ended).replace("ends: {turn: 3}\n", ""))
    assert run(ended, "turn") == 0
    now = open_campaign(ended).settings
    assert now.old_seeds == {2: STRONG} and key_of(now.seed, 3, "examplia", 2) in report(ended, 3)
    assert [one.why for one in kept(open_campaign(ended), 3).record.replaced] == ["ended"]
    told = "the GM took back the campaign's end, which had told the seed to all, and changed it once."
    assert told in report(ended, 3)
    assert audit(open_campaign(ended)).problems == []


def test_a_turn_before_the_end_is_not_opened_again_with_a_seed_that_all_know(ended: Path) -> None:
    assert run(ended, "undo", "--reopen") == 0 and run(ended, "undo", "--reopen") == 0
    now = open_campaign(ended).settings
    assert now.old_seeds == {1: STRONG} and run(ended, "turn") == 0
    assert key_of(now.seed, 2, "examplia", 2) in report(ended, 2)
    assert audit(open_campaign(ended)).problems == []


def test_a_campaign_that_goes_on_after_its_end_needs_a_new_seed(
    ended: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(ended, "campaign.yaml", SECRET)
    is_refused(ended, capsys, "The end that was taken back told `seed` to everybody")
    assert run(ended, "reseed") == 0 and run(ended, "turn") == 0, "the cure"
    assert [one.why for one in kept(open_campaign(ended)).record.replaced] == ["ended"]


def test_an_end_that_an_older_program_took_back_needs_a_new_seed(
    ended: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(ended / "turns/0003", ended / "undone/0003-1")
    shutil.rmtree(ended / "turns/0003")
    write(ended, "campaign.yaml", SECRET)
    assert run(ended, "turn") == 0, "it is played again with its dice"
    is_refused(ended, capsys, "The end that was taken back told `seed` to everybody")
    assert run(ended, "reseed") == 0 and run(ended, "turn") == 0, "the cure"


# --- what older programs left


@pytest.mark.parametrize("change", ["reseed", "reopen"])
def test_what_an_older_program_changed_without_a_mail_has_a_way_forward(
    folder: Path, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    if change == "reseed":
        write(folder, "campaign.yaml", SECRET.replace(f"seed: {STRONG}", f"seed: {OTHER}\nold_seeds: {{2: {STRONG}}}"))
    else:
        assert run(folder, "undo", "--reopen") == 0
        shutil.rmtree(folder / "promises")
    turn = newest(open_campaign(folder)) + 1
    as_an_older_one(folder)
    is_refused(folder, capsys, f"`kingdom reseed {folder}`")
    assert run(folder, "reseed") == 0 and run(folder, "turn") == 0, "the cure"
    assert "were replaced" in report(folder, turn) and UNTOLD in report(folder, turn)


def test_a_turn_that_an_older_program_opened_again_and_played_is_played_again_with_its_dice(folder: Path) -> None:
    assert run(folder, "undo", "--reopen") == 0 and run(folder, "turn") == 0
    shutil.rmtree(folder / "promises")
    as_an_older_one(folder)
    before = dice(folder, 2)
    assert run(folder, "undo") == 0 and run(folder, "turn") == 0 and dice(folder, 2) == before
    assert run(folder, "turn") == 0


def test_a_mark_that_is_taken_away_gives_no_turn_its_first_dice_back(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "undo", "--reopen") == 0
    (folder / "undone/0002-1.reopened").unlink()
    is_refused(folder, capsys, "The dice of turn 2 were promised anew after the last report")


def test_a_killed_command_leaves_the_promise_that_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed between the seed and its promise: the promise is kept by the next command; killed before the seed: it goes."""

    def killed(*given: object) -> None:
        raise KeyboardInterrupt

    for where, is_done in (((reseeding, "write"), False), ((commitment, "settle"), True)):
        with monkeypatch.context() as patch:
            patch.setattr(*where, killed)
            with pytest.raises(KeyboardInterrupt):
                reseeding.reseed(open_campaign(folder), OTHER)
        assert len(commitment.standing(open_campaign(folder), kept(open_campaign(folder)))) == is_done
        undo.clear(open_campaign(folder))
        assert [file.name for file in (folder / "promises").iterdir()] == ["0003-1.json"] * is_done
    assert run(folder, "turn") == 0


# --- the GM's own dice


def test_the_gm_s_own_dice_are_told_behind_the_roll_and_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "tape.yaml", "examplia: {stability: 20}\n")
    assert run(folder, "turn", "--dice", str(folder / "tape.yaml")) == 0
    told = report(folder, 3)
    assert "20 (d20, by the GM's own dice)" in told, "behind the roll"
    assert "By the GM's own dice, not from the key: stability:1:20 = 20." in told
    other = " ".join((folder / "turns/0003/reports/borderia.txt").read_text().split())
    assert "own dice" not in other
    assert "by the GM&#39;s own dice" in (folder / "turns/0003/reports/examplia.html").read_text()
    capsys.readouterr()
    assert run(folder, "audit") == 0
    assert "the dice are the seed's but for 1 roll of the GM's own dice, and" in capsys.readouterr().out


def test_a_rehearsal_shows_other_dice_until_a_report_has_promised_the_turn_s(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        folder,
        "campaign.yaml",
        SECRET
        + "gm: {email: gwen@example.org, token: gggg1}\n"
        + "calendar: {deadline: 2026-12-04T18:00, zone: UTC, every: 7d}\nmail: {address: orders@fords.example}\n",
    )
    monkeypatch.chdir(folder.parent)
    out: list[str] = []
    for change in ([], ["reseed"]):
        if change:
            assert run(folder, *change) == 0
        capsys.readouterr()
        assert run(folder, "rehearse", "--run-it", "--at", "2027-01-04T18:00", "--force") in (0, 1)
        out.append(" ".join(capsys.readouterr().out.split()))
    assert ["others were drawn here" in said for said in out] == [False, True], out
