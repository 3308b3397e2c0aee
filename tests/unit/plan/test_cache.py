"""A cache keeps what one job computed, for later jobs of the same mode, until it is invalidated."""

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
        raise AssertionError("nobody reads them here")


def filled(elements: Elements) -> Cache:
    cache = Cache()
    cache.fill(elements, cache.generation)
    return cache


def test_it_is_empty_at_first() -> None:
    assert not Cache().is_filled
    assert Cache().elements(batch=False) is None


def test_it_keeps_what_a_job_computed() -> None:
    elements = Elements()
    assert filled(elements).is_filled
    assert filled(elements).elements(batch=False) is elements


def test_of_two_jobs_the_first_to_end_counts() -> None:
    first = Elements()
    cache = filled(first)
    cache.fill(Elements(), cache.generation)
    assert cache.elements(batch=False) is first


def test_a_job_of_the_other_mode_computes_its_own() -> None:
    cache = filled(Elements(batch=False))
    assert cache.elements(batch=True) is None
    in_batch_mode = Elements(batch=True)
    cache.fill(in_batch_mode, cache.generation)
    assert cache.elements(batch=True) is in_batch_mode


def test_the_elements_of_both_modes_are_kept() -> None:
    streamed, in_batch_mode = Elements(batch=False), Elements(batch=True)
    cache = filled(streamed)
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


def test_a_job_from_before_an_invalidation_fills_nothing() -> None:
    cache = Cache()
    began = cache.generation
    cache.invalidate()
    cache.fill(Elements(), began)
    assert not cache.is_filled
