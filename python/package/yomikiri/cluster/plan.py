"""Which tiers are taken through a step together, and what each group of them has to wait for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

STEPS = ("enumerate", "solve", "audit")

#: Rows times bundles of moves for which a group of its own is worth a task.
LEAST = 1 << 21

#: How much more a row costs than one of the enumeration.
WEIGHTS = {"enumerate": 1, "solve": 4, "audit": 8}

Tier = tuple[int, int, list[int]]


@dataclass
class Group:
    """Tiers of one ply that one task takes through a step."""

    step: str
    ply: int
    tiers: list[int]
    #: In rows of the enumeration.
    cost: int
    #: Numbers of the groups that come before it.
    after: set[int] = field(default_factory=set)


def cost(tier: Tier) -> int:
    """Rows that are gone through, once for the tier and once for each bundle of moves."""
    _, rows, children = tier
    return rows * (len(children) + 1)


def split(numbers: Sequence[int], costs: Sequence[int], groups: int) -> Iterable[list[int]]:
    """Numbers in so many groups of neighbours that cost about as much, or fewer: neighbours share children."""
    share, spent, group = sum(costs) / groups, 0, list[int]()
    for number, price in zip(numbers, costs):
        if group and spent + price / 2 > share:
            yield group
            group, spent = [], 0
        group.append(number)
        spent += price
    if group:
        yield group


def plan(tiers: Sequence[Tier], finished: Mapping[str, Iterable[int]], workers: int) -> list[Group]:
    """The groups of all that is left to do, each behind those that it has to wait for.

    ``tiers`` are those of ``Run.tiers``, ``finished`` the tiers that have come through a step.
    """
    parents: dict[int, list[int]] = defaultdict(list)
    plies: dict[int, list[int]] = defaultdict(list)
    for number, (ply, _, children) in enumerate(tiers):
        plies[ply].append(number)
        for child in children:
            parents[child].append(number)
    done = {step: set(finished.get(step, ())) for step in STEPS}
    # What is solved was enumerated; its positions may be gone.
    done["enumerate"] |= done["solve"]
    groups: list[Group] = []
    owner: dict[tuple[str, int], int] = {}
    for step in STEPS:
        for ply in sorted(plies, reverse=step == "solve"):
            left = [number for number in plies[ply] if number not in done[step]]
            costs = [cost(tiers[number]) for number in left]
            most = max(1, min(workers, sum(costs) // LEAST))
            for group in split(left, costs, most):
                before: set[tuple[str, int]] = set()
                for number in group:
                    children = tiers[number][2]
                    if step == "enumerate":
                        before |= {("enumerate", parent) for parent in parents[number]}
                    elif step == "solve":
                        before |= {("enumerate", number)} | {("solve", child) for child in children}
                    else:
                        before |= {("solve", each) for each in [number, *children]}
                        before |= {("audit", parent) for parent in parents[number]}
                after = {owner[need] for need in before if need in owner}
                price = WEIGHTS[step] * sum(cost(tiers[number]) for number in group)
                owner |= {(step, number): len(groups) for number in group}
                groups.append(Group(step, ply, group, price, after))
    return groups
