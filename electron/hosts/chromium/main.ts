import { enableCompileCache } from 'node:module';
import { mayKeepCode } from './code-cache.ts';
import { codeCache } from '../data-dir.ts';

// Code compiled at one start is there at the next; what is imported before this is not kept.
const folder = codeCache(process.env, process.platform);
if (folder !== null && mayKeepCode(folder)) enableCompileCache(folder);
const { startChromium } = await import('./start.ts');
process.exitCode = await startChromium();
