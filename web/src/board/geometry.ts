/// Coordinates of drawings: a square is 60 units wide.

export const CELL = 60;

/// The largest width of a square on the page, in rem.
export const LARGEST = 5.4;

/// Returns the centre of a square by its drawn file and rank, from 0.
export function middle(file: number, rank: number): [number, number] {
  return [(file + 0.5) * CELL, (rank + 0.5) * CELL];
}
