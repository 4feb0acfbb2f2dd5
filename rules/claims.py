"""Claims and concessions after laws 68 to 71 of bridge, for a game without dummy and bidding.

Drives forbid them (article 18); a reglement may allow them, and the wedstrijdleider may use this for any deal
that stopped. Everything here is a proposal with its law: the wedstrijdleider decides.

What of the laws is carried out:

- 68, first paragraph: a remark about the trick on the table alone is no claim; :class:`Claim` counts the
  tricks after it.
- 68A, 68B1: a claim of some tricks concedes the others, a concession claims the rest: :func:`concession`.
- 68B2: a partner who objects at once undoes a concession: ``partner_objects``.
- 68C: the statement: ``line`` is the order of the claimer's cards, ``mentioned`` the trumps it names.
- 68D: play stops; by 68D2(b) it may go on when the others ask and all four agree: :func:`play_may_go_on`.
- 69A: agreed claims stand, scored as if played: :func:`agreed`, :func:`as_if_played`.
- 69B: agreement may be withdrawn: :func:`agreement_withdrawn`.
- 70A, C, D, E: a contested claim is judged by the line that is worst for the claimer among all that the
  statement leaves open, for claimer, partner and opponents alike: :func:`contested`. That refuses a better
  line not stated (D1), one that hangs on the partner's choice (D2) or on where a card lies (E1), and gives a
  forgotten trump its trick (C). Every legal card counts as normal, the careless ones too.
- 71: a conceded trick that could not be lost comes back: :func:`concession_cancelled`. Tricks already won are
  never among those conceded (71A).

Not carried out: 70B and C2 (repeating the statement, and whether a trump was forgotten, are for the
wedstrijdleider to hear), 70E2 (no order is imposed: the federation set none; ``from_the_top`` imposes it
where a club wants it), the periods of 69A and 79C (there is no clock here), and everything about dummy,
declarer and defenders' penalty cards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from rules.articles import Topic, article
from rules.cards import CLOCKWISE, Card, Seat, Suit, Team
from rules.deal import Deal
from rules.errors import ClaimError
from rules.faults import IMPOSSIBLE
from rules.lines import MOST_TRICKS, Ending, LineSearch, any_legal, line_for_tricks
from rules.reasons import Reason
from rules.tables import STRENGTH, SUIT_NUMBER
from rules.trick import Play, winning_play


class Law(Enum):
    """The laws that a judgement can rest on."""

    NO_CLAIM = "68"
    CONCEDED = "68B1"
    PARTNER_OBJECTS = "68B2"
    PLAY_GOES_ON = "68D2b"
    AGREED = "69A"
    WITHDRAWN = "69B"
    DOUBT_AGAINST_CLAIMER = "70A"
    FORGOTTEN_TRUMP = "70C"
    CANCELLED = "71"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim of ``tricks`` of those after the one on the table, for the claimer's side; the others are
    conceded.

    line: the claimer's own cards in the order stated, as far as stated. mentioned: the opponents' trumps that
    the statement names. from_the_top: whether leading a suit from its highest card counts as the only normal
    play.
    """

    claimer: Seat
    tricks: int
    line: tuple[Card, ...] = ()
    mentioned: frozenset[Card] = frozenset()
    from_the_top: bool = False


@dataclass(frozen=True, slots=True)
class ClaimJudgement:
    """A proposal: how many tricks each side takes of those after the one on the table.

    fewest, most: for the claimer's side over all lines searched. line: the line that the proposal rests on,
    whose plays give the points (:func:`as_if_played`); empty where nothing was searched or no line fits.
    is_void: no claim stands and play goes on.
    """

    tricks: Mapping[Team, int]
    fewest: int
    most: int
    line: tuple[Play, ...]
    reasons: tuple[Reason, ...]
    is_void: bool = False


def concession(ending: Ending, seat: Seat, tricks_lost: int) -> Claim:
    """Giving up ``tricks_lost`` tricks claims the others (68B1); giving up altogether loses all.

    Raises:
        ClaimError: when there are not so many tricks.
    """
    if not 0 <= tricks_lost <= ending.whole_tricks_left:
        raise ClaimError(f"{tricks_lost} tricks conceded of {ending.whole_tricks_left}")
    return Claim(claimer=seat, tricks=ending.whole_tricks_left - tricks_lost)


