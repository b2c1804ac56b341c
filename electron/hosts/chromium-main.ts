import { enableCompileCache } from 'node:module';

// Code compiled at one start is there at the next; what is imported before this is not kept.
enableCompileCache();
const { startChromium } = await import('./chromium-start.ts');
process.exitCode = await startChromium();
