"""Asks the program, and draws random positions of its games."""
import json
import subprocess


def ask(program, *arguments, told=None):
    """Returns the output of the program, with `told` on its standard input."""
    return subprocess.run([program, *arguments], input=told, capture_output=True, text=True, check=True).stdout


def position(line):
    """Returns the text of the position after a line of moves from the start."""
    return " ".join(["startpos moves", *line]) if line else "startpos"


def random_line(program, code, ply, draw):
    """Returns `ply` random moves from the start, after which the game is not over."""
    while True:
        line = []
        while moves := json.loads(ask(program, "moves", code, position(line), "--json"))["moves"]:
            if len(line) == ply:
                return line
            line.append(draw.choice(moves)["move"])
