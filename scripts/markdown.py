"""Writes parts of Markdown pages."""


def table(heads, rows):
    """Returns a table. If a head ends in a colon, its column holds numbers and is aligned to the right."""
    lines = [[head.rstrip(":") for head in heads], ["---:" if head.endswith(":") else "---" for head in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
