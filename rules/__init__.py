"""Klaverjas as its rules say it. No I/O, no clock, no logging here: see README.md in this folder."""

from rules.actions import Decision, RoemCall, Ruling
from rules.cards import CLOCKWISE, FULL_DECK, Card, Rank, Seat, Suit, Team, parse_card, parse_seat, parse_suit
from rules.claims import (
    Claim,
    ClaimJudgement,
    agreed,
    agreement_withdrawn,
    as_if_played,
    concession,
    concession_cancelled,
    contested,
    play_may_go_on,
)
from rules.conduct import Consequence, Measure, Offence, OffenceKind, consequences
from rules.deal import Deal
from rules.document import deal_from_document, deal_to_document
from rules.errors import ClaimError, DocumentError, NotationError, ReglementError, RulesError, ScheduleError
from rules.evening import (
    MatchScore,
    Outcome,
    Ranked,
    Standing,
    evening_points,
    player_score,
    ranking,
    season_standings,
    standing_of,
    team_score,
)
from rules.faults import Fault, FaultKind
from rules.lines import Ending
from rules.match import Match, MatchFault, MatchFaultKind, TellijstRow
from rules.notation import parse_deal, parse_match
from rules.notation_tokens import Language
from rules.notation_writer import format_deal, format_match
from rules.penalty_cards import PenaltyCall, PenaltyCard, penalty_calls
from rules.reasons import Reason
from rules.reglement import (
    AMSTERDAMS_MET_PASSEN,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    ROTTERDAMS,
    Bidding,
    Drive,
    FirstSpeaker,
    OverPartner,
    Reglement,
    RevokeBonus,
    RoemCounts,
    SeasonCounts,
    Source,
    UnderOpponent,
    reglement_named,
)
from rules.reglement_text import (
    reglement_from_mapping,
    reglement_from_toml,
    reglement_to_mapping,
    reglement_to_toml,
)
from rules.reglement_words import SettingInWords, reglement_in_words
from rules.result import DEAL_POINTS, DealResult, score_tricks
from rules.result_document import match_to_document, result_to_document
from rules.revokes import Doubt, PossibleRevoke, Revoke
from rules.roem import Roem, RoemKind, RoemPart, roem_in_trick
from rules.schedule import Round, TableSeating, plan_players, plan_teams
from rules.tables import card_points
from rules.trick import Play, Trick, illegal_reason, legal_cards, trick_winner
from rules.uncertainty import LikelyRevoke, likely_revokes

__all__ = [
    "AMSTERDAMS_MET_PASSEN",
    "CLOCKWISE",
    "DEAL_POINTS",
    "FULL_DECK",
    "KLAVERJAS_DRIVE",
    "REGLEMENTEN",
    "ROTTERDAMS",
    "Bidding",
    "Card",
    "Claim",
    "ClaimError",
    "ClaimJudgement",
    "Consequence",
    "Deal",
    "DealResult",
    "Decision",
    "DocumentError",
    "Doubt",
    "Drive",
    "Ending",
    "Fault",
    "FaultKind",
    "FirstSpeaker",
    "Language",
    "LikelyRevoke",
    "Match",
    "MatchFault",
    "MatchFaultKind",
    "MatchScore",
    "Measure",
    "NotationError",
    "Offence",
    "OffenceKind",
    "Outcome",
    "OverPartner",
    "PenaltyCall",
    "PenaltyCard",
    "Play",
    "PossibleRevoke",
    "Rank",
    "Ranked",
    "Reason",
    "Reglement",
    "ReglementError",
    "Revoke",
    "RevokeBonus",
    "Roem",
    "RoemCall",
    "RoemCounts",
    "RoemKind",
    "RoemPart",
    "Round",
    "RulesError",
    "Ruling",
    "ScheduleError",
    "SeasonCounts",
    "Seat",
    "SettingInWords",
    "Source",
    "Standing",
    "Suit",
    "TableSeating",
    "Team",
    "TellijstRow",
    "Trick",
    "UnderOpponent",
    "agreed",
    "agreement_withdrawn",
    "as_if_played",
    "card_points",
    "concession",
    "concession_cancelled",
    "consequences",
    "contested",
    "deal_from_document",
    "deal_to_document",
    "evening_points",
    "format_deal",
    "format_match",
    "illegal_reason",
    "legal_cards",
    "likely_revokes",
    "match_to_document",
    "parse_card",
    "parse_deal",
    "parse_match",
    "parse_seat",
    "parse_suit",
    "penalty_calls",
    "plan_players",
    "plan_teams",
    "play_may_go_on",
    "player_score",
    "ranking",
    "reglement_from_mapping",
    "reglement_from_toml",
    "reglement_in_words",
    "reglement_named",
    "reglement_to_mapping",
    "reglement_to_toml",
    "result_to_document",
    "roem_in_trick",
    "score_tricks",
    "season_standings",
    "standing_of",
    "team_score",
    "trick_winner",
]
