"""Deals and results as JSON, both forms, and nothing but the declared error for anything else."""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    KLAVERJAS_DRIVE,
    Deal,
    Decision,
    DocumentError,
    RulesError,
    Ruling,
    Seat,
    Suit,
    deal_from_document,
    deal_to_document,
    reglement_from_mapping,
    result_to_document,
)
from tests.rules.generators import PlayedOut, played_out_deals
from tests.rules.positions import begun, cards, with_tricks

FUZZ_INPUTS: Final = int(os.environ.get("KLAVEROOG_FUZZ_INPUTS", "3000"))

ONE_TRICK: Final[Mapping[str, Any]] = {
    "reglement": "klaverjas-drive",
    "dealer": "S",
    "number": 4,
    "trump": "H",
    "declarer": "W",
    "tricks": [{"cards": ["D7", "D8", "D9", "KA"], "roem": [{"seat": "W", "points": 20}]}],
}


def test_the_short_form() -> None:
    deal = deal_from_document(ONE_TRICK)
    expected = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["D7 D8 D9 CA"], covered=False)
    assert deal.number == 4
    assert deal.actions == expected.roem_called(Seat.WEST, 1, 20).trick_covered().actions


def test_seats_leaders_and_declarers_follow_where_they_are_left_out() -> None:
    deal = deal_from_document(
        {
            "reglement": "klaverjas-drive",
            "dealer": "Z",
            "trump": "H",
            "tricks": [{"cards": ["C7", "CA", "C8", "C9"]}, {"cards": ["DA", "D7"], "seats": ["N", "Z"]}],
        }
    )
    assert deal.declarer is Seat.WEST
    assert deal.tricks[1].leader is Seat.NORTH
    assert [play.seat for play in deal.tricks[1].plays] == [Seat.NORTH, Seat.SOUTH]
    assert deal.covered_tricks == 1


def test_rulings_in_the_short_form() -> None:
    document = {**ONE_TRICK, "rulings": [{"decision": "verzaakt-koppel", "seat": "N", "trick": 1}]}
    result = result_to_document(deal_from_document(document).result())
    assert result["score"] == {
        "NS": {"points": 0, "roem": 0, "total": 0, "of_which_pit": 0},
        "EW": {"points": 262, "roem": 20, "total": 282, "of_which_pit": 0},
    }
    assert result["stopped_by"] == {"decision": "verzaakt-koppel", "seat": "N", "trick": 1}
    assert result["revoking_team"] == "NS"


def test_a_reglement_of_ones_own() -> None:
    own = {"name": "eigen", "basis": "klaverjas-drive", "four_jacks_points": 200}
    deal = deal_from_document({**ONE_TRICK, "reglement": own})
    assert deal.reglement == reglement_from_mapping(own)
    assert deal_from_document(deal_to_document(deal)) == deal


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dealer": "Q"}, "dealer: not a seat: 'Q'"),
        ({"dealer": None}, "deal: 'dealer' is missing"),
        ({"trump": "X"}, "trump: not a suit: 'X'"),
        ({"trump": None}, "declarer: 'W' is named without a trump"),
        ({"number": 17}, "number: must be a whole number from 1 to 16, not 17"),
        ({"number": True}, "number: must be a whole number from 1 to 16, not True"),
        (
            {"reglement": "klaverjas"},
            "reglement: unknown reglement 'klaverjas'; did you mean 'klaverjas-drive'?",
        ),
        ({"spel": 1}, "deal: unknown key 'spel'"),
        (
            {"tricks": [{"cards": ["D7", "D8", "D9", "DT", "DJ"]}]},
            "tricks[0].cards: a trick has one to four cards, not 5",
        ),
        ({"tricks": [{"cards": []}]}, "tricks[0].cards: a trick has one to four cards, not 0"),
        (
            {"tricks": [{"cards": ["D7", "D7"]}]},
            "tricks[0].cards[1]: 'D7' was already played at tricks[0].cards[0]",
        ),
        ({"tricks": [{"cards": ["D6"]}]}, "tricks[0].cards[0]: not a card: 'D6'"),
        ({"tricks": [{"cards": [7]}]}, "tricks[0].cards[0]: must be a text, not 7"),
        ({"tricks": [{"cards": "D7"}]}, "tricks[0].cards: must be a list, not 'D7'"),
        ({"tricks": [{"cards": ["D7"], "seats": ["N", "N"]}]}, "tricks[0].seats: must be 1 different seats"),
        (
            {"tricks": [{"cards": ["D7", "D8"], "seats": ["N", "N"]}]},
            "tricks[0].seats: must be 2 different seats",
        ),
        ({"tricks": [{"cards": ["D7"], "covered": 1}]}, "tricks[0].covered: must be true or false, not 1"),
        ({"tricks": [{"cards": ["D7"], "roem": [{"seat": "N", "points": -20}]}]}, "tricks[0].roem[0].points"),
        ({"tricks": [{"cards": ["D7"]}] * 9}, "tricks: a deal has 8 tricks at most, not 9"),
        ({"rulings": [{"decision": "boete"}]}, "rulings[0].decision: must be one of verzaakt-koppel"),
        ({"actions": []}, "deal: unknown key"),
    ],
)
def test_nonsense_gives_one_line_with_the_place_and_the_value(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentError) as caught:
        deal_from_document({**ONE_TRICK, **change})
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_leader_that_nothing_tells_must_be_given() -> None:
    with pytest.raises(DocumentError, match=r"^tricks\[1\]: 'leader' is missing"):
        deal_from_document(
            {
                "reglement": "rotterdams",
                "dealer": "S",
                "tricks": [{"cards": ["C7", "C8", "C9", "CA"]}, {"cards": ["D7"]}],
            }
        )


