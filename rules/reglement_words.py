"""Every setting of a reglement in Dutch and English, so that a table can see which rules apply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rules.reglement import (
    Bidding,
    Drive,
    FirstSpeaker,
    OverPartner,
    Reglement,
    RevokeBonus,
    RoemCounts,
    SeasonCounts,
    UnderOpponent,
)
from rules.reglement_text import SETTING_NAMES


@dataclass(frozen=True, slots=True)
class SettingInWords:
    """One setting: its name, and what its value means."""

    name: str
    dutch: str
    english: str


def reglement_in_words(reglement: Reglement) -> tuple[SettingInWords, ...]:
    """What every setting of ``reglement`` means, in the order of its fields."""
    return tuple(_in_words(name, getattr(reglement, name)) for name in SETTING_NAMES)


def _in_words(name: str, value: object) -> SettingInWords:
    words = _WORDS[name]
    dutch, english = words[value] if isinstance(words, dict) else words
    return SettingInWords(name, dutch.format(value=value), english.format(value=value))


_Words = tuple[str, str] | dict[object, tuple[str, str]]

_WORDS: Final[dict[str, _Words]] = {
    "bidding": {
        Bidding.PASSING: (
            "Passen mag; passen alle vier, dan moet de eerste spelen",
            "Passing is allowed; when all four pass, the first must play",
        ),
        Bidding.OBLIGED: (
            "Verplicht spelen: de eerste spreker maakt troef",
            "Obliged play: the first speaker makes trump",
        ),
    },
    "first_speaker": {
        FirstSpeaker.LEFT_OF_DEALER: (
            "De speler links van de gever spreekt eerst",
            "The player on the dealer's left speaks first",
        ),
        FirstSpeaker.DEALER: (
            "De gever spreekt eerst; de speler links van de gever komt uit",
            "The dealer speaks first; the player on the dealer's left leads",
        ),
    },
    "must_beat_trump_lead": {
        True: (
            "Op gevraagde troef moet men overtroeven als men kan",
            "A trump lead must be beaten if possible",
        ),
        False: ("Op gevraagde troef mag elke troef", "Any trump may follow a trump lead"),
    },
    "must_trump_for_partner": {
        True: (
            "Introeven moet, ook als de slag aan de maat is",
            "One must trump, even when partner is winning",
        ),
        False: (
            "Ligt de slag aan de maat, dan hoeft men niet in te troeven",
            "No need to trump a partner's trick",
        ),
    },
    "under_opponent": {
        UnderOpponent.FORBIDDEN: (
            "Ondertroeven mag niet zolang men iets anders heeft",
            "Undertrumping is forbidden while another card is held",
        ),
        UnderOpponent.OBLIGED: (
            "Kan men niet overtroeven, dan moet men ondertroeven",
            "One who cannot overtrump must undertrump",
        ),
        UnderOpponent.FREE: (
            "Kan men niet overtroeven, dan is men vrij",
            "One who cannot overtrump is free",
        ),
    },
    "over_partner": {
        OverPartner.FREE: (
            "Op een troef van de maat mag alles",
            "Any card may follow a partner's winning trump",
        ),
        OverPartner.NO_LOWER: (
            "Op een troef van de maat geen lagere troef, tenzij men alleen troef heeft",
            "No lower trump under a partner's trump, unless only trumps are held",
        ),
        OverPartner.NO_LOWER_AND_BEAT_WITH_ONLY_TRUMPS: (
            "Op een troef van de maat geen lagere troef; met alleen troef moet men overtroeven als men kan",
            "No lower trump under a partner's trump; with only trumps left it must be beaten if possible",
        ),
        OverPartner.MUST_BEAT: (
            "Ook een troef van de maat moet men overtroeven, of anders ondertroeven",
            "A partner's trump too must be overtrumped, else undertrumped",
        ),
    },
    "roem_counts": {
        RoemCounts.CALLED: (
            "Roem telt als die gemeld is voordat de slag gedekt is",
            "Roem counts when called before the trick is covered",
        ),
        RoemCounts.SEEN: (
            "Roem telt zodra die op tafel ligt, ook ongemeld (de camera ziet hem)",
            "Roem counts as soon as it lies on the table, called or not (the camera sees it)",
        ),
    },
    "four_equal_points": ("Vier gelijke: {value} roem", "Four of a kind: {value} roem"),
    "four_jacks_points": ("Vier boeren: {value} roem", "Four jacks: {value} roem"),
    "four_low_points": (
        "Vier zevens, achten of negens: {value} roem",
        "Four sevens, eights or nines: {value} roem",
    ),
    "pit_points": ("Pit: {value} punten extra", "Pit: {value} points extra"),
    "pit_points_are_roem": {
        True: (
            "De extra punten voor een pit staan bij de roem",
            "The extra points for a pit are written as roem",
        ),
        False: (
            "De extra punten voor een pit staan bij de punten",
            "The extra points for a pit are written as points",
        ),
    },
    "pit_for_defenders": {
        True: ("Ook de tegenpartij kan een pit halen", "The defenders can make a pit too"),
        False: ("Alleen de spelende partij kan een pit halen", "Only the playing team can make a pit"),
    },
    "nat_kruizen": ("Nat: {value} kruis(en)", "Nat: {value} kruis(en)"),
    "pit_kruizen": ("Pit tegen: {value} kruizen", "Pit against: {value} kruizen"),
    "drive": {
        Drive.PAIRS: ("Koppelkaarten", "Played in pairs"),
        Drive.INDIVIDUAL: ("Individueel kaarten", "Played individually"),
    },
    "revoke_points": ("Verzaken: {value} punten extra", "Verzaken (revoke): {value} points extra"),
    "revoke_points_to": {
        RevokeBonus.OPPONENTS: (
            "De extra punten bij verzaken gaan naar de tegenpartij",
            "The extra points for verzaken go to the opponents",
        ),
        RevokeBonus.AGAINST_OFFENDERS: (
            "De extra punten bij verzaken zijn strafpunten voor de verzakende partij",
            "The extra points for verzaken are taken from the offenders",
        ),
    },
    "revoke_kruizen": ("Verzaken: {value} kruizen", "Verzaken (revoke): {value} kruizen"),
    "individual_revoke_points": (
        "Verzaken bij individueel kaarten: {value} punten in mindering na de partij",
        "Verzaken when playing individually: {value} points less after the match",
    ),
    "claims_allowed": {
        True: ("Slagen opeisen en afstaan mag", "Claims and concessions are allowed"),
        False: (
            "Slagen opeisen of afstaan mag niet; alle acht worden gespeeld",
            "No claims: all eight tricks are played",
        ),
    },
    "thinking_seconds": (
        "Na {value} seconden bedenktijd volgt een waarschuwing",
        "A warning follows after {value} seconds of thinking",
    ),
    "deals_per_match": ("Een partij is {value} spellen", "A match is {value} deals"),
    "matches_per_evening": ("Een avond is {value} partijen", "An evening is {value} matches"),
    "won_evening_points": ("Gewonnen partij: {value}", "Match won: {value}"),
    "drawn_evening_points": ("Gelijk gespeelde partij: {value}", "Match drawn: {value}"),
    "lost_evening_points": ("Verloren partij: {value}", "Match lost: {value}"),
    "pit_evening_points": ("Iedere pit: {value} erbij", "Each pit: {value} more"),
    "revoke_evening_points": ("Iedere verzaking: {value}", "Each verzaking: {value}"),
    "bye_evening_points": ("Zitbeurt: {value}", "Bye: {value}"),
    "opponent_withdrew_evening_points": (
        "Opgave door de tegenstander: {value}",
        "Opponents withdrew: {value}",
    ),
    "withdrew_evening_points": ("Opgave: {value}", "Withdrew: {value}"),
    "withdrew_replaces_lost": {
        True: (
            "Opgave komt in plaats van de punten voor verliezen",
            "Withdrawing replaces the points for losing",
        ),
        False: (
            "Opgave komt boven op de punten voor verliezen",
            "Withdrawing comes on top of the points for losing",
        ),
    },
    "season_evenings": ("Een seizoen telt {value} avonden", "A season counts {value} evenings"),
    "season_counts": {
        SeasonCounts.BEST: ("Van meer avonden tellen de beste", "Of more evenings the best count"),
        SeasonCounts.FIRST: ("Van meer avonden tellen de eerste", "Of more evenings the first count"),
    },
}
