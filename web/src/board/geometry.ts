/// Where things are drawn: squares of 60 units.

export const CELL = 60;

/// How large a square is drawn, at most, in the size of the page's letters.
export const LARGEST = 5.4;

/// The middle of a square by its file and rank as the board is drawn.
export function middle(file: number, rank: number): [number, number] {
  return [(file + 0.5) * CELL, (rank + 0.5) * CELL];
}
