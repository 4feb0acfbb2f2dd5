"""The committed models: whole, checked, and a plain sentence when they are not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from capture.simulator import random_still
from capture.simulator.decks import own_deck
from detector.card_detector import CardDetector
from detector.errors import ModelError, PictureError
from detector.model_files import default_models_folder
from detector.types import Side


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """A copy of the committed models that a test may spoil."""
    for file in default_models_folder().iterdir():
        if file.suffix in {".json", ".onnx"}:
            shutil.copy(file, tmp_path)
    return tmp_path


def test_the_models_are_small_enough_to_ship() -> None:
    sizes = [file.stat().st_size for file in default_models_folder().glob("*.onnx")]
    assert len(sizes) == 2
    assert sum(sizes) < 30_000_000


def test_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"manifest\.json is missing; install klaveroog again"):
        CardDetector.load(tmp_path)


def test_a_manifest_that_is_not_json(models: Path) -> None:
    (models / "manifest.json").write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        CardDetector.load(models)


def test_a_manifest_that_lacks_a_model(models: Path) -> None:
    (models / "manifest.json").write_text(json.dumps({"models": {}}))
    with pytest.raises(ModelError, match="does not describe the model 'finder'"):
        CardDetector.load(models)


def test_a_missing_model(models: Path) -> None:
    (models / "namer.onnx").unlink()
    with pytest.raises(ModelError, match=r"namer\.onnx cannot be read"):
        CardDetector.load(models)


def test_a_truncated_model(models: Path) -> None:
    file = models / "finder.onnx"
    file.write_bytes(file.read_bytes()[:-1000])
    with pytest.raises(ModelError, match="damaged or another one"):
        CardDetector.load(models)


def test_a_file_that_is_no_model_although_its_checksum_is_right(models: Path) -> None:
    import hashlib

    content = b"not a model"
    (models / "finder.onnx").write_bytes(content)
    manifest = json.loads((models / "manifest.json").read_text())
    manifest["models"]["finder"]["sha256"] = hashlib.sha256(content).hexdigest()
    (models / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="cannot be opened"):
        CardDetector.load(models)


@pytest.mark.parametrize(
    "picture",
    [np.zeros((10, 10), np.uint8), np.zeros((10, 10, 3), np.float32), np.zeros((0, 10, 3), np.uint8)],
)
def test_what_is_not_a_picture_is_refused(picture: np.ndarray) -> None:
    with pytest.raises(PictureError, match="a picture must be"):
        CardDetector.load().detect(picture)


def test_an_empty_table_has_no_cards() -> None:
    table = np.full((720, 1280, 3), (60, 110, 40), dtype=np.uint8)
    assert CardDetector.load().detect(table) == ()


def test_cards_on_random_tables_are_found_and_named() -> None:
    detector, deck = CardDetector.load(), own_deck()
    clear = found = right = 0
    for seed in range(2_000_000, 2_000_045):
        still = random_still(np.random.default_rng(seed), [deck])
        detections = detector.detect(still.image)
        for card in still.cards:
            width = np.linalg.norm(card.quad[1] - card.quad[0])
            inside = card.quad.min() >= 0 and card.quad.max() <= 416
            if card.side != "face" or card.visible_share < 0.98 or width < 45 or not inside:
                continue
            clear += 1
            near = [
                detection
                for detection in detections
                if np.linalg.norm(detection.quad.mean(axis=0) - card.quad.mean(axis=0)) < width / 4
                and detection.side is Side.FACE
            ]
            found += bool(near)
            right += bool(near) and near[0].name == card.code
    assert clear >= 20
    assert found >= 0.9 * clear
    assert right >= 0.85 * clear


def test_the_same_picture_is_read_the_same_whatever_came_before() -> None:
    deck = own_deck()
    pictures = [random_still(np.random.default_rng(seed), [deck]).image for seed in (3_000_001, 3_000_002)]
    fresh = CardDetector.load().detect(pictures[1])
    used = CardDetector.load()
    used.detect(pictures[0])
    again = used.detect(pictures[1])
    assert [detection.name for detection in again] == [detection.name for detection in fresh]
    assert all(np.array_equal(one.quad, two.quad) for one, two in zip(again, fresh, strict=True))
