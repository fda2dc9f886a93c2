"""Runs work on the machines of a Ray cluster: ``python -m yomikiri.cluster``. See docs/cluster.md.

- ``plan`` divides the tiers of a board, or parts of tiers, into groups that depend on each other.
- ``board`` makes a table: it submits the groups of a plan to the cluster.
- ``variants`` distributes a survey, ``games`` a match. Their tasks call the command (``program``); ``journal`` keeps
  the lines that it prints.
- ``lease`` allows one driver at a time for a board.
- ``nodes`` joins the cluster and reads its state, ``waiting`` waits for its tasks and nodes.
- ``report`` prints progress.
"""
