/** Minimum free space in bytes. With less, the record of a send might not fit on the disk. */
export const MIN_FREE_DISK_BYTES = 50 * 1024 * 1024;
