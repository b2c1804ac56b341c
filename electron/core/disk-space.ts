/** In bytes. With less, the copy of what was sent might not fit on the disk any more. */
export const LEAST_DISK = 50 * 1024 * 1024;
