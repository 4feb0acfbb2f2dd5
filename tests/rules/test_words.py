"""All that the rules say, held to what people have read and found right."""

from __future__ import annotations

from pathlib import Path

from tests.rules.every_word import every_word


def test_the_rules_say_what_stands_in_words() -> None:
    written = (Path(__file__).parent / "words.txt").read_text(encoding="utf-8").splitlines()
    said = every_word().splitlines()
    for number, (old, new) in enumerate(zip(written, said, strict=False), 1):
        assert new == old, f"words.txt, line {number}"
    assert len(said) == len(written)
