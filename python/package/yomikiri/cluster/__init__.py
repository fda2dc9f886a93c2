"""Runs work on the machines of a Ray cluster: ``python -m yomikiri.cluster``. See docs/cluster.md.

- ``plan`` divides the tiers of a board, or parts of tiers, into groups, and finds the groups that each group needs. A
  tier has the positions with the same occupied rectangle and locks.
- ``board`` makes a table: it submits the groups of a plan to the cluster.
- ``variants`` distributes a survey, ``games`` a match. Their tasks call the command ``yomikiri`` (``program``), and
  ``journal`` keeps the lines that the command prints.
- ``lease`` makes sure that a board has at most one driver at a time.
- ``nodes`` joins the cluster and reads its state, ``waiting`` waits for tasks, and for nodes that can take them.
- ``report`` prints progress.
"""
