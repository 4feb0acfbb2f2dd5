"""``gettext`` with a type: flask-babel ships none."""

from __future__ import annotations

import flask_babel


def gettext(sentence: str, **values: object) -> str:
    """A Dutch sentence in the language of the page, with ``%(name)s`` filled in."""
    return str(flask_babel.gettext(sentence, **values))
