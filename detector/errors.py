"""What can go wrong when cards are read.

DetectorError
├── ModelError      a model file is missing, damaged or not the one that this version needs
└── PictureError    something that is not a picture was given to be read
"""


class DetectorError(Exception):
    """The parent of everything that ``detector`` raises."""


class ModelError(DetectorError):
    """A model file is missing, damaged or another one; the message says which and what to do."""


class PictureError(DetectorError):
    """Not a picture that can be read; the message says what was found."""
