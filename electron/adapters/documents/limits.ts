const MEGABYTE = 1024 * 1024;

/** More than a draft may carry, so that nothing larger is looked at. */
export const FILE_MAX = 32 * MEGABYTE;
/** Unpacked, of one part that is rewritten; a thousand pages of text take a tenth. */
export const PART_MAX = 24 * MEGABYTE;
/** Elements within elements; tables within tables within text boxes take some fifty. */
export const DEPTH_MAX = 250;
/** Of one picture; a scan of A4 at 600 dots an inch has 35 million. */
export const PIXELS_MAX = 50_000_000;
export const SIDE_MAX = 20_000;
/** Of the thread that reads a document or draws a picture. */
export const THREAD_MILLISECONDS = 20_000;
export const THREAD_MEGABYTES = 768;

/** What one conversion may take. */
export interface OfficeLimits {
  /** Of the processor, for each process; the system ends what uses more. */
  readonly seconds: number;
  /** By the clock, whatever else the computer does. */
  readonly milliseconds: number;
  /** Addresses, for each process: LibreOffice with all its libraries takes a third. */
  readonly megabytes: number;
}

export const OFFICE_LIMITS: OfficeLimits = {
  seconds: 60,
  milliseconds: 240_000,
  megabytes: 4096,
};
