"""The packs of cards: the project's own, and those from a folder of pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from capture.simulator.decks import BackColour, Deck, DeckError, OwnBack, load_deck_folder, own_deck
from capture.simulator.decks.deck import is_point_symmetric, resized, rounded_corners
from capture.simulator.decks.folder_deck import card_code_of
from capture.simulator.decks.own_deck import OwnStyle, draw_face, pip_places
from capture.simulator.decks.vector import path
from detector.types import CARD_CODES, Image
from rules.cards import FULL_DECK
from tests.shared_data import shared_path

CORNERS = (slice(None, None, 369), slice(None, None, 239))


@pytest.fixture(scope="module")
def deck() -> Deck:
    return own_deck()


def plain_card(shade: int, width: int = 60, height: int = 90) -> PillowImage.Image:
    return PillowImage.new("RGB", (width, height), (shade, 255 - shade, 40))


def write_folder(folder: Path, names: list[str], suffix: str = "png") -> Path:
    for number, name in enumerate(names):
        plain_card(number * 4).save(folder / f"{name}.{suffix}")
    return folder


def test_own_deck_has_the_32_cards_and_21_foreign_ones_with_round_corners(deck: Deck) -> None:
    assert set(deck.faces) == set(CARD_CODES) == {card.code for card in FULL_DECK}
    assert len(deck.foreign) == 21
    for image in (*deck.faces.values(), *deck.foreign, deck.back):
        assert image.shape == (370, 240, 4)
        assert image[CORNERS][:, :, 3].max() == 0
        assert image[185, :, 3].min() == 255


def test_no_two_faces_of_the_own_deck_are_alike(deck: Deck) -> None:
    faces = [*deck.faces.values(), *deck.foreign]
    small = np.array([resized(face, 60, 92) for face in faces]).astype(np.int16)
    for index, face in enumerate(small[:-1]):
        assert np.abs(small[index + 1 :] - face).mean(axis=(1, 2, 3)).min() > 1.0


def test_courts_read_the_same_from_both_sides(deck: Deck) -> None:
    for code in (suit + rank for suit in "CDHS" for rank in "JQK"):
        face = deck.faces[code].astype(np.int16)
        assert np.abs(face - face[::-1, ::-1]).mean() < 2.0, code


def test_red_suits_are_red_and_black_suits_are_black(deck: Deck) -> None:
    for code in (suit + rank for suit in "CDHS" for rank in "789T"):
        blue, _, red, _ = np.moveaxis(deck.faces[code].astype(np.int16), 2, 0)
        reddish = int((red - blue > 100).sum())
        assert (reddish > 2000) == (code[0] in "DH"), code


@pytest.mark.parametrize(("rank", "number"), [*((str(rank), rank) for rank in range(2, 10)), ("T", 10)])
def test_number_cards_have_as_many_pips_as_they_say(rank: str, number: int) -> None:
    places = pip_places(rank)
    assert len(set(places)) == number
    assert all(48 < x < 192 and 36 < y < 334 for x, y in places)


def test_drawing_a_card_twice_gives_the_same_picture() -> None:
    assert np.array_equal(draw_face("HV".replace("V", "Q"), OwnStyle()), draw_face("HQ", OwnStyle()))


def test_own_pictures_are_shared_and_read_only(deck: Deck) -> None:
    assert own_deck(OwnBack.ONE_WAY).faces["HT"] is deck.faces["HT"]
    with pytest.raises(ValueError, match="read-only"):
        deck.faces["HT"][0, 0] = 0


@pytest.mark.parametrize("width", [120, 201, 240])
@pytest.mark.parametrize("colour", BackColour)
def test_mirror_printed_back_is_the_same_turned_and_the_advertisement_is_not(
    colour: BackColour, width: int
) -> None:
    mirrored = own_deck(OwnBack.MIRROR_PRINTED, width, colour)
    one_way = own_deck(OwnBack.ONE_WAY, width, colour)
    assert mirrored.back_is_point_symmetric
    assert is_point_symmetric(mirrored.back)
    assert np.array_equal(mirrored.back, mirrored.back[::-1, ::-1])
    assert not one_way.back_is_point_symmetric
    assert not is_point_symmetric(one_way.back)


def test_flat_back_counts_as_point_symmetric() -> None:
    assert is_point_symmetric(np.full((90, 60, 4), (120, 40, 20, 255), dtype=np.uint8))


@pytest.mark.parametrize(
    ("stem", "code"),
    [
        ("01c", "CA"), ("11h", "HJ"), ("12S", "SQ"), ("13d", "DK"), ("10d", "DT"), ("HT", "HT"),
        ("h10", "HT"), ("KB", "CJ"), ("HH", "HK"), ("RV", "DQ"), ("SA", "SA"), ("10_of_hearts", "HT"),
        ("queen-of-spades", "SQ"),
        ("harten_boer", "HJ"), ("schoppen-aas", "SA"), ("cardClubs10", "CT"),
        ("cardSpadesA", "SA"), ("club_1", "CA"), ("card_hearts_07", None),
        ("C2", "C2"), ("back01", "back"), ("red_joker", "joker"),
        ("cardBack_red2", "back"), ("readme", None),
    ],
)  # fmt: skip
def test_file_names_are_read_as_cards(stem: str, code: str | None) -> None:
    assert card_code_of(stem) == code


@pytest.mark.parametrize("suffix", ["png", "gif", "jpg"])
def test_folder_of_pictures_becomes_a_deck_with_cut_corners(tmp_path: Path, suffix: str) -> None:
    loaded = load_deck_folder(write_folder(tmp_path, [*CARD_CODES, "C2", "joker", "back"], suffix))
    assert set(loaded.faces) == set(CARD_CODES)
    assert len(loaded.foreign) == 2
    assert loaded.back.shape == (360, 240, 4)
    assert loaded.faces["CA"][::359, ::239, 3].max() == 0
    shade = CARD_CODES.index("HT") * 4
    assert np.abs(loaded.faces["HT"][180, 120, :3].astype(int) - (40, 255 - shade, shade)).max() <= 8


def test_letters_that_mean_two_things_are_read_by_the_custom_of_the_folder(tmp_path: Path) -> None:
    rank_first = [code[1].replace("T", "10") + code[0] for code in CARD_CODES]
    loaded = load_deck_folder(write_folder(tmp_path, rank_first))
    shade = CARD_CODES.index("HK") * 4
    assert int(loaded.faces["HK"][180, 120, 2]) == shade


def test_folder_without_a_back_gets_one(tmp_path: Path) -> None:
    loaded = load_deck_folder(write_folder(tmp_path, list(CARD_CODES)))
    assert loaded.back.shape == (360, 240, 4)
    assert loaded.back_is_point_symmetric


def test_art_with_its_own_transparent_corners_keeps_them(tmp_path: Path) -> None:
    write_folder(tmp_path, list(CARD_CODES))
    for code in CARD_CODES:
        card = np.full((360, 240, 4), 255, dtype=np.uint8)
        PillowImage.fromarray(rounded_corners(card, radius=0.2)).save(tmp_path / f"{code}.png")
    alpha = load_deck_folder(tmp_path).faces["HT"][:, :, 3]
    assert alpha[12, 12] < 20
    assert alpha[16, 16] > 200


def test_a_folder_that_lacks_cards_says_which_in_one_line(tmp_path: Path) -> None:
    write_folder(tmp_path, [code for code in CARD_CODES if code not in ("HT", "SA")])
    with pytest.raises(DeckError, match="no picture of HT, SA; add them as PNG") as caught:
        load_deck_folder(tmp_path)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_not_there_and_a_text_file_named_png_say_so(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="no such folder"):
        load_deck_folder(tmp_path / "nowhere")
    write_folder(tmp_path, list(CARD_CODES))
    (tmp_path / "HT.png").write_text("no picture")
    with pytest.raises(DeckError, match=r"can't read the card picture .*HT\.png"):
        load_deck_folder(tmp_path)


def test_deck_refuses_missing_cards_and_other_sizes(deck: Deck) -> None:
    without_ten = {code: face for code, face in deck.faces.items() if code != "HT"}
    with pytest.raises(DeckError, match="has no HT"):
        Deck("short", without_ten, (), deck.back, back_is_point_symmetric=True)
    small: Image = resized(deck.back, 100, 150)
    with pytest.raises(DeckError, match="all pictures must be"):
        Deck("mixed", deck.faces, (small,), deck.back, back_is_point_symmetric=True)


def test_scaling_does_not_bleed_the_colour_of_what_is_transparent() -> None:
    image = np.zeros((40, 40, 4), dtype=np.uint8)
    image[10:30, 10:30] = (200, 210, 220, 255)
    scaled = resized(image, 97, 97)
    solid = scaled[scaled[:, :, 3] > 128]
    assert np.abs(solid[:, :3].astype(int) - (200, 210, 220)).max() <= 3


def test_a_path_that_does_not_start_with_m_is_refused() -> None:
    with pytest.raises(ValueError, match="starts with M"):
        path("L 1,1")


@pytest.mark.parametrize("name", ["standard", "sylly", "paris"])
def test_pysolfc_sets_load_with_the_right_colour_under_each_name(name: str) -> None:
    """A card under another's name would poison all training: the red cards must be the red suits."""
    loaded = load_deck_folder(shared_path("cardart") / name)
    for code in (suit + rank for suit in "CDHS" for rank in "789T"):
        blue, _, red, alpha = np.moveaxis(loaded.faces[code].astype(np.int16), 2, 0)
        share = float(((red - blue > 90) & (alpha > 200)).mean())
        assert (share > 0.02) == (code[0] in "DH"), (name, code, share)
