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
  // A request nobody waits for any more would keep the process until it times out. The empty
  // write comes after all that was printed.
  process.stdout.write('', () => process.exit());
}