def agreed(ending: Ending, claim: Claim, *, partner_objects: bool = False) -> ClaimJudgement:
    """What both sides accept stands (69A), unless the partner objected at once to a concession (68B2)."""
    _check(ending, claim)
    if partner_objects and claim.tricks < ending.whole_tricks_left:
        return _void(ending, claim, Law.PARTNER_OBJECTS, "de maat maakte bezwaar", "partner objected")
    reason = _reason(Law.AGREED, "de partijen zijn het eens", "both sides agree")
    team = claim.claimer.team
    can_be_searched = ending.tricks_left <= MOST_TRICKS
    line = line_for_tricks(ending, team, claim.tricks) if can_be_searched else None
    return ClaimJudgement(
        _shared(ending, team, claim.tricks), claim.tricks, claim.tricks, line or (), _told(ending, reason)
    )


def as_if_played(deal: Deal, judgement: ClaimJudgement) -> Deal:
    """``deal``, stopped by a claim, with the line of the judgement played: its result is the proposal (69A).

    Of an agreed claim the line is one with as many tricks as agreed and the fewest points for the claimer's
    side, as every doubt goes against the claimer.

    Raises:
        ClaimError: when the claim is void, its cards cannot be those left in ``deal``, or there is no
            line: more than five tricks were left, or no play reaches the agreed number of tricks.
    """
    if judgement.is_void:
        raise ClaimError("the claim is void; play goes on")
    known = len(deal.faults)
    for play in judgement.line:
        deal = deal.played(play.seat, play.card)
        if deal.tricks[-1].is_full:
            deal = deal.trick_covered()
    for fault in deal.faults[known:]:
        if fault.kind in IMPOSSIBLE:
            raise ClaimError(f"the claim is not about this deal: {fault.reason.english}")
    if not deal.is_complete:
        raise ClaimError(
            f"no line of play gives these tricks: {judgement.fewest} of them; let the wedstrijdleider decide"
        )
    return deal


def play_may_go_on(
    ending: Ending, claim: Claim, *, others_ask: bool, agreeing: frozenset[Seat]
) -> ClaimJudgement:
    """Play goes on and the claim is void if the other side asks and all four agree (68D2b); else judge."""
    _check(ending, claim)
    if others_ask and agreeing == frozenset(CLOCKWISE):
        return _void(ending, claim, Law.PLAY_GOES_ON, "allen willen verder spelen", "all want to play on")
    return contested(ending, claim)


def contested(ending: Ending, claim: Claim) -> ClaimJudgement:
    """What the claimer's side is sure of on every line that the statement leaves open (70A)."""
    _check(ending, claim)
    team = claim.claimer.team
    worst = _search(ending, claim, helpers=())
    fewest = worst.outcome().tricks
    most = _search(ending, claim, helpers=CLOCKWISE).outcome().tricks
    line = worst.line()
    reasons = _contested_reasons(ending, claim, fewest, line)
    return ClaimJudgement(_shared(ending, team, fewest), fewest, most, line, reasons)


def agreement_withdrawn(ending: Ending, claim: Claim) -> ClaimJudgement:
    """The other side takes its agreement back in time (69B): it gets what it would probably have won.

    "Probably" is read as the best play of both sides with all cards seen; it never gets less than was agreed.
    """
    _check(ending, claim)
    others = claim.claimer.team.opponents
    helpers = [seat for seat in CLOCKWISE if seat.team is others]
    search = LineSearch(ending, others, helpers)
    agreed_tricks = ending.whole_tricks_left - claim.tricks
    tricks = max(search.outcome().tricks, agreed_tricks)
    reason = _reason(
        Law.WITHDRAWN,
        f"de tegenpartij had waarschijnlijk {tricks} slag(en) gehaald",
        f"the other side would probably have won {tricks} trick(s)",
    )
    own = ending.whole_tricks_left - tricks
    return ClaimJudgement(
        _shared(ending, others, tricks), own, claim.tricks, search.line(), _told(ending, reason)
    )


def concession_cancelled(ending: Ending, claim: Claim) -> ClaimJudgement:
    """Conceded tricks that no line at all could have lost come back to the side that conceded them (71B)."""
    _check(ending, claim)
    team = claim.claimer.team
    search = LineSearch(ending, team, helpers=())
    sure = search.outcome().tricks
    if sure <= claim.tricks:
        reason = _reason(
            Law.CANCELLED,
            "de afgestane slagen hadden verloren kunnen gaan",
            "the tricks could have been lost",
        )
        return ClaimJudgement(
            _shared(ending, team, claim.tricks), sure, claim.tricks, (), _told(ending, reason)
        )
    reason = _reason(
        Law.CANCELLED,
        f"{sure - claim.tricks} afgestane slag(en) konden niet verloren gaan",
        f"{sure - claim.tricks} conceded trick(s) could not be lost",
    )
    return ClaimJudgement(_shared(ending, team, sure), sure, sure, search.line(), _told(ending, reason))


