"""Parts of pages in Markdown."""


def table(heads, rows):
    """Columns whose heads end in a colon are numbers."""
    lines = [[head.rstrip(":") for head in heads], ["---:" if head.endswith(":") else "---" for head in heads], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
