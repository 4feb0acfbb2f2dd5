"""What can go wrong around a table, each with one sentence that says what to do.

    CaptureError
    ├── SourceError                the camera, film or folder
    │   ├── SourceMissingError     no such file, folder, device or kind of source
    │   ├── SourceUnreadableError  it is there, but no film or picture
    │   ├── SourceDamagedError     part of it could be read, and was; the rest not
    │   ├── SourceRefusedError     a camera that will not let us in
    │   └── SourceLostError        a camera that went away
    │       └── SourceSilentError  a camera that fell silent
    ├── PictureError               one photo that is missing, torn or no picture
    ├── SettingsError              a setting that does not exist or holds a wrong value
    ├── RecordingError             pictures cannot be kept, or a clip cannot be had
    ├── CalibrationError           a calibration that cannot be made, read or used
    ├── JournalError               the journal beside the table cannot be opened or written
    └── DeliveryError              the venue cannot be reached or does not take the events
        └── BatchRefusedError      it is there, and will not take this batch

Every message is Dutch first and English second, on one line.
"""

from __future__ import annotations


class CaptureError(Exception):
    """The parent of everything that ``capture`` raises: one sentence in two languages.

    dutch, english: the sentence; ``str()`` gives both on one line.
    """

    def __init__(self, dutch: str, english: str) -> None:
        super().__init__(f"{_one_line(dutch)} / {_one_line(english)}")
        self.dutch = _one_line(dutch)
        self.english = _one_line(english)


class SourceError(CaptureError):
    """Something is wrong with the camera, film or folder."""


class SourceMissingError(SourceError):
    """There is no such file, folder, device or kind of source."""


class SourceUnreadableError(SourceError):
    """The file is there but holds no film, or the folder no pictures."""


class SourceDamagedError(SourceError):
    """Everything that could be read was given; the rest is damaged or missing."""


class SourceRefusedError(SourceError):
    """The camera cannot be reached or does not let us in."""


class SourceLostError(SourceError):
    """The camera fell silent or went away."""


class SourceSilentError(SourceLostError):
    """The camera is connected and gives nothing."""


class PictureError(CaptureError):
    """A photo that is missing, torn, or not a picture."""


class SettingsError(CaptureError):
    """A setting that does not exist, or whose value is wrong."""


class RecordingError(CaptureError):
    """Pictures cannot be kept, or there is none of what is asked for."""


class CalibrationError(CaptureError):
    """A calibration that cannot be made, read or used."""


class JournalError(CaptureError):
    """The journal cannot be opened, read or written."""


class DeliveryError(CaptureError):
    """The venue cannot be reached or does not take the events."""


class BatchRefusedError(DeliveryError):
    """The venue answers and finds fault with the batch itself; another may do."""


def _one_line(text: str) -> str:
    return " ".join(text.split())
