/// The logarithmic scale of counts.

/// A bar hides the others if it is more than this number of times the median bar.
const HIDES = 50;

/// Returns true if the largest total is so large that most others cannot be seen beside it on a linear scale.
export function isSkewed(totals: number[]): boolean {
  const bars = totals.filter((total) => total > 0).sort((a, b) => a - b);
  if (bars.length === 0) return false;
  const middle = (bars[Math.floor((bars.length - 1) / 2)]! + bars[Math.floor(bars.length / 2)]!) / 2;
  return bars.at(-1)! > HIDES * middle;
}

/// The lower end of all bars: half a position, so that a bar of one position is visible.
export const FOOT = 0.5;

/// Returns the ends of the parts of a bar on a logarithmic scale. The whole bar is as high as its total; each part has
/// its share of the height. Null stands for a count of zero, which has no part.
export function parts(counts: number[]): ([number, number] | null)[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const at = (below: number) => FOOT * (total / FOOT) ** (below / total);
  let below = 0;
  return counts.map((count) => {
    if (count === 0) return null;
    const start = at(below);
    below += count;
    return [start, below === total ? total : at(below)];
  });
}

/// Returns the powers of ten up to a count, for the labels of the axis.
export function powers(largest: number): number[] {
  const powers = [1];
  while (powers.at(-1)! * 10 <= largest) powers.push(powers.at(-1)! * 10);
  return powers;
}
