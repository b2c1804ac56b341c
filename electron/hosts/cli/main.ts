import path from 'node:path';
import { keepCompiledCode } from '../code-cache.ts';

keepCompiledCode();
const { runCli } = await import('./run.ts');
const { exits } = await import('./output/exit-codes.ts');
const { processIo } = await import('./output/io.ts');

const [program, script = '', ...args] = process.argv;
const exit = await runCli(args, processIo([program ?? process.execPath, path.resolve(script)]));
process.exitCode = exit;
if (exit === exits.stopped) {
  // A request that is no longer awaited would keep the process running until its timeout. The empty
  // write is queued after all other output.
  process.stdout.write('', () => process.exit());
}
