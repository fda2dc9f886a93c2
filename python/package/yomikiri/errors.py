"""The exceptions of the package."""


class Error(Exception):
    """The base class of all errors of Yomikiri. The message is one line, which names the thing at fault."""

    __module__ = "yomikiri"


class TextError(Error, ValueError):
    """An invalid rule code, position, key, move or setting, or an illegal move."""

    __module__ = "yomikiri"


class TableError(Error):
    """A table or certificate that cannot be read or written, is damaged, or belongs to other rules."""

    __module__ = "yomikiri"


class MissingTableError(TableError, FileNotFoundError):
    """A table or certificate that does not exist."""

    __module__ = "yomikiri"


class TooLargeError(Error, MemoryError):
    """Work that does not fit in memory, on the disk or in 64-bit keys."""

    __module__ = "yomikiri"


class AuditError(Error):
    """A value or a certificate that contradicts the rules."""

    __module__ = "yomikiri"
