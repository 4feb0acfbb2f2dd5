"""Setting up a camera: the table is found, and what is wrong is said in words."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from capture.calibration import load_calibration, save_calibration
from capture.calibration.calibration import mapped
from capture.calibration.find_table import find_table
from capture.calibration.judge import Judgement, Matter, judge
from capture.calibration.move_watch import MoveWatch
from capture.calibration.sheet import find_sheet, write_sheet
from capture.errors import CalibrationError
from capture.simulator import table as cloths
from capture.simulator.camera import defocused
from rules import CLOCKWISE, Seat
from tests.capture.drawn_table import Pixels, drawn_table

HALF_MM = 400.0


def off_mm(image: Pixels, truth: np.ndarray[tuple[int, ...], np.dtype[np.float64]], **how: object) -> float:
    """How far the corners of the table, as found, are from where they are."""
    calibration = find_table(image, **how).calibration  # type: ignore[arg-type]
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * HALF_MM
    return float(np.linalg.norm(mapped(calibration.to_table, mapped(truth, corners)) - corners, axis=1).max())


@pytest.mark.parametrize("roll", [0.0, 0.3, np.pi / 2, np.pi])
def test_the_sheet_tells_where_the_table_lies_and_who_is_north(roll: float) -> None:
    image, truth = drawn_table(roll=roll)
    found = find_table(image)
    assert found.calibration.method == "sheet"
    assert off_mm(image, truth) < 8.0


def test_a_sheet_beside_the_middle_is_put_right_by_the_edge() -> None:
    image, truth = drawn_table(sheet_at=(60.0, -40.0))
    assert off_mm(image, truth) < 12.0
    assert find_table(image).calibration.half_size_mm == pytest.approx((400, 400), rel=0.02)


def test_with_half_of_the_markers_covered_the_sheet_still_serves() -> None:
    image, truth = drawn_table()
    left, top = mapped(truth, [(-160, -110)])[0].astype(int)
    right, bottom = mapped(truth, [(0, 110)])[0].astype(int)
    image[top:bottom, left:right] = (60, 90, 130)
    assert find_table(image).calibration.method == "sheet"
    assert off_mm(image, truth) < 15.0


@pytest.mark.parametrize("seed", range(3))
def test_the_edge_of_a_cloth_tells_where_the_table_lies(seed: int) -> None:
    """Whatever its colour, as long as the floor has another."""
    image, truth = drawn_table(sheet=False, seed=seed)
    assert find_table(image).calibration.method == "edge"
    assert off_mm(image, truth) < 12.0


@pytest.mark.parametrize("north", CLOCKWISE)
def test_without_a_sheet_it_is_told_at_which_side_north_sits(north: Seat) -> None:
    image, _ = drawn_table(sheet=False, tilt=0.0)
    seats = find_table(image, north=north).calibration.seat_pixels()
    middle = np.array([image.shape[1] / 2, image.shape[0] / 2])
    away = np.array(seats[Seat.NORTH]) - middle
    direction = {Seat.NORTH: (0, -1), Seat.EAST: (1, 0), Seat.SOUTH: (0, 1), Seat.WEST: (-1, 0)}[north]
    assert float(away @ direction) > 0.95 * float(np.linalg.norm(away))
    # East is clockwise from North, as seen from above.
    east = np.array(seats[Seat.EAST]) - middle
    assert float(away[0] * east[1] - away[1] * east[0]) > 0


@cache
def _usual_table() -> Pixels:
    return drawn_table()[0]


def usual_table() -> Pixels:
    """A picture in which nothing is wrong, to spoil."""
    return _usual_table().copy()


def judged(image: Pixels, **how: object) -> dict[Matter, Judgement]:
    return {one.matter: one for one in judge(image, find_table(image, **how))}  # type: ignore[arg-type]


def wrong_with(image: Pixels) -> list[Matter]:
    return [matter for matter, one in judged(image).items() if not one.is_well]


@pytest.mark.parametrize("cloth", [cloths.felt, cloths.wood, cloths.plain, cloths.leather])
def test_a_camera_that_hangs_well_is_told_so(cloth: object) -> None:
    image, _ = drawn_table(cloth=cloth)  # type: ignore[arg-type]
    assert wrong_with(image) == []


def test_an_unfocused_lens_is_seen() -> None:
    image = usual_table()
    assert "onscherp" in judged(defocused(image, 4.0))[Matter.FOCUS].dutch


def test_an_empty_table_shows_no_focus_and_that_is_said() -> None:
    grey = np.full((720, 1280, 3), 120, np.uint8)
    assert "ijkblad" in judged(grey)[Matter.FOCUS].dutch


def test_too_little_and_too_much_light_are_seen() -> None:
    image = usual_table()
    dark, bright = (image * 0.3).astype(np.uint8), np.clip(image * 6.0, 0, 255).astype(np.uint8)
    assert "donker" in judged(dark)[Matter.LIGHT].dutch
    assert "te licht" in judged(bright)[Matter.LIGHT].dutch


def test_light_from_one_side_is_seen() -> None:
    image, _ = drawn_table(cloth=cloths.plain, seed=2)
    slope = np.linspace(3.0, -0.6, image.shape[1]).clip(0.2)[None, :, None]
    assert "één kant" in judged(np.clip(image * slope, 0, 255).astype(np.uint8))[Matter.LIGHT].dutch


@pytest.mark.parametrize("seat", CLOCKWISE)
def test_a_reflection_is_seen_and_at_whose_side(seat: Seat) -> None:
    image = usual_table()
    x, y = find_table(image).calibration.seat_pixels()[seat]
    middle = (0.65 * np.array([x, y]) + 0.35 * np.array([960.0, 540.0])).astype(int)
    cv2.ellipse(image, middle.tolist(), (40, 24), 20, 0, 360, (255, 255, 255), -1)
    glare = judged(image)[Matter.GLARE]
    assert not glare.is_well
    assert glare.english.startswith(f"light glares on the table at {seat.name.title()}")


def test_cards_that_are_too_small_are_seen() -> None:
    image, _ = drawn_table(size=(1280, 720), pixels_per_mm=0.75)
    assert Matter.SIZE in wrong_with(image)


def test_a_table_that_runs_out_of_the_picture_is_seen() -> None:
    image, _ = drawn_table(pixels_per_mm=2.0)
    table = judged(image)[Matter.TABLE]
    assert not table.is_well
    assert "Noord en Zuid" in table.dutch or "Noord" in table.dutch


def test_a_camera_that_was_moved_is_noticed_and_one_that_hangs_still_is_not() -> None:
    image, _ = drawn_table(cloth=cloths.wood)
    watch = MoveWatch(find_table(image).calibration)
    again, _ = drawn_table(cloth=cloths.wood)
    assert [watch.moved(again) for _ in range(3)][-1] is False
    turned, _ = drawn_table(cloth=cloths.wood, roll=0.09)
    assert [watch.moved(turned) for _ in range(3)][-1] is True


def test_what_was_found_is_kept(tmp_path: Path) -> None:
    image = usual_table()
    calibration = find_table(image).calibration
    save_calibration(calibration, tmp_path / "tafel.toml")
    kept = load_calibration(tmp_path / "tafel.toml")
    assert kept.to_table == pytest.approx(calibration.to_table)
    assert kept.reference == calibration.reference


@pytest.mark.parametrize("suffix", [".pdf", ".png"])
def test_the_sheet_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"blad{suffix}"
    write_sheet(path)
    data = path.read_bytes()
    if suffix == ".png":
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        small = np.asarray(cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)
        sheet = find_sheet(small)
        assert sheet is not None
        assert len(sheet.pixels) == 16
    else:
        # 297 by 210 mm in points.
        assert data.startswith(b"%PDF")
        assert b"841.8" in data


def test_a_sheet_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="pdf"):
        write_sheet(tmp_path / "blad.doc")
