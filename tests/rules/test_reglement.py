"""Reglementen: the built-in ones, a club's own, and every setting in words."""

from __future__ import annotations

from dataclasses import fields, replace
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    AMSTERDAMS_MET_PASSEN,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    ROTTERDAMS,
    Bidding,
    Drive,
    OverPartner,
    Reglement,
    ReglementError,
    RoemCounts,
    UnderOpponent,
    reglement_from_mapping,
    reglement_from_toml,
    reglement_in_words,
    reglement_named,
    reglement_to_mapping,
    reglement_to_toml,
)

OWN = 'name = "de-hoop"\ntitle = "KC \\"De Hoop\\""\nbasis = "klaverjas-drive"\nfour_jacks_points = 200\n'


def test_the_built_in_ones_by_name() -> None:
    assert [reglement_named(name) for name in REGLEMENTEN] == [
        AMSTERDAMS_MET_PASSEN,
        KLAVERJAS_DRIVE,
        ROTTERDAMS,
    ]
    with pytest.raises(
        ReglementError, match=r"'roterdams'; did you mean 'rotterdams'\?; known are amsterdams"
    ):
        reglement_named("roterdams")


def test_a_clubs_own_from_toml() -> None:
    own = reglement_from_toml(OWN)
    assert (own.name, own.title, own.four_jacks_points) == ("de-hoop", 'KC "De Hoop"', 200)
    assert (
        replace(own, name="klaverjas-drive", title=KLAVERJAS_DRIVE.title, four_jacks_points=100)
        == KLAVERJAS_DRIVE
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "four_jack_points = 200",
            "unknown setting 'four_jack_points'; the nearest known is 'four_jacks_points'",
        ),
        ("roem = 1", "unknown setting 'roem'; the nearest known is 'roem_counts'"),
        ('pit_points = "100"', "pit_points must be a whole number from 0 to 1000, not '100'"),
        ("pit_points = true", "pit_points must be a whole number from 0 to 1000, not True"),
        ("pit_points = -1", "pit_points must be a whole number from 0 to 1000, not -1"),
        ("deals_per_match = 0", "deals_per_match must be a whole number from 1 to 1000, not 0"),
        ("claims_allowed = 1", "claims_allowed must be true or false, not 1"),
        ('drive = "trio"', "drive must be one of 'pairs', 'individual', not 'trio'"),
        ("drive = ", "this is not TOML"),
    ],
)
def test_what_a_reglement_cannot_have_is_refused_by_name(line: str, message: str) -> None:
    with pytest.raises(ReglementError) as caught:
        reglement_from_toml(OWN + line + "\n")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    "mapping",
    [
        {},
        {"name": "a"},
        {"name": "", "basis": "rotterdams"},
        {"name": "rotterdams", "basis": "rotterdams"},
        {"name": "a", "basis": 1},
    ],
)
def test_a_name_and_a_basis_are_needed(mapping: dict[str, Any]) -> None:
    with pytest.raises(ReglementError):
        reglement_from_mapping(mapping)


def test_settings_that_may_be_negative() -> None:
    own = reglement_from_toml(OWN + "revoke_evening_points = -2\n")
    assert own.revoke_evening_points == -2


_FIELDS = {field.name: getattr(KLAVERJAS_DRIVE, field.name) for field in fields(Reglement)}


def _values(example: Any) -> st.SearchStrategy[Any]:
    if isinstance(example, Enum):
        return st.sampled_from(list(type(example)))
    return st.booleans() if isinstance(example, bool) else st.integers(1, 1000)


reglementen_of_any_kind = st.builds(
    Reglement,
    name=st.just("eigen"),
    title=st.text(min_size=1, max_size=20).filter(str.strip),
    **{name: _values(value) for name, value in _FIELDS.items() if name not in ("name", "title")},
)


@given(reglementen_of_any_kind)
def test_written_and_read_back_it_is_the_same(reglement: Reglement) -> None:
    assert reglement_from_toml(reglement_to_toml(reglement)) == reglement
    assert reglement_from_mapping(reglement_to_mapping(reglement)) == reglement


@given(reglementen_of_any_kind)
def test_every_setting_has_words_in_both_languages(reglement: Reglement) -> None:
    words = reglement_in_words(reglement)
    assert [setting.name for setting in words] == [
        name for name in _FIELDS if name not in ("name", "title", "basis")
    ]
    assert all(setting.dutch and setting.english for setting in words)
    assert not any("{" in setting.dutch + setting.english for setting in words)


def test_each_value_has_words_of_its_own() -> None:
    for name, example in _FIELDS.items():
        values = list(type(example)) if isinstance(example, Enum) else [True, False]
        if name in ("name", "title", "basis") or not isinstance(example, Enum | bool):
            continue
        changes: list[dict[str, Any]] = [{name: value} for value in values]
        told = {
            (setting.dutch, setting.english)
            for change in changes
            for setting in reglement_in_words(replace(KLAVERJAS_DRIVE, **change))
            if setting.name == name
        }
        assert len(told) == len(values), name


def test_what_the_texts_settle() -> None:
    assert (AMSTERDAMS_MET_PASSEN.bidding, KLAVERJAS_DRIVE.bidding) == (Bidding.PASSING, Bidding.OBLIGED)
    assert (AMSTERDAMS_MET_PASSEN.roem_counts, KLAVERJAS_DRIVE.roem_counts) == (
        RoemCounts.CALLED,
        RoemCounts.SEEN,
    )
    assert (ROTTERDAMS.under_opponent, ROTTERDAMS.over_partner) == (
        UnderOpponent.OBLIGED,
        OverPartner.MUST_BEAT,
    )
    assert all(reglement.drive is Drive.PAIRS for reglement in REGLEMENTEN.values())
    assert not any(
        reglement.claims_allowed or reglement.pit_for_defenders for reglement in REGLEMENTEN.values()
    )


def test_quotes_and_backslashes_in_a_name_are_written_so_that_they_read_back() -> None:
    own = replace(KLAVERJAS_DRIVE, name="de-hoop", title='"De Hoop" \\ zaal\t2')
    assert 'title = "\\"De Hoop\\" \\\\ zaal\\u00092"\n' in reglement_to_toml(own)
    assert reglement_from_toml(reglement_to_toml(own)).title == own.title


@pytest.mark.parametrize("text", ["a = " + "[" * 3000 + "]" * 3000, OWN + "pit_points = " + "9" * 5000])
def test_a_text_that_python_cannot_take_in_is_refused(text: str) -> None:
    with pytest.raises(ReglementError):
        reglement_from_toml(text)


def test_the_mark_that_some_editors_begin_a_file_with_is_passed_over() -> None:
    assert reglement_from_toml("\ufeff" + OWN) == reglement_from_toml(OWN)


@pytest.mark.parametrize("name", ["De Hoop", "de\nhoop", 'de"hoop', "#1", "\ud800"])
def test_a_name_is_one_word_that_a_line_of_notation_can_hold(name: str) -> None:
    with pytest.raises(ReglementError, match="name must be"):
        reglement_from_mapping({"name": name, "basis": "rotterdams"})


def test_which_basis_there_is_to_choose_is_said() -> None:
    with pytest.raises(ReglementError, match="basis is missing; it is one of amsterdams-met-passen"):
        reglement_from_mapping({"name": "a"})
