"""Work of many machines on a Ray cluster: ``python -m yomikiri.cluster``. docs/cluster.md tells how.

``plan`` puts the tiers of a board, or parts of them, into groups and says which has to wait for which, ``board`` has a
cluster take them through their steps, ``variants`` spreads surveys, ``games`` matches (``program`` runs ours,
``journal`` keeps the lines that it prints), ``lease`` keeps two drivers apart, ``nodes`` is the cluster, ``report`` what
is told of the work.
"""
