import { enableCompileCache } from 'node:module';
import { codeCache } from './data-dir.ts';

// Code compiled at one start is there at the next; what is imported before this is not kept.
const folder = codeCache(process.env, process.platform);
if (folder !== null) enableCompileCache(folder);
const { startChromium } = await import('./chromium-start.ts');
process.exitCode = await startChromium();
