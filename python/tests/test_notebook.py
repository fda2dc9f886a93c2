"""The notebook runs, and its results agree with the command."""

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import Command, KeysOf, TableOf
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "notebook.ipynb"

# A cell that prints the results of the notebook that the command can confirm.
FOUND = """
import json
print(json.dumps({
    "winners": by_ply.unpivot(index="ply", variable_name="name", value_name="len").filter(pl.col("len") > 0).rows(),
    "plies": dict(distances.group_by("plies").agg(pl.col("len").sum()).rows()),
    "longest": longest["plies"],
    "moves": going["moves"].sum(),
    "line": [move for move, _ in line],
    "winning": [int(winning.min()), int(winning.sum())],
    "figures": plt.get_fignums(),
}))
"""


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("code", ["bin3x3", "con4x4"])
def test_the_notebook_answers_as_the_command_does(
    code: str, command: Command, table_of: TableOf, keys_of: KeysOf, tmp_path: Path
) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert [cell for cell in notebook.cells if cell.get("outputs")] == [], "without results, which change"
    settings = notebook.cells[1]
    assert 'CODE = "bin3x3"' in settings["source"]
    settings["source"] = settings["source"].replace("bin3x3", code)
    notebook.cells.append(nbformat.v4.new_code_cell(FOUND))
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}).execute()
    found = json.loads(notebook.cells[-1]["outputs"][0]["text"])
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 5, "a picture for each question"

    table, keys = table_of(code), keys_of(code)
    stats: Any = command.json("stats", code)
    groups: Any = command.json("stats", code, "--by", "ply,winner")["counts"]
    expected = sorted((row["ply"], row["winner"] or "draw", row["count"]) for row in groups)
    assert sorted(map(tuple, found["winners"])) == expected
    assert found["plies"] == {plies: count for plies, count in stats["by_plies"].items()}
    assert found["longest"] == stats["max_plies"]
    told = command.run("line", code).splitlines()[-1].partition("moves ")[2]
    assert "".join(found["line"]) == told.replace(" ", "")
    offsets, children = table.game.children(keys)
    assert found["moves"] == len(children)
    lost = sum(1 for outcome in table.values(children)[0].tolist() if outcome == -1)
    assert found["winning"] == [1, lost]
