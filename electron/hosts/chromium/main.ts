import { keepCompiledCode } from '../code-cache.ts';

keepCompiledCode();
const { startChromium } = await import('./start.ts');
process.exitCode = await startChromium();
