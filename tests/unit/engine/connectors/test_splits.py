"""How files are cut and shared out."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.connectors.files import InputFile
from pystream.engine.connectors.splits import MIN_SPLIT_BYTES, FileSplit, assign_splits

MIB = MIN_SPLIT_BYTES


def file(size: int, name: str = "f") -> InputFile:
    return InputFile("/", name, size)


def ranges(files: list[InputFile], parallelism: int, split: bool = True) -> list[list[tuple[int, int, int]]]:
    shares = assign_splits(files, parallelism, lambda file: split)
    return [[(s.order, s.start, s.end) for s in share] for share in shares]


def test_a_large_file_is_cut_into_one_piece_a_subtask() -> None:
    assert ranges([file(9 * MIB)], 3) == [[(0, 0, 3 * MIB)], [(0, 3 * MIB, 6 * MIB)], [(0, 6 * MIB, 9 * MIB)]]


def test_a_file_that_may_not_be_cut_stays_whole() -> None:
    assert ranges([file(9 * MIB)], 2, split=False) == [[(0, 0, 9 * MIB)], []]


def test_a_small_file_is_not_cut() -> None:
    assert ranges([file(MIB)], 4) == [[(0, 0, MIB)], [], [], []]


def test_no_small_piece_is_left_at_the_end_of_a_file() -> None:
    assert ranges([file(MIB + 10)], 2) == [[(0, 0, MIB + 10)], []]


def test_empty_files_are_left_out() -> None:
    assert ranges([file(0), file(5)], 1) == [[(1, 0, 5)]]


def test_one_subtask_reads_everything_in_order_and_in_one_piece_a_file() -> None:
    assert ranges([file(3 * MIB), file(10), file(40 * MIB)], 1) == [
        [(0, 0, 3 * MIB), (1, 0, 10), (2, 0, 40 * MIB)]
    ]


def test_whole_files_go_to_the_subtask_with_least_to_read() -> None:
    sizes = [5, 1, 1, 1, 1, 1]
    shares = ranges([file(size) for size in sizes], 2)
    assert [sum(end for _, _, end in share) for share in shares] == [5, 5]


@given(
    sizes=st.lists(st.integers(0, 12 * MIB), max_size=8),
    parallelism=st.integers(1, 5),
    splittable=st.lists(st.booleans(), min_size=8, max_size=8),
)
def test_every_byte_is_read_once_in_pieces_that_are_not_small(
    sizes: list[int], parallelism: int, splittable: list[bool]
) -> None:
    files = [file(size, str(i)) for i, size in enumerate(sizes)]
    shares = assign_splits(files, parallelism, lambda file: splittable[int(file.path)])
    assert len(shares) == parallelism
    pieces = sorted((s.order, s.start, s.end) for share in shares for s in share)
    for order, size in enumerate(sizes):
        own = [(start, end) for o, start, end in pieces if o == order]
        assert [start for start, _ in own] == [0, *[end for _, end in own]][: len(own)]
        assert (own[-1][1] if own else 0) == size
        if len(own) > 1:
            assert splittable[order]
            assert min(end - start for start, end in own) >= MIB
    for share in shares:
        assert [(s.order, s.start) for s in share] == sorted((s.order, s.start) for s in share)


@given(sizes=st.lists(st.integers(0, 40 * MIB), min_size=1, max_size=6), parallelism=st.integers(1, 5))
def test_files_that_may_be_cut_are_shared_evenly(sizes: list[int], parallelism: int) -> None:
    shares = assign_splits([file(size) for size in sizes], parallelism, lambda file: True)
    loads = [sum(s.end - s.start for s in share) for share in shares]
    assert max(loads) - sum(sizes) / parallelism <= 2 * MIB


@given(
    size=st.integers(1, 10**13),
    count=st.integers(0, 60),
    cuts=st.lists(st.integers(0, 10**13), max_size=6),
)
def test_every_unit_of_a_file_belongs_to_one_of_the_ranges_that_cover_it(
    size: int, count: int, cuts: list[int]
) -> None:
    bounds = [0, *sorted(cut for cut in cuts if cut < size), size]
    splits = [FileSplit(0, start, end, file(size)) for start, end in pairwise(bounds)]
    assert [unit for split in splits for unit in split.units(count)] == list(range(count))
