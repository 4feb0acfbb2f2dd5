"""The committed models: whole, checked, and a plain sentence when they are not."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from capture.simulator import Film, random_still
from capture.simulator.decks import own_deck
from detector.backs.flaw_finder import FlawFinder
from detector.card_detector import CardDetector
from detector.errors import ModelError, PictureError
from detector.geometry import card_width
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
    assert len(sizes) == 4
    assert sum(sizes) < 30_000_000


def test_another_network_in_the_place_of_the_one_that_looks_for_marks(models: Path) -> None:
    manifest = json.loads((models / "manifest.json").read_text())
    manifest["models"]["flaws"] |= {key: manifest["models"]["namer"][key] for key in ("file", "sha256")}
    (models / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="hoort bij een andere versie"):
        FlawFinder(models)
    (models / "flaws.onnx").write_bytes(b"")
    manifest["models"]["flaws"]["file"] = "flaws.onnx"
    (models / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="is beschadigd of een ander"):
        FlawFinder(models)


def test_no_manifest(tmp_path: Path) -> None:
    with pytest.raises(
        ModelError, match=r"geen modellen .* / manifest\.json is missing; install klaveroog again"
    ):
        CardDetector.load(tmp_path)


def test_a_manifest_that_is_not_json(models: Path) -> None:
    (models / "manifest.json").write_text("{")
    with pytest.raises(ModelError, match=r"niet leesbaar.*cannot be read"):
        CardDetector.load(models)


def test_a_manifest_that_lacks_a_model(models: Path) -> None:
    (models / "manifest.json").write_text(json.dumps({"models": {}}))
    with pytest.raises(ModelError, match="beschrijft het model 'finder' niet"):
        CardDetector.load(models)


def test_a_missing_model(models: Path) -> None:
    (models / "namer.onnx").unlink()
    with pytest.raises(ModelError, match=r"namer\.onnx is niet leesbaar"):
        CardDetector.load(models)


def test_a_truncated_model(models: Path) -> None:
    file = models / "finder.onnx"
    file.write_bytes(file.read_bytes()[:-1000])
    with pytest.raises(ModelError, match="damaged or another one"):
        CardDetector.load(models)


def test_a_file_that_is_no_model_although_its_checksum_is_right(models: Path) -> None:
    content = b"not a model"
    (models / "finder.onnx").write_bytes(content)
    manifest = json.loads((models / "manifest.json").read_text())
    manifest["models"]["finder"]["sha256"] = hashlib.sha256(content).hexdigest()
    (models / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="cannot be opened"):
        CardDetector.load(models)


def test_a_model_of_another_version(models: Path) -> None:
    # A namer without the class for backs once broke the reading of the first picture with cards.
    manifest = json.loads((models / "manifest.json").read_text())
    manifest["models"]["namer"] |= {
        "file": "finder.onnx",
        "sha256": manifest["models"]["finder"]["sha256"],
    }
    (models / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match="hoort bij een andere versie"):
        CardDetector.load(models)


@pytest.mark.parametrize(
    "picture",
    [np.zeros((10, 10), np.uint8), np.zeros((10, 10, 3), np.float32), np.zeros((0, 10, 3), np.uint8)],
)
def test_what_is_not_a_picture_is_refused(picture: np.ndarray) -> None:
    detector = CardDetector.load()
    with pytest.raises(PictureError, match="a picture must be"):
        detector.detect(picture)
    with pytest.raises(PictureError, match="a picture must be"):
        detector.detect_within(picture, (0, 0, 1, 1))


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


def test_piles_on_a_table_are_backs_and_the_trick_is_faces() -> None:
    # The finder by itself once took piles for faces, and the namer for foreign cards.
    film = Film(8105, 1, frames_per_second=0.4)
    detector = CardDetector.load()
    seen = {Side.FACE: 0, Side.BACK: 0}
    wrong = 0
    for frame, truth in zip(film, film.truth.frames, strict=True):
        for detection in detector.detect(frame.image):
            centre = np.array(detection.centre)
            width = card_width(detection.quad)
            near = [
                card
                for card in truth.cards
                if card.visible_share > 0.8 and np.linalg.norm(card.quad.mean(axis=0) - centre) < width / 4
            ]
            if len(near) == 1:
                seen[detection.side] += 1
                wrong += near[0].side != detection.side.value
    assert min(seen.values()) >= 5, seen
    assert wrong == 0, (wrong, seen)


def test_the_same_picture_is_read_the_same_whatever_came_before() -> None:
    deck = own_deck()
    pictures = [random_still(np.random.default_rng(seed), [deck]).image for seed in (3_000_001, 3_000_002)]
    fresh = CardDetector.load().detect(pictures[1])
    used = CardDetector.load()
    used.detect(pictures[0])
    again = used.detect(pictures[1])
    assert [detection.name for detection in again] == [detection.name for detection in fresh]
    assert all(np.array_equal(one.quad, two.quad) for one, two in zip(again, fresh, strict=True))
