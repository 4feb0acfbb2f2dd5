"""All that the rules say and write, as one text: read it in ``words.txt``; a test holds the rules to it.

python -m tests.rules.every_word > tests/rules/words.txt        after a change that was meant
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from typing import Any, Final

import typer

import rules
from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    ROTTERDAMS,
    Card,
    Claim,
    Deal,
    Decision,
    Ending,
    Match,
    PenaltyCall,
    Rank,
    Reglement,
    RulesError,
    Ruling,
    Seat,
    Suit,
    agreed,
    agreement_withdrawn,
    as_if_played,
    card_points,
    concession,
    concession_cancelled,
    consequences,
    contested,
    deal_from_document,
    deal_to_document,
    illegal_reason,
    likely_revokes,
    parse_card,
    parse_deal,
    parse_match,
    parse_seat,
    parse_suit,
    plan_players,
    plan_teams,
    play_may_go_on,
    reglement_from_toml,
    reglement_in_words,
    reglement_named,
    reglement_to_toml,
    result_to_document,
    roem_in_trick,
)
from rules.articles import Topic, article
from rules.conduct import Offence, OffenceKind
from rules.reasons import Reason
from rules.reglement import Source
from rules.revokes import Doubt, Revoke
from rules.roem import roem_points
from rules.solver import best_play, ending_after
from tests.rules.positions import begun, cards, trick_of, with_tricks

HEARTS: Final = Suit.HEARTS


def every_word() -> str:
    """The whole text."""
    parts = (
        _enums, _articles, _reglementen, _cards, _duties, _faults, _rulings, _results, _verzaken, _documents,
        _conduct, _matches, _claims, _refusals, _refused_calls,
    )  # fmt: skip
    lines: list[str] = []
    for part in parts:
        lines += ["", f"# {part.__name__.lstrip('_')}", *part()]
    return "\n".join(lines[1:]) + "\n"


def _told(reason: Reason) -> str:
    return f"{reason.code} | {reason.dutch} | {reason.english} | {reason.article}"


def _enums() -> Iterator[str]:
    """The words of events, documents and settings: who wrote one down must be able to read it again."""
    modules = [info.name for info in pkgutil.iter_modules(rules.__path__, "rules.")]
    for module in [*sorted(modules), "rules.solver.board", "rules.solver.search"]:
        for name, kind in sorted(vars(importlib.import_module(module)).items()):
            if isinstance(kind, type) and issubclass(kind, Enum) and kind.__module__ == module:
                for member in kind:
                    yield f"{name}.{member.name} = {member.value!r}{_properties(member)}"


def _properties(member: Enum) -> str:
    names = [name for name, value in vars(type(member)).items() if isinstance(value, property)]
    values = {name: getattr(member, name) for name in sorted(names)}
    return "".join(
        f", {name} {value.name if isinstance(value, Enum) else value}" for name, value in values.items()
    )


def _articles() -> Iterator[str]:
    for source in Source:
        for topic in Topic:
            yield f"{source.name} {topic.name}: {article(source, topic)}"


def _reglementen() -> Iterator[str]:
    for reglement in REGLEMENTEN.values():
        yield from reglement_to_toml(reglement).splitlines()
        yield from (f"{words.dutch} | {words.english}" for words in reglement_in_words(reglement))
    # Every other value of every setting that has a few.
    for setting in reglement_in_words(KLAVERJAS_DRIVE):
        value = getattr(KLAVERJAS_DRIVE, setting.name)
        others: Iterable[Any] = type(value) if isinstance(value, Enum) else ()
        if isinstance(value, bool):
            others = (False, True)
        for other in others:
            own = replace(KLAVERJAS_DRIVE, **{setting.name: other})
            words = next(each for each in reglement_in_words(own) if each.name == setting.name)
            yield f"{setting.name}: {words.dutch} | {words.english}"


def _cards() -> Iterator[str]:
    yield " ".join(f"{card.code} {card.dutch} {card} {card.index}" for card in FULL_DECK)
    for trump in Suit:
        yield f"{trump.name}: " + " ".join(str(card_points(card, trump)) for card in FULL_DECK)
    for codes in (
        "C7 C8 C9 D7",
        "CT CJ CQ CK",
        "CQ CK CA D7",
        "CJ DJ HJ SJ",
        "C7 D7 H7 S7",
        "CT DT HT ST",
        "CA",
    ):
        for own in (KLAVERJAS_DRIVE, replace(KLAVERJAS_DRIVE, four_jacks_points=200, four_low_points=0)):
            roem = roem_in_trick(cards(codes), Suit.CLUBS, own)
            parts = [
                f"{part.kind.value} {' '.join(map(str, part.cards))} {part.points}" for part in roem.parts
            ]
            mask = sum(1 << card.index for card in cards(codes))
            yield f"{codes}: {roem.total} {roem_points(own, mask, 0)} {'; '.join(parts)}"


def _duties() -> Iterator[str]:
    """Hearts are trump."""
    for name, hand, trick, card in (
        ("another suit", "C8 D7", "C7", "D7"),
        ("a lower trump", "H7 HJ", "HA", "H7"),
        ("not trumped", "D7 H7", "C7", "D7"),
        ("not trumped, only lower", "D7 H7", "C7 HJ", "D7"),
        ("not overtrumped", "HJ H7", "C7 HA", "H7"),
        ("undertrumped", "D7 H7", "C7 HA", "H7"),
        ("partner's trump", "D7 H7 HJ", "C7 HA C8", "H7"),
        ("no such card", "D7", "C7", "H7"),
    ):
        for reglement in REGLEMENTEN.values():
            plays = trick_of(trick)
            seat = CLOCKWISE[len(plays)]
            reason = illegal_reason(reglement, cards(hand), plays, HEARTS, seat, *cards(card))
            yield f"{name}, {reglement.name}: {_told(reason) if reason else 'allowed'}"
    reason = illegal_reason(KLAVERJAS_DRIVE, cards("C8 D7"), trick_of("C7"), None, Seat.EAST, *cards("D7"))
    yield f"no trump yet: {_told(reason) if reason else 'allowed'}"


def _faulty_deals() -> Iterator[Deal]:
    drive, passing = Deal(KLAVERJAS_DRIVE, Seat.SOUTH), Deal(AMSTERDAMS_MET_PASSEN, Seat.SOUTH)
    hearts = begun(KLAVERJAS_DRIVE, HEARTS)
    called = begun(AMSTERDAMS_MET_PASSEN, HEARTS)
    full = with_tricks(hearts, ["CA C7 C8 C9"], covered=False)
    yield drive.passed(Seat.WEST)
    yield drive.declared(Seat.NORTH, Suit.CLUBS)
    yield drive.played(Seat.WEST, *cards("C7"))
    yield passing.passed(Seat.EAST)
    yield hearts.declared(Seat.WEST, Suit.CLUBS)
    yield hearts.trick_covered()
    yield hearts.played(Seat.NORTH, *cards("C7"))
    yield hearts.played(Seat.WEST, *cards("C7")).played(Seat.WEST, *cards("C8"))
    yield with_tricks(hearts, ["CA C7 C8"]).trick_covered()
    yield with_tricks(hearts, ["CA C7 C8 C9", "DA D7 D8 C7"])
    yield full.trick_covered().repaired(Seat.WEST, *cards("CT"))
    yield full.repaired(Seat.NORTH, *cards("CT")).exposed(Seat.EAST, *cards("SA"))
    yield with_tricks(called, ["C7 C8 C9 CA"]).roem_called(Seat.WEST, 1, 20)
    yield with_tricks(called, ["C7 C8 C9 CA"], covered=False).roem_called(Seat.WEST, 1, 50)
    yield called.roem_called(Seat.NORTH, 2, 20)
    (ace,) = cards("SA")
    shown = hearts.exposed(Seat.NORTH, ace)
    yield shown.exposed(Seat.EAST, ace)
    yield with_tricks(hearts, ["C7"]).exposed(Seat.WEST, *cards("C7"))
    yield shown.penalty_called(Seat.WEST, ace, PenaltyCall.FOLLOW)
    yield with_tricks(shown.penalty_called(Seat.EAST, ace, PenaltyCall.FOLLOW), ["C7 C8"])
    yield with_tricks(shown.penalty_called(Seat.EAST, ace, PenaltyCall.LEAD), ["C7 CA C8 C9", "D7"])
    yield with_tricks(full.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.WEST)), ["D7"])
    yield hearts.ruled(Ruling(Decision.PENALTY_CARD, seat=Seat.WEST))
    yield hearts.ruled(Ruling(Decision.REVOKE_INDIVIDUAL, seat=Seat.WEST, trick=3, found_after_trick=2))
    yield hearts.ruled(Ruling(Decision.NO_ACTION, number=3)).ruled(Ruling(Decision.NO_ACTION, number=3))
    short = hearts
    for number in range(8):
        for place, seat in enumerate(CLOCKWISE[: 3 if number == 7 else 4]):
            short = short.played(seat, FULL_DECK[4 * number + place])
        short = short.trick_covered()
    yield short
    long = hearts
    for number in range(9):
        for place, seat in enumerate(CLOCKWISE):
            long = long.played(seat, FULL_DECK[(4 * number + place) % 32])
    yield long


def _faults() -> Iterator[str]:
    for deal in _faulty_deals():
        yield f"- {len(deal.actions)} actions, turn {deal.turn.value if deal.turn else '-'}"
        for fault in deal.faults:
            where = f"{fault.trick} {fault.seat.value if fault.seat else '-'} {fault.card or '-'}"
            yield f"{fault.kind.value} {where} | {_told(fault.reason)}"
        for penalty in deal.penalty_cards:
            yield f"strafkaart {penalty.seat.value} {penalty.card} {penalty.trick}"


def _rulings() -> Iterator[str]:
    played = with_tricks(begun(KLAVERJAS_DRIVE, HEARTS), ["C7 C8 C9 CA", "HJ H7 HQ HK"])
    for reglement in (KLAVERJAS_DRIVE, AMSTERDAMS_MET_PASSEN, _individual()):
        for decision in Decision:
            for seat in (Seat.EAST, None):
                deal = replace(played, reglement=reglement).ruled(Ruling(decision, seat=seat, undoes=3))
                yield f"{reglement.name} {decision.value}: {_result(deal)}"
                yield from (_told(fault.reason) for fault in deal.faults)
    twice = played.ruled(Ruling(Decision.REDEAL)).ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.WEST))
    yield f"two rulings: {_result(twice)}"
    yield from (_told(fault.reason) for fault in twice.faults)


def _individual() -> Reglement:
    return reglement_from_toml('name = "eigen"\nbasis = "klaverjas-drive"\ndrive = "individual"\n')


def _result(deal: Deal) -> str:
    result = deal.result()
    teams = "; ".join(
        f"{team.value} {result.total(team)} = {result.score_points[team]} + {result.score_roem[team]},"
        f" {result.kruizen[team]} kruizen"
        for team in result.points
    )
    penalties = {seat.value: points for seat, points in result.player_penalties.items()}
    flags = (
        f"nat {result.nat} pit {result.pit} complete {result.complete} replayed {result.replayed} {penalties}"
    )
    return f"{teams} | {flags} | {'; '.join(_told(reason) for reason in result.reasons)}"


def _results() -> Iterator[str]:
    """North has all clubs, east diamonds, south hearts, west spades: the trumps take every trick."""
    defenders_pit = replace(KLAVERJAS_DRIVE, pit_points_are_roem=False, pit_for_defenders=True)
    suits = dict(zip(CLOCKWISE, Suit, strict=True))
    for reglement in (*REGLEMENTEN.values(), defenders_pit):
        for trump in Suit:
            deal = Deal(reglement, Seat.SOUTH).declared(Seat.WEST, trump)
            for number, rank in enumerate(Rank, 1):
                for _ in CLOCKWISE:
                    assert deal.turn is not None
                    deal = deal.played(deal.turn, Card(suits[deal.turn], rank))
                yield f"{reglement.name} {trump.name} {number}: {_result(deal)}"


def _verzaken() -> Iterator[str]:
    """What is certain, what is possible and what the texts differ on, after each trick."""
    only_trumps = (
        "SA S7 S8 S9", "HA H7 H8 H9", "ST SJ SQ SK", "DA D7 D8 D9", "DT DJ DQ DK", "HT CK HQ C7",
        "C8 HJ CT CA", "C9 CQ HK CJ",
    )  # fmt: skip
    proven = ("C7 CA S7 CK", "DA D7 S8 D8", "D9 C8 DT DJ")
    for trump, tricks in ((HEARTS, proven), (Suit.CLUBS, only_trumps)):
        deal = begun(KLAVERJAS_DRIVE, trump)
        for codes in tricks:
            deal = with_tricks(deal, [codes])
            certain: tuple[Revoke | Doubt, ...] = (*deal.revokes, *deal.doubts)
            for found in certain:
                yield f"{codes}: {found.seat.value} {found.trick} {found.card} | {_told(found.reason)}"
            for possible in deal.possible_revokes:
                held = " ".join(map(str, possible.if_held))
                yield f"{codes}: {possible.seat.value} {possible.trick} {possible.card} if {held}"


def _documents() -> Iterator[str]:
    """Deals and results as JSON: whoever reads them asks for these keys."""
    played = with_tricks(begun(KLAVERJAS_DRIVE, HEARTS), ["C7 CA S7 CK", "DA D7 S8 D8", "D9 C8 DT DJ"])
    ruled = played.ruled(Ruling(Decision.REVOKE_PAIRS, Seat.EAST, 1, 3, None, "gezien", 7))
    for deal in (played, ruled, *_faulty_deals()):
        yield json.dumps(deal_to_document(deal), ensure_ascii=False)
        yield json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False)


def _conduct() -> Iterator[str]:
    for source in Source:
        offences = [Offence(kind, "Jan") for kind in OffenceKind for _ in range(3)]
        for consequence in consequences(source, offences):
            measure = f"{consequence.count} {consequence.measure.value}"
            yield f"{source.name} {measure} | {_told(consequence.reason)}"


def _matches() -> Iterator[str]:
    match = Match(KLAVERJAS_DRIVE, Seat.NORTH)
    for deal in (
        Deal(KLAVERJAS_DRIVE, Seat.EAST, 17),
        Deal(ROTTERDAMS, Seat.EAST, 1),
        Deal(KLAVERJAS_DRIVE, Seat.EAST, 2),
    ):
        for fault in match.with_deal(deal).faults:
            yield f"{fault.kind.value} {fault.deal} | {_told(fault.reason)}"
    finished = with_tricks(begun(KLAVERJAS_DRIVE, HEARTS, Seat.SOUTH), ["C7 C8 C9 CA"])
    ruled = replace(finished, number=3).ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.WEST))
    for fault in match.with_deal(ruled).with_deal(ruled).faults:
        yield f"{fault.kind.value} {fault.deal} | {_told(fault.reason)}"


def _claims() -> Iterator[str]:
    hands = {
        Seat.NORTH: cards("HA CA"),
        Seat.EAST: cards("H7 C7"),
        Seat.SOUTH: cards("D7 D8"),
        Seat.WEST: cards("HJ S8"),
    }
    for allowed in (False, True):
        reglement = replace(KLAVERJAS_DRIVE, claims_allowed=allowed)
        for tricks in range(3):
            ending, everybody = Ending(reglement, HEARTS, hands, Seat.NORTH), frozenset(CLOCKWISE)
            claim = Claim(claimer=Seat.NORTH, tricks=tricks)
            for judgement in (
                agreed(ending, claim),
                agreed(ending, claim, partner_objects=True),
                play_may_go_on(ending, claim, others_ask=True, agreeing=everybody),
                play_may_go_on(ending, claim, others_ask=False, agreeing=everybody),
                contested(ending, claim),
                contested(ending, replace(claim, line=cards("CA"), mentioned=frozenset(cards("HJ")))),
                agreement_withdrawn(ending, claim),
                concession_cancelled(ending, concession(ending, Seat.WEST, tricks)),
            ):
                shares = " ".join(f"{team.value} {share}" for team, share in judgement.tricks.items())
                bounds = f"{judgement.fewest} to {judgement.most}{' void' if judgement.is_void else ''}"
                line = " ".join(f"{play.seat.value}{play.card}" for play in judgement.line)
                yield f"{tricks}: {shares}, {bounds}, {line} | {'; '.join(map(_told, judgement.reasons))}"


_HEAD: Final = "spel 1 klaverjas-drive gever Z speelt W H :"
_WHOLE: Final[dict[str, Any]] = {"reglement": "klaverjas-drive", "dealer": "S", "trump": "H", "declarer": "W"}


def _refusals() -> Iterator[str]:
    """What each wrong text or document is answered."""
    own = 'name = "x"\nbasis = "rotterdams"\n'
    attempts: tuple[tuple[Callable[[Any], object], tuple[Any, ...]], ...] = (
        (parse_card, ("X7", "")),
        (parse_seat, ("Q",)),
        (parse_suit, ("X",)),
        (reglement_named, ("klaverjasdrive", "?")),
        (
            reglement_from_toml,
            ("=", own + "x = 1", own + "roem_counts = 1", own + "pit_points = -1", own + "pit_points = 1001",
             own + "deals_per_match = 0", own + "claims_allowed = 1", 'basis = "rotterdams"', 'name = "x"',
             'name = "rotterdams"\nbasis = "rotterdams"', 'name = "a b"\nbasis = "rotterdams"'),
        ),
        (
            parse_deal,
            ("", "x", "spel", "spel x", "spel 0", "spel 17 rotterdams gever N", "spel 1 x",
             "spel 1 rotterdams x",
             f"{_HEAD} X7", f"{_HEAD} C7 C8 C9 CA C7", f"{_HEAD} W C7 C8 C9 CT CJ /", f"{_HEAD} W C7 W C8",
             f"{_HEAD} roem W x", f"{_HEAD} roem W 9999999999", f"{_HEAD} uitspraak x", f"{_HEAD} / C7",
             f'{_HEAD} uitspraak geen-actie - reden 7', f'{_HEAD} uitspraak geen-actie - reden "\\q"',
             f"{_HEAD} uitspraak geen-actie - slag 9", f"{_HEAD} CA C7 C8 C9 / DA D7 D8 C7",
             f"{_HEAD} straf N C7 x", f'{_HEAD} uitspraak geen-actie - reden "\\ud800"'),
        ),
        (
            parse_match,
            ("", "x", "partij rotterdams gever N x", "partij rotterdams gever N\nspel 1 rotterdams gever Q"),
        ),
        (
            deal_from_document,
            ({}, [], {**_WHOLE, "x": 1}, {**_WHOLE, "trump": "X"}, {**_WHOLE, "dealer": 1},
             {**_WHOLE, "number": 17},
             {**_WHOLE, "number": True}, {**_WHOLE, "reglement": "x"}, {**_WHOLE, "reglement": {}},
             {**_WHOLE, "tricks": {}}, {**_WHOLE, "tricks": [1]}, {**_WHOLE, "tricks": [{}]},
             {**_WHOLE, "tricks": [{"cards": []}]}, {**_WHOLE, "tricks": [{"cards": ["X7"]}]},
             {**_WHOLE, "tricks": [{"cards": ["C7", "C8", "C9", "CT", "CJ"]}]},
             {**_WHOLE, "tricks": [{"cards": ["C7", "C7"]}]}, {**_WHOLE, "tricks": [{"cards": ["C7"]}] * 9},
             {**_WHOLE, "tricks": [{"cards": ["C7"], "seats": ["W", "N"]}]},
             {**_WHOLE, "tricks": [{"cards": ["C7"], "covered": 1}]},
             {**_WHOLE, "tricks": [{"cards": ["C7"], "roem": [{"seat": "W"}]}]},
             {**_WHOLE, "tricks": [{"cards": ["C7"], "roem": [{"seat": "W", "points": -1}]}]},
             {**_WHOLE, "rulings": [{"decision": "x"}]},
             {**_WHOLE, "rulings": [{"decision": "geen-actie", "trick": 9}]},
             {"reglement": "rotterdams", "dealer": "S", "actions": [{"kind": "x"}]},
             {"reglement": "rotterdams", "dealer": "S", "actions": [{"kind": "play", "seat": "W"}]},
             {"reglement": "rotterdams", "dealer": "S", "actions": [{"seat": "W"}]},
             {**_WHOLE, "rulings": [{"decision": "geen-actie", "reason": "\ud800"}]},
             {"reglement": "rotterdams", "dealer": "S",
              "actions": [{"kind": "penalty", "seat": "W", "card": "C7", "call": "x"}]}),
        ),
        (lambda codes: roem_in_trick(cards(codes), None), ("C7 C8 C9 CT CJ",)),
    )  # fmt: skip
    for read, given in attempts:
        for each in given:
            yield f"{each!r}: {_refusal(read, each)}"


def _refused_calls() -> Iterator[str]:
    """What a call is answered that asks for what cannot be."""
    deal = begun(KLAVERJAS_DRIVE, HEARTS)
    one_card = {seat: cards(code) for seat, code in zip(CLOCKWISE, ("HA", "H7", "D7", "HJ"), strict=True)}
    ending = Ending(KLAVERJAS_DRIVE, HEARTS, one_card, Seat.NORTH)
    whole = {seat: FULL_DECK[8 * place : 8 * place + 8] for place, seat in enumerate(CLOCKWISE)}
    claim = Claim(claimer=Seat.NORTH, tricks=1)
    calls: tuple[Callable[[], object], ...] = (
        lambda: plan_teams(["A"], 3),
        lambda: plan_teams(["A", "B", "A"], 3),
        lambda: plan_players(["A", "B", "C"], 3),
        lambda: plan_teams(["A", "B", "C", "D"], 0, plan_teams(["A", "B", "C", "D"], 1)),
        lambda: Ending(KLAVERJAS_DRIVE, HEARTS, {**one_card, Seat.WEST: cards("HA")}, Seat.NORTH),
        lambda: Ending(KLAVERJAS_DRIVE, HEARTS, {**one_card, Seat.WEST: cards("HJ H8")}, Seat.NORTH),
        lambda: Ending(KLAVERJAS_DRIVE, HEARTS, one_card, Seat.NORTH, trick_of("C7", Seat.EAST)),
        lambda: agreed(ending, replace(claim, tricks=2)),
        lambda: agreed(ending, replace(claim, line=cards("H7 HA"))),
        lambda: contested(Ending(KLAVERJAS_DRIVE, HEARTS, whole, Seat.NORTH), claim),
        lambda: likely_revokes(deal, {(1, 1): [(cards("C7")[0], 1.0)]}),
        lambda: likely_revokes(with_tricks(deal, ["C7"]), {(1, 1): [(cards("C7")[0], -1.0)]}),
        lambda: ending_after(deal, 32),
        lambda: ending_after(deal, 1),
        lambda: ending_after(deal, 1, whole),
        lambda: best_play(deal, whole, from_trick=9),
        lambda: best_play(deal, whole, from_trick=3),
        lambda: plan_teams(["A", "B"], 51),
        lambda: Ending(KLAVERJAS_DRIVE, HEARTS, {}, Seat.NORTH),
        lambda: concession(ending, Seat.NORTH, 2),
        lambda: as_if_played(deal, agreed(ending, claim)),
        lambda: as_if_played(deal, agreed(ending, replace(claim, tricks=0), partner_objects=True)),
    )
    for number, call in enumerate(calls, 1):
        yield f"{number}: {_refusal(_called, call)}"


def _called(call: Callable[[], object]) -> object:
    return call()


def _refusal(read: Callable[[Any], object], given: object) -> str:
    try:
        read(given)
    except RulesError as error:
        return f"{type(error).__name__}: {error}"
    return "read"


if __name__ == "__main__":
    typer.echo(every_word(), nl=False)
