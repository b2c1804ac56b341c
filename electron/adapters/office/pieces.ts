/** A statement with so much is over within seconds on a slow link, too. */
const PIECE_BYTES = 1_000_000;

/** One at least: an empty file is one, too. */
export const piecesOf = ({ length }: Uint8Array): number =>
  Math.max(1, Math.ceil(length / PIECE_BYTES));

export const pieceAt = (data: Uint8Array, place: number): Uint8Array =>
  data.subarray(place * PIECE_BYTES, (place + 1) * PIECE_BYTES);

/** All pieces as one; each says how many there are. */
export async function fromPieces(
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
