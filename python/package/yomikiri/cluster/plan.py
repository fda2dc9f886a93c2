"""Which units are taken through a step together, and what each group of them has to wait for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

STEPS = ("enumerate", "solve", "audit", "pack")

#: What a group has to cost to be worth a task, in rows that enumeration goes through.
LEAST = 1 << 22

#: What a group costs at most: a task that a node takes with it when it dies is minutes of work.
MOST = 1 << 33

#: A unit: its number, its ply, its cost, the bytes of memory it needs, and the steps of units that come before it.
Unit = tuple[int, int, int, int, list[tuple[str, int]]]


@dataclass
class Group:
    """Units of one ply that one task takes through a step."""

    step: str
    ply: int
    units: list[int]
    #: In rows that enumeration goes through.
    cost: int
    #: Bytes that the largest of them needs.
    memory: int
    #: Numbers of the groups that come before it.
    after: set[int] = field(default_factory=set)


def split(units: Sequence[Unit], groups: int) -> Iterable[list[Unit]]:
    """Units in so many groups of neighbours that cost about as much, or fewer: neighbours share what they read."""
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
    """The groups of all that is left to do, each behind those that it has to wait for.

    ``units`` are those of ``Run.units`` by step, ``finished`` the units that have come through a step.
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