def _check(ending: Ending, claim: Claim) -> None:
    if not 0 <= claim.tricks <= ending.whole_tricks_left:
        raise ClaimError(f"{claim.tricks} tricks claimed of {ending.whole_tricks_left}")
    foreign = [card.code for card in claim.line if card not in ending.hands[claim.claimer]]
    if foreign:
        raise ClaimError(f"the line names cards that {claim.claimer.english} does not hold: {foreign!r}")


def _search(ending: Ending, claim: Claim, helpers: tuple[Seat, ...]) -> LineSearch:
    """Lines in which the claimer plays what was stated, in order as far as it is legal, then anything."""

    def stated_or_normal(seat: Seat, legal: int, leads: bool) -> int:
        if seat is not claim.claimer:
            return any_legal(seat, legal, leads)
        for card in claim.line:
            if legal >> card.index & 1:
                return 1 << card.index
        return _tops(legal, ending.trump) if claim.from_the_top and leads else legal

    return LineSearch(ending, claim.claimer.team, helpers, stated_or_normal)


def _tops(cards: int, trump: Suit) -> int:
    """The highest card of each suit in ``cards``."""
    tops = 0
    for suit in range(4):
        strengths = STRENGTH[SUIT_NUMBER[trump]][suit]
        held = [card for card in range(8 * suit, 8 * suit + 8) if cards >> card & 1]
        if held:
            tops |= 1 << max(held, key=strengths.__getitem__)
    return tops


def _contested_reasons(
    ending: Ending, claim: Claim, fewest: int, line: tuple[Play, ...]
) -> tuple[Reason, ...]:
    reasons = [
        _reason(
            Law.DOUBT_AGAINST_CLAIMER,
            f"{claim.tricks} opgeëist; op de slechtste speelwijze die openbleef {fewest}",
            f"{claim.tricks} claimed; {fewest} on the worst line left open",
        )
    ]
    forgotten = _forgotten_trumps(ending, claim, line)
    if forgotten and fewest < claim.tricks:
        named = ", ".join(map(str, forgotten))
        reasons.append(
            _reason(
                Law.FORGOTTEN_TRUMP,
                f"{named} niet genoemd en maakt een slag, als de eiser die vergeten was",
                f"{named} not mentioned and wins a trick, if the claimer had forgotten it",
            )
        )
    if fewest > claim.tricks:
        reasons.append(
            _reason(
                Law.CANCELLED,
                f"{fewest - claim.tricks} afgestane slag(en) konden niet verloren gaan",
                f"{fewest - claim.tricks} conceded trick(s) could not be lost",
            )
        )
    return _told(ending, *reasons)


def _forgotten_trumps(ending: Ending, claim: Claim, line: tuple[Play, ...]) -> list[Card]:
    """The opponents' trumps that win a trick in ``line`` and that the statement does not name."""
    plays = (*ending.trick, *line)
    tricks = [plays[start : start + 4] for start in range(0, len(plays), 4)]
    winning = [winning_play(trick, ending.trump) for trick in tricks]
    return [
        play.card
        for play in winning
        if play.card.suit is ending.trump
        and play.seat.team is not claim.claimer.team
        and play.card not in claim.mentioned
    ]


def _shared(ending: Ending, team: Team, tricks: int) -> dict[Team, int]:
    return {team: tricks, team.opponents: ending.whole_tricks_left - tricks}


def _void(ending: Ending, claim: Claim, law: Law, dutch: str, english: str) -> ClaimJudgement:
    reason = _reason(law, f"{dutch}: het spel gaat verder", f"{english}: play goes on")
    return ClaimJudgement(
        {Team.NORTH_SOUTH: 0, Team.EAST_WEST: 0}, 0, ending.whole_tricks_left, (), _told(ending, reason), True
    )


def _told(ending: Ending, *reasons: Reason) -> tuple[Reason, ...]:
    """The reasons, after the ban on ending a deal early where the reglement has it."""
    if ending.reglement.claims_allowed:
        return reasons
    ban = Reason(
        "claims-forbidden",
        "slagen opeisen of afstaan mag hier niet; de wedstrijdleider beslist",
        "claims and concessions are forbidden here; the wedstrijdleider decides",
        article(ending.reglement.basis, Topic.EIGHT_TRICKS),
    )
    return (ban, *reasons)


def _reason(law: Law, dutch: str, english: str) -> Reason:
    return Reason(
        law.name.lower().replace("_", "-"), dutch, english, f"Spelregels bridge, artikel {law.value}"
    )
