"""Diagrams as SVG images, drawn in layers from sources to sinks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from pystream.plan.diagram import PATH_COLOURS, Arrow, Diagram, ExplainedOperator

__all__ = ["to_svg"]

_BOX_WIDTH, _BOX_HEIGHT = 290, 62
_BEND_WIDTH = 24  # width of a layer that an arrow only passes
_COLUMN_GAP, _LAYER_GAP = 28, 44
_MARGIN = 10
_FONT_SIZE = 12
_LETTERS = int((_BOX_WIDTH - 10) / (_FONT_SIZE * 0.61))  # of a monospaced line that fits a box
_SWEEPS = 4
_INK, _LINE = "#263238", "#607d8b"


@dataclass(eq=False, slots=True)
class _Place:
    """The position of a box, or of an arrow that passes a layer.

    Attributes:
        layer: number of the layer, counted from the sources.
        width: its share of the layer.
        above: its neighbours in the layer above.
        below: its neighbours in the layer below.
        x: its middle.
    """

    layer: int
    width: int
    above: list[_Place] = field(default_factory=list)
    below: list[_Place] = field(default_factory=list)
    x: float = 0.0

    @property
    def top(self) -> float:
        return _MARGIN + self.layer * (_BOX_HEIGHT + _LAYER_GAP)

    @property
    def bottom(self) -> float:
        return self.top + _BOX_HEIGHT


def to_svg(diagram: Diagram) -> str:
    """Return the text of an SVG image of a diagram."""
    places, routes = _placed(diagram)
    layers = _layers([*places.values(), *(place for _, route in routes for place in route[1:-1])])
    width = _arranged(layers) + 2 * _MARGIN
    height = len(layers) * (_BOX_HEIGHT + _LAYER_GAP) - _LAYER_GAP + 2 * _MARGIN
    parts = [
        *(_route(arrow, route) for arrow, route in routes),
        *(_loop(places[arrow.source], places[arrow.target]) for arrow in diagram.loops),
        *(_box(box, places[box.id]) for box in diagram.operators),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="monospace" font-size="{_FONT_SIZE}" style="background:#fff">'
        '<defs><marker id="pystream-tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        f'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="{_LINE}"/></marker></defs>'
        f"{''.join(parts)}</svg>"
    )


def _placed(diagram: Diagram) -> tuple[dict[int, _Place], list[tuple[Arrow, list[_Place]]]]:
    """Return the position of each box, and the positions that each arrow passes, both ends included.

    A box is one layer below the lowest of its inputs.
    """
    places: dict[int, _Place] = {}
    routes = []
    inputs: dict[int, list[Arrow]] = {}
    for arrow in diagram.arrows:
        inputs.setdefault(arrow.target, []).append(arrow)
    for box in diagram.operators:
        arrows = inputs.get(box.id, [])
        layer = 1 + max((places[arrow.source].layer for arrow in arrows), default=-1)
        places[box.id] = place = _Place(layer, _BOX_WIDTH)
        for arrow in arrows:
            start = places[arrow.source]
            bends = [_Place(between, _BEND_WIDTH) for between in range(start.layer + 1, layer)]
            route = [start, *bends, place]
            for upper, lower in pairwise(route):
                upper.below.append(lower)
                lower.above.append(upper)
            routes.append((arrow, route))
    return places, routes


def _layers(places: Iterable[_Place]) -> list[list[_Place]]:
    layers: list[list[_Place]] = []
    for place in sorted(places, key=lambda place: place.layer):
        if place.layer == len(layers):
            layers.append([])
        layers[place.layer].append(place)
    return layers


def _arranged(layers: list[list[_Place]]) -> float:
    """Set the horizontal positions so that few arrows cross, and return the width of the widest layer.

    Each sweep orders a layer by the mean position of its neighbours in the layer before.
    """
    widest = max(map(_width, layers))
    for layer in layers:
        _spread(layer, widest)
    for sweep in range(_SWEEPS):
        downwards = sweep % 2 == 0
        for layer in layers if downwards else reversed(layers):
            layer.sort(key=lambda place: _mean_x(place.above if downwards else place.below, place.x))
            _spread(layer, widest)
    return widest


def _width(layer: list[_Place]) -> float:
    return sum(place.width for place in layer) + _COLUMN_GAP * (len(layer) - 1)


def _spread(layer: list[_Place], widest: float) -> None:
    x = _MARGIN + (widest - _width(layer)) / 2
    for place in layer:
        place.x = x + place.width / 2
        x += place.width + _COLUMN_GAP


def _mean_x(neighbours: list[_Place], otherwise: float) -> float:
    return sum(place.x for place in neighbours) / len(neighbours) if neighbours else otherwise


def _route(arrow: Arrow, route: list[_Place]) -> str:
    start, *bends, end = route
    path = f"M{start.x:g} {start.bottom:g}"
    x, y = start.x, start.bottom
    for place in (*bends, end):
        middle = (y + place.top) / 2
        path += f"C{x:g} {middle:g} {place.x:g} {middle:g} {place.x:g} {place.top:g}"
        x, y = place.x, place.top
        if place is not end:
            y = place.bottom
            path += f"L{x:g} {y:g}"
    drawn = f'<path d="{path}" fill="none" stroke="{_LINE}" marker-end="url(#pystream-tip)"/>'
    if arrow.label:
        drawn += (
            f'<text x="{end.x + 6:g}" y="{end.top - 14:g}" font-size="10" fill="{_LINE}">'
            f"{escape(arrow.label)}</text>"
        )
    return drawn


def _loop(start: _Place, head: _Place) -> str:
    right = max(start.x, head.x) + _BOX_WIDTH / 2 + _COLUMN_GAP
    from_x, to_x = start.x + _BOX_WIDTH / 2, head.x + _BOX_WIDTH / 2
    from_y, to_y = start.top + _BOX_HEIGHT / 2, head.top + _BOX_HEIGHT / 2
    return (
        f'<path d="M{from_x:g} {from_y:g}C{right:g} {from_y:g} {right:g} {to_y:g} {to_x:g} {to_y:g}" '
        f'fill="none" stroke="{_LINE}" stroke-dasharray="4 3" marker-end="url(#pystream-tip)"/>'
    )


def _box(box: ExplainedOperator, place: _Place) -> str:
    left = place.x - _BOX_WIDTH / 2
    caption = box.caption if box.task is None else f"{box.caption} · task {box.task}"
    tooltip = f"{box.title}\n{box.type}"
    if box.why_not_faster:
        tooltip += f"\nwhy not faster: {box.why_not_faster}"
    lines = (
        f'<tspan x="{place.x:g}" y="{place.top + 18:g}" font-weight="bold">{_fitting(box.title)}</tspan>',
        f'<tspan x="{place.x:g}" y="{place.top + 35:g}">{_fitting(box.type)}</tspan>',
        f'<tspan x="{place.x:g}" y="{place.top + 52:g}" fill="{_LINE}">{_fitting(caption)}</tspan>',
    )
    return (
        f"<g><title>{escape(tooltip)}</title>"
        f'<rect x="{left:g}" y="{place.top:g}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="5" '
        f'fill="{PATH_COLOURS[box.path]}" stroke="{_LINE}"/>'
        f'<text text-anchor="middle" fill="{_INK}">{"".join(lines)}</text></g>'
    )


def _fitting(text: str) -> str:
    return escape(text if len(text) <= _LETTERS else f"{text[: _LETTERS - 1]}…")
