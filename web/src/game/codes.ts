/// The rule codes in the menu. Any other code can be typed.

import type { FamilyName } from "../api/types";

export const CODES: Record<FamilyName, string[]> = {
  binarsi: ["bin7x6", "bin6x6", "bin5x5-s3c", "bin5x4", "bin4x4", "bin3x3", "bin2x2", "bin4x4-n", "bin4x4-m", "bin4x4-p"],
  animal_shogi: ["val1n", "val1nT", "m00c1"],
  pyonpyon: ["pyon", "pyonB", "pyon3x4"],
  pyonpyon_shogi: ["pyon3x4-PGP", "pyon3x4-SNS", "pyon4x4-PGGP", "pyon-PNSGP"],
  reversi: ["rev8x8", "rev6x6", "rev6x4", "rev4x4"],
  connect_four: ["con7x6", "con5x5", "con5x4", "con4x4", "con5x5-k3"],
};

export const FAMILIES = Object.keys(CODES) as FamilyName[];
