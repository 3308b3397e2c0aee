"""Caches hold the elements that one job computed, for later jobs of the same mode, until invalidated."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.plan.cache import Cache


@dataclass
class Elements:
    batch: bool = False
    lost: bool = False
    channels: int = 1

    def are_there(self) -> bool:
        return not self.lost

    def source(self) -> None:
        raise AssertionError("not read in these tests")


def filled(elements: Elements) -> Cache:
    cache = Cache()
    cache.fill(elements, cache.generation)
    return cache


def test_it_is_empty_at_first() -> None:
    assert not Cache().is_filled
    assert Cache().elements(batch=False) is None


def test_it_holds_the_elements_that_a_job_computed() -> None:
    elements = Elements()
    assert filled(elements).is_filled
    assert filled(elements).elements(batch=False) is elements


def test_the_first_job_to_end_fills_it() -> None:
    first = Elements()
    cache = filled(first)
    cache.fill(Elements(), cache.generation)
    assert cache.elements(batch=False) is first


def test_it_holds_the_elements_of_both_modes() -> None:
    streamed, in_batch_mode = Elements(batch=False), Elements(batch=True)
    cache = filled(streamed)
    assert cache.elements(batch=True) is None
    cache.fill(in_batch_mode, cache.generation)
    assert cache.elements(batch=False) is streamed
    assert cache.elements(batch=True) is in_batch_mode
    in_batch_mode.lost = True
    assert cache.is_filled
    cache.invalidate()
    assert not cache.is_filled


def test_lost_elements_are_computed_again() -> None:
    elements = Elements()
    cache = filled(elements)
    elements.lost = True
    assert not cache.is_filled
    assert cache.elements(batch=False) is None
    again = Elements()
    cache.fill(again, cache.generation)
    assert cache.elements(batch=False) is again


def test_an_invalidated_cache_is_empty_and_can_be_filled() -> None:
    cache = filled(Elements())
    cache.invalidate()
    assert not cache.is_filled
    cache.fill(Elements(), cache.generation)
    assert cache.is_filled


def test_a_job_planned_before_an_invalidation_does_not_fill_it() -> None:
    cache = Cache()
    began = cache.generation
    cache.invalidate()
    cache.fill(Elements(), began)
    assert not cache.is_filled
