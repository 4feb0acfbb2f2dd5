"""What can be wrong with a camera, in one word for programs and one sentence for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from capture.errors import SourceLostError


class Fault(Enum):
    """One kind of fault; the value is what a table's status says."""

    REFUSED = "refused"
    SILENT = "silent"
    ENDED = "ended"
    GONE = "gone"
    GARBAGE = "garbage"
    SIZE = "size"
    FROZEN = "frozen"
    BLACK = "black"
    REPEATING = "repeating"
    CLOCK = "clock"
    MOVED = "moved"


_SENTENCES: dict[Fault, tuple[str, str]] = {
    Fault.REFUSED: (
        "De {name} is niet te bereiken. Controleer stroom, stekker en netwerk.",
        "cannot reach it; check power, plug and network",
    ),
    Fault.SILENT: (
        "De {name} geeft geen beeld meer. Controleer stroom, stekker en netwerk.",
        "it gives no more pictures; check power, plug and network",
    ),
    Fault.ENDED: (
        "De {name} hing op. Controleer stroom en netwerk.",
        "it hung up; check power and network",
    ),
    Fault.GONE: (
        "De verbinding met de {name} brak af. Controleer stroom, stekker en netwerk.",
        "the connection broke; check power, plug and network",
    ),
    Fault.GARBAGE: (
        "De {name} stuurt onleesbaar beeld. Controleer de kabel en het netwerk.",
        "it sends pictures that cannot be read; check cable and network",
    ),
    Fault.SIZE: (
        "De {name} geeft beeld van een andere maat. Zet de camera terug zoals hij was.",
        "its pictures have another size; set it back as it was",
    ),
    Fault.FROZEN: (
        "Het beeld van de {name} staat stil. Zet de camera uit en aan.",
        "its picture is frozen; switch it off and on",
    ),
    Fault.BLACK: (
        "Het beeld van de {name} is zwart. Controleer het licht en de lensdop.",
        "its picture is black; check the light and the lens cap",
    ),
    Fault.REPEATING: (
        "De {name} herhaalt oude beelden. Zet de camera uit en aan.",
        "it shows old pictures again; switch it off and on",
    ),
    Fault.CLOCK: (
        "De klok van de {name} of van deze computer versprong.",
        "its clock, or this computer's, jumped",
    ),
    Fault.MOVED: (
        "De {name} is verschoven. Zet hem terug, of draai klaveroog calibrate opnieuw.",
        "it was moved; put it back, or run klaveroog calibrate again",
    ),
}


@dataclass(frozen=True, slots=True)
class SourceChange:
    """A camera was lost (``fault`` says how) or is back (``fault`` is None) after ``away_s`` seconds.

    dutch, english: the same for people, one sentence each.
    """

    fault: Fault | None
    away_s: float
    dutch: str
    english: str

    @classmethod
    def lost(cls, fault: Fault, name: str) -> SourceChange:
        """The camera called ``name`` was lost."""
        dutch, english = _SENTENCES[fault]
        return cls(fault, 0.0, dutch.format(name=_named(name)), f"{name}: {english}")

    @classmethod
    def back(cls, away_s: float, name: str) -> SourceChange:
        """The camera called ``name`` is back."""
        return cls(
            None,
            away_s,
            f"De {_named(name)} is terug na {away_s:.1f} s.",
            f"{name}: back after {away_s:.1f} s",
        )

    @property
    def sentence(self) -> str:
        """Both languages on one line."""
        return f"{self.dutch} / {self.english}"

    def as_error(self) -> SourceLostError:
        """The same as an error, for a run that ends with it."""
        return SourceLostError(self.dutch, self.english)


def _named(name: str) -> str:
    """A device is called "camera 0" already; an address is not."""
    return name if name.startswith("camera ") else f"camera {name}"
