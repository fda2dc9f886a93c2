"""Small board games, solved completely: rules, tables, certificates, proofs and an engine.

A rule code such as ``"bin4x4"`` selects a game and its variant; the project's docs/commands.md lists them.

>>> import yomikiri
>>> game = yomikiri.Game("bin2x2")
>>> game.start.moves
['2n', 'bn']
"""

from ._yomikiri import (
    UNKNOWN,
    Answer,
    Batch,
    Batches,
    BatchIterator,
    Certificate,
    Checked,
    Choice,
    Game,
    JudgedMove,
    Move,
    Position,
    Proof,
    Step,
    Table,
    Value,
    Verdict,
    __version__,
    analyze,
    best_move,
    prove,
    query,
)
from .errors import AuditError, Error, MissingTableError, TableError, TextError, TooLargeError

__all__ = [
    "UNKNOWN",
    "Answer",
    "AuditError",
    "Batch",
    "BatchIterator",
    "Batches",
    "Certificate",
    "Checked",
    "Choice",
    "Error",
    "Game",
    "JudgedMove",
    "MissingTableError",
    "Move",
    "Position",
    "Proof",
    "Step",
    "Table",
    "TableError",
    "TextError",
    "TooLargeError",
    "Value",
    "Verdict",
    "__version__",
    "analyze",
    "best_move",
    "prove",
    "query",
]
