"""What goes wrong."""


class Error(Exception):
    """Anything that goes wrong in Yomikiri. The text is one line that names what it is about."""

    __module__ = "yomikiri"


class TextError(Error, ValueError):
    """A text or number that is no rule code, position, key, move or setting, or an illegal move."""

    __module__ = "yomikiri"


class TableError(Error):
    """A table or certificate that cannot be read or written, is damaged, or is of other rules than asked for."""

    __module__ = "yomikiri"


class MissingTableError(TableError, FileNotFoundError):
    """A table or certificate that is not there."""

    __module__ = "yomikiri"


class TooLargeError(Error, MemoryError):
    """Work that does not fit the memory, the disk or the keys there are."""

    __module__ = "yomikiri"


class AuditError(Error):
    """A value or a certificate that the rules do not bear out."""

    __module__ = "yomikiri"
