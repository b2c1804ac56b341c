import { start } from './0001-start.ts';
import { things } from './0002-things.ts';

/** In order; one that was shipped is never changed. */
export const migrations: readonly string[] = [start, things];
