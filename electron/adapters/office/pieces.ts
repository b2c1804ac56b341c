/**
 * Maximum length of a piece (bytes); a slow connection transfers a statement of this size within
 * seconds.
 */
const PIECE_BYTES = 1_000_000;

/** Returns the number of pieces, at least one: an empty file also has a piece. */
export const piecesOf = ({ length }: Uint8Array): number =>
  Math.max(1, Math.ceil(length / PIECE_BYTES));

export const pieceAt = (data: Uint8Array, place: number): Uint8Array =>
  data.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES);

/** Joins all pieces of a file. Each piece also states the number of pieces. */
export async function joinPieces(
  read: (place: number) => Promise<{ readonly pieces: number; readonly data: Uint8Array }>,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let place = 0, pieces = 1; place < pieces; place += 1) {
    const piece = await read(place);
    ({ pieces } = piece);
    parts.push(piece.data);
  }
  return Buffer.concat(parts);
}
