import type { DataSpace, LogFiles } from '../../../electron/core/privacy/ports.ts';

function none(): never {
  throw new Error('There is no data file here');
}

/** Disk space for a program with data in memory, which has no file size. */
export const noSpace: DataSpace = {
  measure: async () => none(),
  compactInSteps: async () => none(),
  compactWhole: async () => none(),
};

export const noLogFiles: LogFiles = {
  old: () => ({ number: 0, bytes: 0, oldest: null, younger: 0 }),
  drop: () => 0,
  bytes: () => 0,
};
