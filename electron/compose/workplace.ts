import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { RestoreWorkspace } from '../core/restore-ports.ts';

/** Creates a private folder outside all data folders, for a copy that is examined. */
export async function makeWorkplace(): Promise<RestoreWorkspace> {
  return workplaceIn(await mkdtemp(path.join(os.tmpdir(), 'signing-desk-')));
}

export function workplaceIn(folder: string): RestoreWorkspace {
  return {
    file: path.join(folder, 'desk.db'),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
