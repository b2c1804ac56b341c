const MEGABYTE = 1024 * 1024;

/**
 * Maximum bytes of a file: more than a draft may have, so that larger files are not read at all.
 */
export const MAX_DOCUMENT_BYTES = 32 * MEGABYTE;
/**
 * Maximum unpacked bytes of a part that is rewritten; a thousand pages of text need a tenth of it.
 */
export const MAX_PART_BYTES = 24 * MEGABYTE;
/** Maximum depth of nested elements; tables within tables within text boxes reach about fifty. */
export const MAX_XML_DEPTH = 250;
/** Maximum pixels of a picture; a scan of A4 at 600 dpi has 35 million. */
export const MAX_PIXELS = 50_000_000;
export const MAX_PICTURE_SIDE = 20_000;
/** Limits of the thread that reads a document or draws a picture. */
export const MAX_THREAD_MS = 20_000;
export const MAX_THREAD_MEGABYTES = 768;

export interface OfficeLimits {
  /** CPU time per process (s); the system ends a process that uses more. */
  readonly seconds: number;
  /** Elapsed time (ms), even if other programs use the CPU. */
  readonly milliseconds: number;
  /** Address space per process (MB): LibreOffice with all its libraries needs a third of it. */
  readonly megabytes: number;
}

export const OFFICE_LIMITS: OfficeLimits = {
  seconds: 60,
  milliseconds: 240_000,
  megabytes: 4096,
};
