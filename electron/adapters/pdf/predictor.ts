/**
 * Filter types of PNG: how a row of compressed bytes depends on its neighbours (PDF 1.7, 7.4.4.4;
 * PNG, 9.2).
 */
const [LEFT, UP, AVERAGE, PAETH] = [1, 2, 3, 4] as const;

/** Removes PNG's predictor from rows of single bytes, as in texts; null if the data has none. */
export function withoutPredictor(packed: Uint8Array, columns: number): Uint8Array | null {
  if (columns < 1) return null;
  const count = Math.ceil(packed.length / (columns + 1));
  const plain = new Uint8Array(count * columns);
  for (let row = 0; row < count; row += 1) {
    const kind = packed[row * (columns + 1)] ?? 0;
    if (kind > PAETH) return null;
    for (let at = 0; at < columns; at += 1) {
      const place = row * columns + at;
      const left = at > 0 ? (plain[place - 1] ?? 0) : 0;
      const above = row > 0 ? (plain[place - columns] ?? 0) : 0;
      const corner = at > 0 && row > 0 ? (plain[place - columns - 1] ?? 0) : 0;
      plain[place] =
        (packed[row * (columns + 1) + 1 + at] ?? 0) + predictedByte(kind, left, above, corner);
    }
  }
  return plain.subarray(0, packed.length - count);
}

function predictedByte(kind: number, left: number, above: number, corner: number): number {
  switch (kind) {
    case LEFT:
      return left;
    case UP:
      return above;
    case AVERAGE:
      return Math.floor((left + above) / 2);
    case PAETH: {
      const [byLeft, byAbove, byCorner] = [
        Math.abs(above - corner),
        Math.abs(left - corner),
        Math.abs(left + above - 2 * corner),
      ];
      if (byLeft <= byAbove && byLeft <= byCorner) return left;
      return byAbove <= byCorner ? above : corner;
    }
    default:
      return 0;
  }
}
