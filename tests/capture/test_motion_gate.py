"""The motion gate: noise is no motion, a card is, and something that creeps is noticed in the end."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from capture.motion_gate import MotionGate

HEIGHT, WIDTH = 720, 1280


def table(seed: int, noise: float = 4.0, card_at: int | None = None) -> npt.NDArray[np.uint8]:
    """(720, 1280, 3) uint8: green cloth with sensor noise, a white card at ``card_at`` pixels."""
    image = np.full((HEIGHT, WIDTH, 3), (60, 110, 40), np.float32)
    if card_at is not None:
        image[300:420, card_at : card_at + 80] = 240
    image += np.random.default_rng(seed).normal(0, noise, image.shape).astype(np.float32)
    return np.clip(image, 0, 255).astype(np.uint8)


def test_the_first_picture_is_looked_at() -> None:
    assert MotionGate().must_look(table(0))


def test_noise_is_no_motion() -> None:
    gate = MotionGate(longest_reuse=100)
    gate.must_look(table(0))
    assert not any(gate.must_look(table(seed)) for seed in range(1, 30))
    assert gate.reused == 29


def test_a_card_that_comes_moves_or_goes_is_motion() -> None:
    gate = MotionGate()
    gate.must_look(table(0))
    assert gate.must_look(table(1, card_at=500))
    assert not gate.must_look(table(2, card_at=500))
    assert gate.must_look(table(3, card_at=503))
    assert gate.must_look(table(4))


def test_a_card_that_creeps_is_noticed_before_it_is_two_pixels_further() -> None:
    gate = MotionGate(longest_reuse=100)
    gate.must_look(table(0, noise=0.0, card_at=500))
    moved = table(0, noise=0.0, card_at=500).astype(np.float32)
    after = table(0, noise=0.0, card_at=502).astype(np.float32)
    looked = [
        gate.must_look((moved + (after - moved) * share).astype(np.uint8)) for share in np.linspace(0, 1, 21)
    ]
    assert not looked[1]
    assert any(looked)


def test_a_still_table_is_looked_at_again_now_and_then() -> None:
    gate = MotionGate(longest_reuse=3)
    assert [gate.must_look(table(0)) for _ in range(9)] == [True, False, False, False] * 2 + [True]


def test_another_size_of_picture_is_looked_at() -> None:
    gate = MotionGate()
    gate.must_look(table(0))
    assert gate.must_look(table(0)[:600])
