"""Writes parts of Markdown pages."""
import re


def table(heads, rows):
    """Returns a table. If a head ends in a colon, its column holds numbers and is aligned to the right."""
    lines = [[head.rstrip(":") for head in heads], ["---:" if head.endswith(":") else "---" for head in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def filled(text, part):
    """Returns a text with each line `{name}` replaced by `part(name)`."""
    return re.sub(r"^\{(\w+)\}$", lambda line: part(line[1]), text, flags=re.MULTILINE)
