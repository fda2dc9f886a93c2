"""Divides the units of a run into groups, one task each, and finds the groups that each group depends on.

A unit is the smallest piece of work in a step (``Run.units``).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

STEPS = ("enumerate", "solve", "audit", "pack")

#: The minimum cost of a group that is worth a task of its own, in enumerated rows.
LEAST = 1 << 22

#: The cost that a group should not exceed, in enumerated rows: minutes of work, which are lost if the node dies.
MOST = 1 << 33

#: A unit: number, ply, cost, memory in bytes, and the (step, unit) pairs that it depends on.
Unit = tuple[int, int, int, int, list[tuple[str, int]]]


@dataclass
class Group:
    """Units of one ply that one task takes through one step."""

    step: str
    ply: int
    units: list[int]
    #: In enumerated rows.
    cost: int
    #: Bytes of memory that the largest unit needs.
    memory: int
    #: Numbers of the groups that must be finished before this one.
    after: set[int] = field(default_factory=set)


def split(units: Sequence[Unit], groups: int) -> Iterable[list[Unit]]:
    """Divides units into at most ``groups + 1`` lists of similar cost. Neighbours, which share input, stay together."""
    share, spent, group = sum(cost for _, _, cost, _, _ in units) / groups, 0, list[Unit]()
    for unit in units:
        if group and spent + unit[2] / 2 > share:
            yield group
            group, spent = [], 0
        group.append(unit)
        spent += unit[2]
    if group:
        yield group


def plan(units: Mapping[str, Sequence[Unit]], finished: Mapping[str, Iterable[int]], workers: int) -> list[Group]:
    """Returns the groups of all remaining work. Each group comes after the groups that it depends on.

    ``units`` holds ``Run.units`` for each step, ``finished`` the numbers of the units that have finished a step.
    """
    done = {step: set(finished.get(step, ())) for step in STEPS}
    groups: list[Group] = []
    owner: dict[tuple[str, int], int] = {}
    for step in STEPS:
        plies: dict[int, list[Unit]] = {}
        for unit in units.get(step, ()):
            if unit[0] not in done[step]:
                plies.setdefault(unit[1], []).append(unit)
        for ply in sorted(plies, reverse=step == "solve"):
            total = sum(cost for _, _, cost, _, _ in plies[ply])
            for group in split(plies[ply], max(1, min(workers, total // LEAST), total // MOST)):
                number = len(groups)
                owner |= {(step, unit): number for unit, _, _, _, _ in group}
                before = {owner[need] for _, _, _, _, after in group for need in after if need in owner}
                price = sum(cost for _, _, cost, _, _ in group)
                memory = max(memory for _, _, _, memory, _ in group)
                names = [unit for unit, _, _, _, _ in group]
                groups.append(Group(step, ply, names, price, memory, before - {number}))
    return groups
