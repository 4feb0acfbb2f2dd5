"""A deal written down as JSON; ``result_document`` has what it brings.

The short form is meant for people; cards lie clockwise from the leader::

    {
      "reglement": "klaverjas-drive",         name, or a mapping as reglement_from_mapping reads it
      "dealer": "S",                          N, E, S or W (also O and Z)
      "number": 1,                            optional: which deal of the match, 1 when left out
      "passes": ["W"],                        optional: who passed, in order
      "trump": "H", "declarer": "W",          optional; without a declarer the first speaker
      "tricks": [
        {
          "leader": "W",                      optional: the winner of the trick before
          "cards": ["HJ", "H7", "HA", "H8"],  one to four, in the order played
          "seats": ["W", "N", "E", "S"],      optional: when they were not played clockwise
          "roem": [{"seat": "W", "points": 20}],  optional: what was called before the trick was covered
          "covered": true                     optional: true when left out and four cards lie there
        }
      ],
      "rulings": [{"decision": "verzaakt-koppel", "seat": "N", "trick": 3}]
    }

A ruling may also have ``found_after_trick``, ``card``, ``reason``, ``number`` and ``undoes``. What cannot be
a deal is refused: a card twice, five cards in a trick, nine tricks, a seventeenth deal, a sixth suit, an
unknown key.

The exact form keeps everything a table reported, irregular or not, in order. In place of ``passes``,
``trump``, ``declarer``, ``tricks`` and ``rulings`` it has ``actions``, each with a ``kind``::

    {"kind": "pass", "seat": "W"}                   {"kind": "declare", "seat": "N", "trump": "H"}
    {"kind": "play", "seat": "W", "card": "HJ"}     {"kind": "roem", "seat": "W", "trick": 1, "points": 20}
    {"kind": "covered"}                             {"kind": "repair", "seat": "W", "card": "H7"}
    {"kind": "show", "seat": "N", "card": "CA"}     {"kind": "ruling", "decision": "opnieuw-delen"}
    {"kind": "penalty", "seat": "E", "card": "CA", "call": "bijspelen"}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Final

from rules.actions import (
    Action,
    Covered,
    Decision,
    Declaration,
    Exposure,
    Pass,
    PenaltyCalled,
    Repair,
    RoemCall,
    Ruling,
)
from rules.cards import Card, Seat
from rules.deal import Deal
from rules.document_nodes import TOP, KeyedNode, Node
from rules.errors import DocumentError, ReglementError
from rules.penalty_cards import PenaltyCall
from rules.reglement import REGLEMENTEN, Reglement, reglement_named
from rules.reglement_text import reglement_from_mapping, reglement_to_mapping
from rules.table import TRICKS_IN_DEAL
from rules.trick import Play, trick_winner

_HEAD_KEYS: Final = frozenset({"reglement", "dealer", "number"})
_SHORT_KEYS: Final = frozenset({"passes", "trump", "declarer", "tricks", "rulings"})
_TRICK_KEYS: Final = frozenset({"leader", "cards", "seats", "roem", "covered"})
_CALL_KEYS: Final = frozenset({"seat", "points"})
_RULING_KEYS: Final = frozenset(field.name for field in fields(Ruling))
_LARGEST_NUMBER: Final = 100_000


def deal_from_document(document: Mapping[str, object]) -> Deal:
    """The deal that a document describes, in either form.

    Raises:
        DocumentError: when it cannot be a deal; the message names the place and the value.
    """
    exact = isinstance(document, Mapping) and "actions" in document
    keys = _HEAD_KEYS | ({"actions"} if exact else _SHORT_KEYS)
    top = Node(document, TOP).mapping(frozenset(keys))
    deal = _empty_deal(top)
    if exact:
        return deal.after(*(_action(node) for node in top.required("actions").items()))
    return _short_deal(deal, top)


def _empty_deal(top: KeyedNode) -> Deal:
    reglement = _reglement(top.required("reglement"))
    number = top.optional("number")
    return Deal(
        reglement=reglement,
        dealer=top.required("dealer").seat(),
        number=number.number(1, reglement.deals_per_match) if number else 1,
    )


def _reglement(node: Node) -> Reglement:
    value = node.value
    try:
        return reglement_from_mapping(value) if isinstance(value, Mapping) else reglement_named(node.text())
    except ReglementError as error:
        raise DocumentError(f"{node.place}: {error}") from error


# The short form.


def _short_deal(deal: Deal, top: KeyedNode) -> Deal:
    actions: list[Action] = [Pass(node.seat()) for node in _items(top, "passes")]
    actions += _declarations(deal, top)
    actions += _TrickReader(deal, actions).read(_items(top, "tricks"))
    actions += [_ruling(node.mapping(_RULING_KEYS)) for node in _items(top, "rulings")]
    return deal.after(*actions)


def _items(mapping: KeyedNode, key: str) -> list[Node]:
    node = mapping.optional(key)
    return node.items() if node else []


def _declarations(deal: Deal, top: KeyedNode) -> list[Declaration]:
    trump, declarer = top.optional("trump"), top.optional("declarer")
    if trump is not None:
        speaker = declarer.seat() if declarer else deal.reglement.speaks_first(deal.dealer)
        return [Declaration(speaker, trump.suit())]
    if declarer is not None:
        raise DocumentError(f"declarer: {declarer.value!r} is named without a trump")
    return []


class _TrickReader:
    """Reads tricks one after the other, remembering who leads next and which cards were seen where."""

    def __init__(self, deal: Deal, bidding: Sequence[Action]) -> None:
        self._trump = next((action.suit for action in bidding if isinstance(action, Declaration)), None)
        self._leader: Seat | None = deal.dealer.left
        self._seen: dict[Card, str] = {}

    def read(self, tricks: Sequence[Node]) -> list[Action]:
        if len(tricks) > TRICKS_IN_DEAL:
            raise DocumentError(f"tricks: a deal has 8 tricks at most, not {len(tricks)}")
        actions: list[Action] = []
        for number, trick in enumerate(tricks, 1):
            actions += self._trick(trick.mapping(_TRICK_KEYS), number)
        return actions

    def _trick(self, trick: KeyedNode, number: int) -> list[Action]:
        cards = trick.required("cards").items()
        if not 1 <= len(cards) <= 4:
            raise DocumentError(f"{trick.place}.cards: a trick has one to four cards, not {len(cards)}")
        seats = self._seats(trick, len(cards))
        plays = [Play(seat, self._card(node)) for seat, node in zip(seats, cards, strict=True)]
        self._leader = trick_winner(plays, self._trump) if self._trump and len(plays) == 4 else None
        covered = trick.optional("covered")
        is_covered = covered.truth() if covered else len(plays) == 4
        return [*plays, *_calls(trick, number), *([Covered()] if is_covered else [])]

    def _card(self, node: Node) -> Card:
        card = node.card()
        if card in self._seen:
            raise DocumentError(f"{node.place}: {card.code!r} was already played at {self._seen[card]}")
        self._seen[card] = node.place
        return card

    def _seats(self, trick: KeyedNode, count: int) -> list[Seat]:
        listed = trick.optional("seats")
        if listed is not None:
            seats = [node.seat() for node in listed.items()]
            if len(seats) != count or len(set(seats)) != count:
                raise listed.error(f"must be {count} different seats, one for each card")
            return seats
        leader = trick.optional("leader")
        seat = leader.seat() if leader else self._leader
        if seat is None:
            raise DocumentError(f"{trick.place}: 'leader' is missing, and nothing before it tells who leads")
        seats = [seat]
        while len(seats) < count:
            seats.append(seats[-1].left)
        return seats


def _calls(trick: KeyedNode, number: int) -> list[RoemCall]:
    calls = []
    for node in _items(trick, "roem"):
        call = node.mapping(_CALL_KEYS)
        points = call.required("points").number(0, _LARGEST_NUMBER)
        calls.append(RoemCall(call.required("seat").seat(), number, points))
    return calls


def _ruling(ruling: KeyedNode) -> Ruling:
    seat, card, reason = ruling.optional("seat"), ruling.optional("card"), ruling.optional("reason")
    return Ruling(
        decision=ruling.required("decision").choice(Decision),
        seat=seat.seat() if seat else None,
        trick=_optional_number(ruling, "trick", 1, TRICKS_IN_DEAL),
        found_after_trick=_optional_number(ruling, "found_after_trick", 0, TRICKS_IN_DEAL),
        card=card.card() if card else None,
        reason=reason.text() if reason else "",
        number=_optional_number(ruling, "number", 1, _LARGEST_NUMBER),
        undoes=_optional_number(ruling, "undoes", 1, _LARGEST_NUMBER),
    )


def _optional_number(mapping: KeyedNode, key: str, least: int, most: int) -> int | None:
    node = mapping.optional(key)
    return node.number(least, most) if node else None


# The exact form.


def _action(node: Node) -> Action:
    if not isinstance(node.value, Mapping):
        raise node.error("must be an object")
    kind = node.value.get("kind")
    if not isinstance(kind, str) or kind not in _READERS:
        raise DocumentError(f"{node.place}.kind: must be one of {', '.join(_READERS)}, not {kind!r}")
    keys, read = _READERS[kind]
    return read(node.mapping(keys | {"kind"}))


def _seat_and_card(mapping: KeyedNode) -> tuple[Seat, Card]:
    return mapping.required("seat").seat(), mapping.required("card").card()


def _roem_call(mapping: KeyedNode) -> RoemCall:
    return RoemCall(
        seat=mapping.required("seat").seat(),
        trick=mapping.required("trick").number(0, _LARGEST_NUMBER),
        points=mapping.required("points").number(0, _LARGEST_NUMBER),
    )


_READERS: Final[Mapping[str, tuple[frozenset[str], Callable[[KeyedNode], Action]]]] = {
    "pass": (frozenset({"seat"}), lambda read: Pass(read.required("seat").seat())),
    "declare": (
        frozenset({"seat", "trump"}),
        lambda read: Declaration(read.required("seat").seat(), read.required("trump").suit()),
    ),
    "play": (frozenset({"seat", "card"}), lambda read: Play(*_seat_and_card(read))),
    "roem": (frozenset({"seat", "trick", "points"}), _roem_call),
    "covered": (frozenset(), lambda read: Covered()),
    "repair": (frozenset({"seat", "card"}), lambda read: Repair(*_seat_and_card(read))),
    "show": (frozenset({"seat", "card"}), lambda read: Exposure(*_seat_and_card(read))),
    "penalty": (
        frozenset({"seat", "card", "call"}),
        lambda read: PenaltyCalled(*_seat_and_card(read), read.required("call").choice(PenaltyCall)),
    ),
    "ruling": (_RULING_KEYS, _ruling),
}


def deal_to_document(deal: Deal) -> dict[str, object]:
    """The deal in the exact form, which :func:`deal_from_document` reads back to an equal deal.

    Raises:
        DocumentError: for a reglement that has the name of a built-in one and other settings.
    """
    built_in = REGLEMENTEN.get(deal.reglement.name)
    known = built_in == deal.reglement
    if built_in is not None and not known:
        raise DocumentError(f"{deal.reglement.name!r} with other settings needs a name of its own")
    return {
        "reglement": deal.reglement.name if known else reglement_to_mapping(deal.reglement),
        "dealer": deal.dealer.value,
        "number": deal.number,
        "actions": [_action_document(action) for action in deal.actions],
    }


def _action_document(action: Action) -> dict[str, object]:
    if isinstance(action, Covered):
        return {"kind": "covered"}
    if isinstance(action, Ruling):
        return {"kind": "ruling", **ruling_to_document(action)}
    if isinstance(action, RoemCall):
        return {"kind": "roem", "seat": action.seat.value, "trick": action.trick, "points": action.points}
    if isinstance(action, Pass):
        return {"kind": "pass", "seat": action.seat.value}
    if isinstance(action, Declaration):
        return {"kind": "declare", "seat": action.seat.value, "trump": action.suit.value}
    if isinstance(action, PenaltyCalled):
        call = action.call.value
        return {"kind": "penalty", "seat": action.seat.value, "card": action.card.code, "call": call}
    kind = {Play: "play", Repair: "repair", Exposure: "show"}[type(action)]
    return {"kind": kind, "seat": action.seat.value, "card": action.card.code}


def ruling_to_document(ruling: Ruling) -> dict[str, object]:
    """A ruling as it stands in either form, without what is not said."""
    document: dict[str, object] = {
        "decision": ruling.decision.value,
        "seat": ruling.seat.value if ruling.seat else None,
        "trick": ruling.trick,
        "found_after_trick": ruling.found_after_trick,
        "card": ruling.card.code if ruling.card else None,
        "reason": ruling.reason or None,
        "number": ruling.number,
        "undoes": ruling.undoes,
    }
    return {key: value for key, value in document.items() if value is not None}