@pytest.mark.parametrize("document", [None, [], "deal", 3, {}])
def test_what_is_no_deal_at_all(document: Any) -> None:
    with pytest.raises(DocumentError):
        deal_from_document(document)


@given(played_out_deals())
@settings(max_examples=40, deadline=None)
def test_the_exact_form_reads_back_to_the_same_deal(played: PlayedOut) -> None:
    deal = played.deal.ruled(Ruling(Decision.PENALTY_CARD, Seat.EAST, card=cards("C7")[0], reason="te vroeg"))
    deal = deal.repaired(Seat.NORTH, *cards("C8")).exposed(Seat.SOUTH, *cards("H7"))
    document = json.loads(json.dumps(deal_to_document(deal)))
    again = deal_from_document(document)
    assert again == deal
    assert deal_to_document(again) == document


def test_a_result_tells_all_with_its_reasons() -> None:
    deal = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["C7 CA S7 CK", "DA C8 D8 D9"])
    document = json.loads(json.dumps(result_to_document(deal.result(), deal)))
    assert document["complete"] is False
    assert document["points"] == {"NS": 26, "EW": 0}
    (revoke,) = document["revokes"]
    assert (revoke["seat"], revoke["trick"], revoke["card"], revoke["proven_card"]) == ("E", 1, "S7", "C8")
    assert revoke["should_have_played"] == ["C8"]
    assert {"code", "dutch", "english", "article"} == set(revoke["reason"])
    assert document["possible_revokes"]
    assert document["faults"] == []


_junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 40)
    | st.floats(allow_nan=False)
    | st.text(max_size=4)
    | st.sampled_from(["S", "H", "klaverjas-drive", "D7", "CA", "play", "roem", "ruling", "verzaakt-koppel"]),
    lambda children: (
        st.lists(children, max_size=5)
        | st.dictionaries(
            st.sampled_from(
                ["reglement", "dealer", "tricks", "cards", "seat", "card", "kind", "actions", "trump", "x"]
            ),
            children,
            max_size=5,
        )
    ),
    max_leaves=15,
)


@given(_junk)
@settings(max_examples=300, deadline=None)
def test_only_the_declared_error_gets_out(document: Any) -> None:
    with contextlib.suppress(RulesError):
        deal_from_document(document)


def test_only_the_declared_error_gets_out_of_spoiled_documents() -> None:
    """Documents that are nearly right reach further in than junk does."""
    chance = random.Random("spoiled")
    exact = deal_to_document(deal_from_document(ONE_TRICK).ruled(Ruling(Decision.REDEAL, Seat.EAST)))
    read = 0
    for _ in range(FUZZ_INPUTS):
        text = json.dumps(chance.choice([ONE_TRICK, exact]))
        document = json.loads(text)
        for _ in range(chance.randrange(1, 4)):
            spoil(document, chance)
        try:
            deal = deal_from_document(document)
        except RulesError:
            continue
        read += 1
        result_to_document(deal.result(), deal)
        assert deal_from_document(deal_to_document(deal)) == deal
    assert 0 < read < FUZZ_INPUTS


def spoil(node: Any, chance: random.Random) -> None:
    """Change one value somewhere in ``node``."""
    keys = list(node) if isinstance(node, dict) else list(range(len(node)))
    if not keys:
        return
    key = chance.choice(keys)
    if isinstance(node[key], dict | list) and chance.random() < 0.8:
        spoil(node[key], chance)
    elif chance.random() < 0.2:
        del node[key]
    else:
        node[key] = chance.choice(
            [None, "N", "H9", "DA", "", 0, 3, 99, -1, True, [], {}, ["H7"], "roem", "covered", 1.5]
        )


def test_half_a_letter_is_refused() -> None:
    ruling = {"decision": "opnieuw-delen", "reason": "\ud800"}
    with pytest.raises(DocumentError, match="half a letter"):
        deal_from_document({"reglement": "rotterdams", "dealer": "S", "rulings": [ruling]})


@pytest.mark.parametrize("call", [None, 1, "meespelen"])
def test_what_is_said_of_a_strafkaart_is_one_of_two(call: object) -> None:
    action = {"kind": "penalty", "seat": "E", "card": "SA", "call": call}
    with pytest.raises(DocumentError, match="call"):
        deal_from_document({"reglement": "rotterdams", "dealer": "S", "actions": [action]})


def test_other_settings_under_the_name_of_a_built_in_reglement_are_not_written() -> None:
    changed = replace(KLAVERJAS_DRIVE, four_jacks_points=200)
    with pytest.raises(DocumentError, match="needs a name of its own"):
        deal_to_document(Deal(changed, Seat.SOUTH))
