"""The geometry of the map: labels CCRR, flat-top hexes whose even columns stand half a hex lower."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kingdom.games.realm.hexmap import distance, label_of, neighbours, parts, place_of

labels = st.builds(label_of, st.integers(1, 99), st.integers(1, 99))


def test_the_neighbours_of_the_contract() -> None:
    assert set(neighbours("0303")) == {"0302", "0304", "0202", "0203", "0402", "0403"}
    assert set(neighbours("0403")) == {"0402", "0404", "0303", "0304", "0503", "0504"}


def test_neighbours_go_clockwise_from_the_north() -> None:
    assert neighbours("0303") == ("0302", "0402", "0403", "0304", "0203", "0202")
    assert neighbours("0403") == ("0402", "0503", "0504", "0404", "0304", "0303")


def test_the_corners_of_the_label_range() -> None:
    assert neighbours("0101") == ("0201", "0102")
    assert neighbours("9999") == ("9998", "9899", "9898")
    assert neighbours("0201") == ("0301", "0302", "0202", "0102", "0101")


@given(labels)
def test_neighbours_are_neighbours_of_each_other(label: str) -> None:
    around = neighbours(label)
    assert len(set(around)) == len(around) and label not in around
    assert all(label in neighbours(near) for near in around)


@given(labels)
def test_a_label_is_its_place(label: str) -> None:
    assert label_of(*place_of(label)) == label


def steps_from(start: str, limit: int) -> dict[str, int]:
    """Label -> steps from the start, found by walking."""
    found, edge = {start: 0}, [start]
    for step in range(1, limit + 1):
        edge = [
            near for near in dict.fromkeys(near for label in edge for near in neighbours(label)) if near not in found
        ]
        found.update(dict.fromkeys(edge, step))
    return found


@given(labels)
def test_distance_is_the_number_of_steps(label: str) -> None:
    assert all(distance(label, other) == steps for other, steps in steps_from(label, 7).items())


def test_distance_across_a_whole_map() -> None:
    for start in ("0101", "0201", "0510", "2020"):
        walked = steps_from(start, 150)
        inside = [label_of(column, row) for column in range(1, 21) for row in range(1, 21)]
        assert {label: distance(start, label) for label in inside} == {label: walked[label] for label in inside}


@given(labels, labels)
def test_distance_is_the_same_both_ways(one: str, other: str) -> None:
    assert distance(one, other) == distance(other, one)
    assert (distance(one, other) == 0) == (one == other)


def test_the_parts_of_a_land() -> None:
    assert parts({"0303", "0304", "0505", "0101", "0506"}) == [{"0101"}, {"0303", "0304"}, {"0505", "0506"}]
    assert parts(set()) == []


@given(st.sets(st.builds(label_of, st.integers(1, 6), st.integers(1, 6))))
def test_parts_hold_every_hex_once_and_do_not_touch(land: set[str]) -> None:
    found = parts(land)
    assert sorted(label for part in found for label in part) == sorted(land)
    for part in found:
        assert not {near for label in part for near in neighbours(label)} & (land - part)
