"""Deals and matches as text that a person can type."""

from __future__ import annotations

import contextlib
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
    FaultKind,
    Language,
    Match,
    NotationError,
    PenaltyCall,
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
from rules.actions import Action, Covered, Declaration, Exposure, Pass, PenaltyCalled, Repair, RoemCall
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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("spel 17 rotterdams gever N", "there is no deal 17; a match has 16 deals"),
        ("spel 0 rotterdams gever N", "'0' stands where a number of 1 or more should be"),
        ("spel -3 rotterdams gever N", "'-3' stands where a number of 1 or more should be"),
        ("spel 1 rotterdams gever N roem W -20", "'-20' stands where a number of 0 or more should be"),
        ("spel 1 rotterdams gever N O H7 X7", "not a card: 'X7'"),
        ("spel 1 rotterdams gever N speelt O Q", "not a suit: 'Q'"),
        ("spel 1 rotterdams gever N O H7 H8 H7", "trick 1: 'H7': ♥7 was already played"),
        (
            "spel 1 rotterdams gever N speelt O H : O HA H7 H8 H9 HB / SA",
            "trick 1: 'HB' is the fifth card; a trick has four",
        ),
        (
            "spel 1 rotterdams gever N speelt O H : O HA H7 H8 H9 / O SA S7 S8 S9 S10 /",
            "trick 2: 'S10' is the fifth card; a trick has four",
        ),
        (
            "spel 1 rotterdams gever N speelt O H : O HA H7 O K7",
            "trick 1: 'K7': ♣7 is the second card of East in this trick",
        ),
        (
            "spel 1 rotterdams gever N speelt O H : " + "O HA N H7 / O SA N S7 / O RA N R7 / O KA N K7 / "
            "O HB N H8 / O SB N S8 / O RB N R8 / O KB N K8 / O HV",
            "trick 8: 'HV': East plays card number 9; a hand has eight",
        ),
        (
            "spel 1 rotterdams gever N uitspraak opnieuw-delen - slag 9",
            "'9' stands where a number from 1 to 8",
        ),
        (
            "spel 1 rotterdams gever N uitspraak opnieuw-delen - nummer 0",
            "'0' stands where a number of 1 or more",
        ),
        (
            'spel 1 rotterdams gever N uitspraak geen-actie - reden "nooit',
            "'\"nooit' is not a text between quotes",
        ),
    ],
)
def test_nonsense_gives_one_clear_error_naming_the_value(text: str, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_deal(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_what_a_table_reported_is_read_as_it_happened() -> None:
    twice = "spel 1 rotterdams gever N O H7 H8 H7 H9 / O S7"
    assert [fault.kind for fault in parse_deal(twice, as_it_happened=True).faults][-1] is FaultKind.CARD_TWICE
    five = "spel 1 rotterdams gever N speelt O H : O HA H7 H8 H9 SA / O S7"
    deal = parse_deal(five, as_it_happened=True)
    assert [len(trick.plays) for trick in deal.tricks] == [4, 1, 1]
    # Where nobody tells of covering, the fifth card begins a trick.
    untold = five.partition(" /")[0]
    assert parse_deal(untold) == parse_deal(untold, as_it_happened=True)
    match = f"partij rotterdams gever N\n{twice}\n"
    with pytest.raises(NotationError, match=r"^line 2: trick 1: 'H7'"):
        parse_match(match)
    assert format_match(parse_match(match, as_it_happened=True)).startswith(
        "partij rotterdams gever N\nspel 1"
    )


def test_trump_named_later_says_who_won_the_tricks_before() -> None:
    """Without a seat the first card of a trick is the winner's, also where trump is told after a trick."""
    deal = parse_deal("spel 1 rotterdams gever Z W H7 HA K7 H8 / speelt W K : S7 S8")
    assert [play.seat for play in deal.plays[4:]] == [Seat.EAST, Seat.SOUTH]


@given(played_out_deals(), st.sampled_from(Language))
@settings(max_examples=60, deadline=None)
def test_written_and_read_back_a_deal_is_the_same(played: PlayedOut, language: Language) -> None:
    line = format_deal(played.deal, language)
    assert "\n" not in line
    assert parse_deal(line) == played.deal


_seats = st.sampled_from(CLOCKWISE)
_cards = st.sampled_from(FULL_DECK)


def _number(least: int, most: int) -> st.SearchStrategy[int | None]:
    return st.none() | st.integers(least, most)


_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(Pass, _seats),
    st.builds(Declaration, _seats, st.sampled_from(Suit)),
    st.builds(Play, _seats, _cards),
    st.just(Covered()),
    st.builds(RoemCall, _seats, st.integers(0, 10), st.integers(0, 200)),
    st.builds(Repair, _seats, _cards),
    st.builds(Exposure, _seats, _cards),
    st.builds(PenaltyCalled, _seats, _cards, st.sampled_from(PenaltyCall)),
    st.builds(
        Ruling,
        decision=st.sampled_from(Decision),
        seat=st.none() | _seats,
        trick=_number(1, 8),
        found_after_trick=_number(0, 8),
        card=st.none() | _cards,
        reason=st.text(max_size=12),
        number=_number(1, 20),
        undoes=_number(1, 20),
    ),
)


@given(st.lists(_actions, max_size=40), _seats, st.sampled_from(Language))
@settings(max_examples=200, deadline=None)
def test_anything_that_can_happen_can_be_written(
    actions: list[Action], dealer: Seat, language: Language
) -> None:
    deal = Deal(KLAVERJAS_DRIVE, dealer, 3, tuple(actions))
    line = format_deal(deal, language)
    again = parse_deal(line, as_it_happened=True)
    assert again == deal
    assert format_deal(again, language) == line
    with contextlib.suppress(NotationError):
        assert parse_deal(line) == deal


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


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_only_the_declared_error_gets_out_of_any_text(text: str) -> None:
    for read in (parse_deal, parse_match):
        with contextlib.suppress(NotationError):
            read(text)
        with contextlib.suppress(NotationError):
            read(f"partij rotterdams gever N\nspel 1 rotterdams gever N {text}")


def test_half_a_letter_is_refused() -> None:
    """JSON can spell it, and no file can hold it."""
    with pytest.raises(NotationError, match="half a letter"):
        parse_deal('spel 1 rotterdams gever Z uitspraak opnieuw-delen - reden "\\ud800"')


def test_letters_that_only_look_like_ours_are_no_cards() -> None:
    with pytest.raises(NotationError, match="not a card"):
        parse_card("\u017fA")
