"""Backs of packs (article 1), on a few simulated packs; ``models.training.back_curve`` measures on many."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from capture.simulator.back_views import BackCamera, SeenBack, backs_of_a_deal, stacks_of_a_deal
from capture.simulator.decks.back_designs import random_back
from capture.simulator.marks import MarkKind, mark
from detector.backs.alignment import HALF_ROUND, Model, laid_on_model
from detector.backs.ends import ends_as
from detector.backs.examine import PackReport
from detector.backs.examine import examine as examine_with
from detector.backs.flaw_finder import FlawFinder
from detector.backs.pack import LEAST_VIEWS
from detector.backs.views import VIEW_SIZE, BackView, cut_back, turned, view_of

CARD = 7
CAMERA = BackCamera(card_width=110, tilt=0.15, softness=0.6, noise=2.0, jpeg_quality=90, glare=0.0)


FINDER = FlawFinder()


def examine(views: Sequence[BackView]) -> PackReport | None:
    return examine_with(views, FINDER)


def views(seen: tuple[SeenBack, ...]) -> list[BackView]:
    return [view_of([cut_back(picture, one.quads[0]) for picture in one.pictures]) for one in seen]


def deal(seed: int, *, one_way: bool, kind: MarkKind | None = None) -> tuple[SeenBack, ...]:
    """One deal of a pack in which card ``CARD`` has a mark of ``kind`` and is seen."""
    rng = np.random.default_rng(seed)
    back, other = (random_back(rng, one_way=one_way).image for _ in range(2))
    backs = [back] * 32
    if kind is not None:
        backs[CARD] = mark(rng, back, other, kind, size=3.0).image
    stacks = stacks_of_a_deal(rng)
    while not any(cards[-1] == CARD for _, cards in stacks):
        stacks = stacks_of_a_deal(rng)
    return backs_of_a_deal(rng, backs, CAMERA, looks=7, stacks=stacks)


def test_a_one_way_pack_is_told() -> None:
    report = examine(views(deal(2, one_way=True)))
    assert report is not None
    assert not report.is_symmetric
    assert report.certainty > 0.5
    assert report.average.shape == (VIEW_SIZE[1], VIEW_SIZE[0], 3)


def test_a_clean_pack_raises_no_report_and_a_pen_mark_does_with_its_pictures() -> None:
    clean = examine(views(deal(3, one_way=False)))
    assert clean is not None
    assert clean.is_symmetric
    assert clean.odd == ()
    seen = deal(3, one_way=False, kind=MarkKind.DOT)
    marked = examine(views(seen))
    assert marked is not None
    assert {seen[odd.view].card for odd in marked.odd} == {CARD}
    first = marked.odd[0]
    assert first.flaw.score > 0.5
    assert first.crop.shape == first.average.shape == first.difference.shape
    assert np.abs(first.difference.astype(int) - 128).max() > 40


def test_too_few_views_tell_nothing() -> None:
    seen = deal(4, one_way=False)[: LEAST_VIEWS - 1]
    assert examine(views(seen)) is None


def test_a_view_is_laid_on_itself_moved_and_turned_a_little() -> None:
    image = views(deal(5, one_way=True)[:1])[0].image
    model = Model(image)
    moved = np.roll(image, (3, -2), axis=(0, 1))
    fit = model.lay(moved)
    assert fit.error < 0.2
    back = laid_on_model(moved, fit.matrix)
    inner = (slice(50, -50), slice(40, -40))
    assert np.abs(back - image)[inner].mean() < np.abs(moved - image)[inner].mean() / 2
    assert np.array_equal(turned(turned(image)), image)


def test_what_passes_over_a_back_for_one_look_is_not_in_its_view() -> None:
    rng = np.random.default_rng(6)
    crops = [rng.integers(90, 110, (VIEW_SIZE[1], VIEW_SIZE[0], 3)).astype(np.uint8) for _ in range(5)]
    crops[2][40:80, 40:80] = 250
    view = view_of(crops)
    assert view.looks == 5
    assert float(view.image.max()) < 115


def test_views_with_the_other_end_up_are_told_by_a_few_signs_alone() -> None:
    """Of stripes with other corners eight were laid the wrong way up, and seemed marked."""
    rng = np.random.default_rng([301, 10059])
    back, _ = (random_back(rng, one_way=True) for _ in range(2))
    average = views(backs_of_a_deal(rng, [back.image] * 32, CAMERA, looks=3)[:1])[0].image

    signs = ends_as([average, turned(average), average], average, HALF_ROUND)
    assert signs.tolist() == [1, -1, 1]
