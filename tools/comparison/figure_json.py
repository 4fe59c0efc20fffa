"""The JSON of a live figure compared: structure, names, operators and whole numbers equal, floats nearly so.

A Program is compared from its outputs backwards, so that it does not matter which of its constants happen to
be equal bit for bit on one machine and are then stored once.
"""

import json
from collections.abc import Iterator
from typing import Any

import printed
import tensors

SIZE = 1e-4  # of a number, or of the largest of its list


def differences(stored: Any, computed: Any) -> list[str]:
    """Say where two JSON values differ by more than processors do; an empty list if nowhere."""
    if not all(isinstance(spec, dict) and "programs" in spec for spec in (stored, computed)):
        return list(_json(stored, computed, "JSON"))
    rest = [_without_programs(spec) for spec in (stored, computed)]
    return [*_json(*rest, "JSON"), *_all_programs(stored, computed)]


# --- plain JSON -----------------------------------------------------------------------------------


def _json(stored: Any, computed: Any, place: str, size: float | None = None) -> Iterator[str]:
    """`size` is the largest number of the list that the two stand in."""
    if isinstance(stored, dict) and isinstance(computed, dict):
        if list(stored) != list(computed):
            yield f"{place}: other names: {list(stored)} stored, {list(computed)} computed"
            return
        if {"shape", "dtype"} <= set(stored) and isinstance(
            stored.get("value"), str
        ):  # what a figure carries
            if fault := tensors.difference(
                *({**each, "data": each["value"], "value": ""} for each in (stored, computed))
            ):
                yield f"{place}: {fault}"
            return
        for name in stored:
            yield from _json(stored[name], computed[name], f"{place}.{name}")
    elif isinstance(stored, list) and isinstance(computed, list):
        if len(stored) != len(computed):
            yield f"{place}: {len(stored)} items stored, {len(computed)} computed"
            return
        size = _largest(stored) if size is None else size
        for i, (before, after) in enumerate(zip(stored, computed, strict=True)):
            yield from _json(before, after, f"{place}[{i}]", size)
    elif isinstance(stored, float) and isinstance(computed, float):
        gap, allowed = abs(stored - computed), SIZE * max(abs(stored), size or 0.0)
        if gap > allowed:
            yield f"{place}: {stored:.9g} stored, {computed:.9g} computed: " + printed.by(gap, allowed)
    elif isinstance(stored, str) and isinstance(computed, str):
        yield from (f"{place}: {fault}" for fault in printed.differences(stored, computed))
    elif type(stored) is not type(computed) or stored != computed:
        yield f"{place}: {_brief(stored)} stored, {_brief(computed)} computed"


def _largest(numbers: Any) -> float:
    if isinstance(numbers, list):
        return max(map(_largest, numbers), default=0.0)
    return abs(numbers) if isinstance(numbers, float) else 0.0


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) < 80 else text[:77] + "..."


# --- Programs -------------------------------------------------------------------------------------


def _without_programs(spec: dict[str, Any]) -> dict[str, Any]:
    """Leave out the Programs and which of them happen to be equal; the settings that have one stay."""
    rest = {name: value for name, value in spec.items() if name not in ("programs", "pool")}
    return rest | {"variants": spec["variants"] | {"keys": list(spec["variants"]["keys"])}}


def _all_programs(stored: dict[str, Any], computed: dict[str, Any]) -> Iterator[str]:
    known: dict[tuple[int, int], str | None] = {}  # constants that many Programs share are read once
    done = set()
    for key, number in stored["variants"]["keys"].items():
        pair = number, computed["variants"]["keys"].get(key)
        if pair[1] is None or pair in done:
            continue
        done.add(pair)
        faults = _program(_Program(stored, pair[0]), _Program(computed, pair[1]), known)
        yield from (f"Program {key or '(the only one)'}: {fault}" for fault in faults)


class _Program:
    """One Program of a figure, with its constants in their places."""

    def __init__(self, spec: dict[str, Any], number: int) -> None:
        self.spec, self._pool = spec["programs"][number], spec["pool"]
        constants = self.spec["constants"]
        self.constants = [self._pool[each["pool"]] if "pool" in each else each for each in constants]
        self.results = [(node, i) for node in self.spec["nodes"] for i in range(node.get("outs", 1))]
        self.outputs = {out["name"]: out["value"] for out in self.spec["outputs"]}

    @property
    def head(self) -> dict[str, Any]:
        """Give what stands around the operators; names and places go by their numbers, which may differ."""
        rest = {key: value for key, value in self.spec.items() if key not in ("constants", "nodes", "source")}
        lines = self.spec.get("source", {}).get("lines", [])
        shared = [self._pool[each["pool"]] if isinstance(each, dict) else each for each in lines]
        return rest | {"outputs": list(self.outputs), "lines": shared}

    def value(self, number: int) -> tuple[str, Any]:
        """Say what a value is: an input and its name, a constant, or a node and which of its results."""
        parts = (("input", self.spec["inputs"]), ("constant", self.constants), ("result", self.results))
        for kind, values in parts:
            if number < len(values):
                return kind, values[number]
            number -= len(values)
        raise IndexError(f"the Program has no value {number}")


def _program(stored: _Program, computed: _Program, known: dict[tuple[int, int], str | None]) -> Iterator[str]:
    if faults := list(_json(stored.head, computed.head, "head")):
        yield from faults
        return
    wanted = [(stored.outputs[name], computed.outputs[name], name) for name in stored.outputs]
    done = set()
    while wanted:
        before, after, place = wanted.pop()
        if (before, after) in done:
            continue
        done.add((before, after))
        (kind, old), (other, new) = stored.value(before), computed.value(after)
        if kind != other:
            yield f"{place}: {kind} stored, {other} computed"
        elif kind == "input":
            yield from _json(old, new, place)
        elif kind == "constant":
            pair = id(old), id(new)
            if pair not in known:
                known[pair] = tensors.difference(old, new)
            if known[pair]:
                yield f"{place}: {known[pair]}"
        else:
            (node, result), (twin, its) = old, new
            place = f"value {before}, {node['op']}"
            if faults := list(_json([_plain(node), result], [_plain(twin), its], place)):
                yield from faults
            else:
                wanted += [(a, b, place) for a, b in zip(_uses(node), _uses(twin), strict=True)]


def _plain(tree: Any) -> Any:
    """Write an argument without the numbers of values, and floats as floats."""
    if isinstance(tree, dict):
        if set(tree) == {"v"}:
            return "a value"
        return float(tree["f"]) if set(tree) == {"f"} else {k: _plain(v) for k, v in tree.items()}
    return [_plain(item) for item in tree] if isinstance(tree, list) else tree


def _uses(tree: Any) -> list[int]:
    """List the values that a node uses, in the order in which it names them."""
    if isinstance(tree, dict):
        return [tree["v"]] if set(tree) == {"v"} else [v for item in tree.values() for v in _uses(item)]
    return [v for item in tree for v in _uses(item)] if isinstance(tree, list) else []
