import { runCli } from './run.ts';
import { exits } from './output/exit-codes.ts';
import { processIo } from './output/io.ts';

const exit = await runCli(process.argv.slice(2), processIo());
process.exitCode = exit;
if (exit === exits.stopped) {
  // A request nobody waits for any more would keep the process until it times out. The empty
  // write comes after all that was printed.
  process.stdout.write('', () => process.exit());
}
