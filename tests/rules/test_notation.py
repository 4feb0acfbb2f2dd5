"""Deals and matches as text that a person can type."""

from __future__ import annotations

import os
import random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import (
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    Card,
    Deal,
    Decision,
    Language,
    Match,
    NotationError,
    RulesError,
    Ruling,
    Seat,
    Suit,
    format_deal,
    format_match,
    parse_card,
    parse_deal,
    parse_match,
    parse_seat,
    parse_suit,
)
from rules.actions import Action, Covered, Declaration, Exposure, Pass, Repair, RoemCall
from rules.trick import Play
from tests.rules.generators import PlayedOut, play_out, played_out_deals
from tests.rules.positions import begun, with_tricks

FUZZ_INPUTS: Final = int(os.environ.get("KLAVEROOG_FUZZ_INPUTS", "3000"))
LINE: Final = "spel 1 klaverjas-drive gever Z speelt W H : W HB H7 HA H8 roem W 20 / W SA S7 S8 S9 / W KA K8"


@pytest.mark.parametrize("card", FULL_DECK)
def test_every_card_reads_in_both_languages(card: Card) -> None:
    assert parse_card(card.code) == parse_card(card.dutch) == parse_card(f" {card.dutch.lower()} ") == card
    assert card.index == FULL_DECK.index(card)


def test_suits_and_seats_read_in_both_languages() -> None:
    assert (
        [parse_suit(letter) for letter in "CDHS"] == [parse_suit(letter) for letter in "krhs"] == list(Suit)
    )
    assert (
        [parse_seat(letter) for letter in "NESW"]
        == [parse_seat(letter) for letter in "nozw"]
        == list(CLOCKWISE)
    )


@pytest.mark.parametrize("text", ["", "H", "H1", "H11", "X7", "7H", "HTT"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="not a card: "):
        parse_card(text)


def test_a_line_as_a_person_types_it() -> None:
    typed = "spel 1 klaverjas-drive gever Z speelt w h: hb h7 ha h8 roem w 20 / sa s7 s8 s9 / ka k8"
    deal = parse_deal(typed.replace("h:", "h :"))
    expected = with_tricks(begun(KLAVERJAS_DRIVE, Suit.HEARTS), ["HJ H7 HA H8"], covered=False)
    expected = with_tricks(expected.roem_called(Seat.WEST, 1, 20).trick_covered(), ["SA S7 S8 S9", "CA C8"])
    assert deal == expected
    assert format_deal(deal) == LINE


def test_english_on_request() -> None:
    english = format_deal(parse_deal(LINE), Language.ENGLISH)
    assert english == (
        "deal 1 klaverjas-drive dealer S plays W H : W HJ H7 HA H8 roem W 20 / W SA S7 S8 S9 / W CA C8"
    )
    assert parse_deal(english) == parse_deal(LINE)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text ends where 'spel' should follow"),
        ("spel", "the text ends where a number should follow"),
        ("spel x", "'x' stands where a number should be"),
        ("spel 1 drive", "unknown reglement 'drive'"),
        ("spel 1 rotterdams door N", "'door' stands where 'gever' (or 'dealer') should be"),
        ("spel 1 rotterdams gever Q", "not a seat: 'Q'"),
        ("spel 1 rotterdams gever N O H6", "not a card: 'H6'"),
        ("spel 1 rotterdams gever N speelt O X", "not a suit: 'X'"),
        ("spel 1 rotterdams gever N uitspraak boete", "unknown decision 'boete'"),
        ("spel 1 rotterdams gever N uitspraak geen-actie reden 3", "'3' is not a text between quotes"),
        ("spel 1 rotterdams gever N O H7 H8 H9 H10 / K7", "nothing tells who played 'C7'"),
        ("spel 1 rotterdams gever N roem O 9999999999", "'9999999999' stands where a number should be"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_deal(text)
    assert str(caught.value).startswith(message)


@given(played_out_deals(), st.sampled_from(Language))
@settings(max_examples=60, deadline=None)
def test_written_and_read_back_a_deal_is_the_same(played: PlayedOut, language: Language) -> None:
    line = format_deal(played.deal, language)
    assert "\n" not in line
    assert parse_deal(line) == played.deal


_seats = st.sampled_from(CLOCKWISE)
_cards = st.sampled_from(FULL_DECK)
_small = st.none() | st.integers(0, 20)
_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Pass, _seats),
    st.builds(Declaration, _seats, st.sampled_from(Suit)),
    st.builds(Play, _seats, _cards),
    st.just(Covered()),
    st.builds(RoemCall, _seats, st.integers(-1, 10), st.integers(-20, 200)),
    st.builds(Repair, _seats, _cards),
    st.builds(Exposure, _seats, _cards),
    st.builds(
        Ruling,
        decision=st.sampled_from(Decision),
        seat=st.none() | _seats,
        trick=_small,
        found_after_trick=_small,
        card=st.none() | _cards,
        reason=st.text(max_size=12),
        number=_small,
        undoes=_small,
    ),
)


@given(st.lists(_actions, max_size=40), _seats, st.sampled_from(Language))
@settings(max_examples=200, deadline=None)
def test_anything_that_can_happen_can_be_written(
    actions: list[Action], dealer: Seat, language: Language
) -> None:
    deal = Deal(KLAVERJAS_DRIVE, dealer, 3, tuple(actions))
    line = format_deal(deal, language)
    again = parse_deal(line)
    assert again == deal
    assert format_deal(again, language) == line


def test_a_ruling_about_nobody_does_not_take_the_seat_of_the_next_card() -> None:
    """A ruling without a seat and then "W S7" was read back as a ruling about west."""
    deal = (
        begun(KLAVERJAS_DRIVE, Suit.HEARTS)
        .ruled(Ruling(Decision.NO_ACTION))
        .played(Seat.WEST, parse_card("S7"))
    )
    assert format_deal(deal).endswith("uitspraak geen-actie - W S7")
    assert parse_deal(format_deal(deal)) == deal


def test_a_match_is_the_same_after_writing_and_reading() -> None:
    deals = tuple(play_out(KLAVERJAS_DRIVE, random.Random(seed)).deal for seed in range(3))
    match = Match(KLAVERJAS_DRIVE, Seat.EAST, deals)
    text = format_match(match)
    assert text.startswith("partij klaverjas-drive gever O\nspel 1 ")
    assert parse_match(text) == match
    assert parse_match("# vrijdag\n\n" + text.replace("\n", "\n# opmerking\n")) == match
    assert parse_match(format_match(match, Language.ENGLISH)) == match


@pytest.mark.parametrize(
    "text", ["", "# niets", "spel 1", "partij rotterdams gever N extra", "partij rotterdams gever N\nspel"]
)
def test_what_is_no_match(text: str) -> None:
    with pytest.raises(NotationError):
        parse_match(text)


def test_only_the_declared_error_gets_out_of_spoiled_lines() -> None:
    chance = random.Random("lines")
    words = [
        *LINE.split(),
        "uitspraak",
        "verzaakt-koppel",
        "reden",
        '"',
        '"a"',
        "-",
        "slag",
        "99",
        "toont",
        "²",
        "",
    ]
    read = 0
    for _ in range(FUZZ_INPUTS):
        line = LINE.split()
        for _ in range(chance.randrange(1, 4)):
            line[chance.randrange(len(line))] = chance.choice(words)
        try:
            deal = parse_deal(" ".join(line))
        except RulesError:
            continue
        read += 1
        assert parse_deal(format_deal(deal)) == deal
        deal.result()
    assert 0 < read < FUZZ_INPUTS
