import { start } from './0001-start.ts';
import { sharedItems } from './0002-shared-items.ts';

/** In order; one that was shipped is never changed. */
export const migrations: readonly string[] = [start, sharedItems];
