import {
  concatTransformationMatrix,
  drawObject,
  PDFDocument,
  type PDFImage,
  PDFName,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib';
import { MAX_PIXELS, MAX_PICTURE_SIDE } from './limits.ts';
import { documentError } from './refuse.ts';

/** Sides of an A4 page in points: the shorter and the longer. */
const A4 = [595.28, 841.89] as const;
/** One screen pixel in points: small pictures are not enlarged to a page. */
const POINTS_PER_PIXEL = 0.75;
const DAMAGED_PICTURE_MESSAGE =
  'The picture is damaged. Open it in its own program and save it again';

interface JpegHead {
  readonly width: number;
  readonly height: number;
  /** 1 to 8, as in EXIF. */
  readonly orientation: number;
  readonly channels: number;
  /**
   * Whether one of Adobe's programs wrote the picture: they invert the four inks, and name
   * themselves in the file.
   */
  readonly isOfAdobe: boolean;
}

/** Returns an A4 page with the picture upright. Throws 'document-damaged' or 'document-limit'. */
export async function pictureAsPdf(data: Uint8Array, kind: 'jpeg' | 'png'): Promise<Uint8Array> {
  const head = kind === 'jpeg' ? readJpegHead(data) : null;
  const { width, height } = head ?? readPngSize(data);
  if (width === 0 || height === 0) throw documentError('document-damaged', DAMAGED_PICTURE_MESSAGE);
  if (width > MAX_PICTURE_SIDE || height > MAX_PICTURE_SIDE || width * height > MAX_PIXELS) {
    const megapixels = Math.round(MAX_PIXELS / 1_000_000);
    throw documentError('document-limit', `The picture has more than ${megapixels} million pixels`);
  }
  const document = await PDFDocument.create({ updateMetadata: false });
  const image = await embedPicture(document, data, head);
  const orientation = head?.orientation ?? 1;
  // Orientations from 5 on swap width and height.
  const [wide, high] = orientation > 4 ? [height, width] : [width, height];
  const [short, long] = A4;
  const [pageWidth, pageHeight] = wide > high ? [long, short] : [short, long];
  const scale = Math.min(pageWidth / wide, pageHeight / high, POINTS_PER_PIXEL);
  const [w, h] = [wide * scale, high * scale];
  const page = document.addPage([pageWidth, pageHeight]);
  const name = page.node.newXObject('Picture', image.ref);
  const [a, b, c, d, e, f] = ORIENTATION_MATRICES[orientation - 1] ?? UPRIGHT_MATRIX;
  const [x, y] = [(pageWidth - w) / 2, (pageHeight - h) / 2];
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(a * w, b * h, c * w, d * h, e * w + x, f * h + y),
    drawObject(name),
    popGraphicsState(),
  );
  return document.save({ addDefaultPage: false });
}

type Matrix = readonly [number, number, number, number, number, number];
const UPRIGHT_MATRIX: Matrix = [1, 0, 0, 1, 0, 0];
/** Rotation of the unit square for each orientation (CIPA DC-008, 4.6.4). */
const ORIENTATION_MATRICES: readonly Matrix[] = [
  UPRIGHT_MATRIX,
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
];

async function embedPicture(
  document: PDFDocument,
  data: Uint8Array,
  head: JpegHead | null,
): Promise<PDFImage> {
  try {
    // pdf-lib reads a JPEG from the start of its buffer and ignores the offset of the bytes.
    const own = new Uint8Array(data);
    const image = await (head === null ? document.embedPng(own) : document.embedJpg(own));
    await image.embed();
    if (head !== null && head.channels === 4 && !head.isOfAdobe) {
      // pdf-lib treats every four-ink JPEG as Adobe's.
      document.context.lookup(image.ref, PDFStream).dict.delete(PDFName.of('Decode'));
    }
    return image;
  } catch (cause) {
    throw documentError('document-damaged', DAMAGED_PICTURE_MESSAGE, cause);
  }
}

/**
 * Reads the size in the header, which comes first (PNG, second edition, 11.2.2). The end chunk
 * shows that the file is complete.
 */
function readPngSize(data: Uint8Array): { readonly width: number; readonly height: number } {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const isHead =
    data.length > 45 && Buffer.from(data.subarray(12, 16)).toString('latin1') === 'IHDR';
  if (!isHead || !Buffer.from(data.subarray(-64)).toString('latin1').includes('IEND')) {
    throw documentError('document-damaged', DAMAGED_PICTURE_MESSAGE);
  }
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

const EXIF = 'Exif\u0000\u0000';
const ADOBE = 'Adobe';

/** Reads the segments before the pixels (ITU-T T.81, annex B). */
function readJpegHead(data: Uint8Array): JpegHead {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let orientation = 1;
  let isOfAdobe = false;
  let at = 2;
  let size: Pick<JpegHead, 'width' | 'height' | 'channels'> | null = null;
  while (at + 4 <= data.length) {
    const marker = data[at + 1] ?? 0;
    if (data[at] !== 0xff) break;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (length < 2 || at + 2 + length > data.length) break;
    const body = data.subarray(at + 4, at + 2 + length);
    if (marker === 0xe1) orientation = orientationIn(body) ?? orientation;
    if (marker === 0xee) isOfAdobe ||= startsWith(body, ADOBE);
    if (isFrame(marker) && body.length >= 6) {
      size = {
        height: view.getUint16(at + 5),
        width: view.getUint16(at + 7),
        channels: data[at + 9] ?? 0,
      };
    }
    if (marker === 0xda) break;
    at += 2 + length;
  }
  // Some cameras write a preview after the end; a truncated file has no end.
  const isWhole = data.lastIndexOf(0xd9) > at && hasEndMarker(data);
  if (size === null || !isWhole) throw documentError('document-damaged', DAMAGED_PICTURE_MESSAGE);
  return { ...size, orientation, isOfAdobe };
}

/** Whether a marker starts a frame, in any coding; the excluded numbers mark tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function hasEndMarker(data: Uint8Array): boolean {
  for (let at = data.length - 1; at > 0; at -= 1) {
    if (data[at] === 0xd9 && data[at - 1] === 0xff) return true;
  }
  return false;
}

const startsWith = (body: Uint8Array, text: string): boolean =>
  Buffer.from(body.subarray(0, text.length)).toString('latin1') === text;

const ORIENTATION_TAG = 0x0112;

/**
 * Returns the orientation, which is tag 0x0112 of the first EXIF directory; null if it is missing.
 */
function orientationIn(body: Uint8Array): number | null {
  if (!startsWith(body, EXIF) || body.length < 22) return null;
  const tiff = body.subarray(EXIF.length);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const isLittle = tiff[0] === 0x49;
  const start = view.getUint32(4, isLittle);
  if (start + 2 > tiff.length) return null;
  const count = view.getUint16(start, isLittle);
  for (let entry = 0; entry < count; entry += 1) {
    const at = start + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (view.getUint16(at, isLittle) !== ORIENTATION_TAG) continue;
    const value = view.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}
