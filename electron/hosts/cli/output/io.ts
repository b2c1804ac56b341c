import type { UpdateWay } from '../../../../shared/contract/updates.ts';
import { AppError } from '../../../../shared/errors.ts';
import { exits } from './exit-codes.ts';

const NO_INPUT =
  'On Windows this program cannot read typed or piped input. Put the secret into a variable, and ' +
  'name the variable with the option that ends in -env; --help shows it';

/** The terminal as the command line needs it; tests and processes supply one each. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What calls this program from anywhere, absolute; a command and its arguments follow. */
  readonly program: readonly string[];
  /** How this installation gets newer versions; it is a checkout where nothing is said. */
  readonly updates?: Exclude<UpdateWay, 'here'>;
  /** What a guess at the words of a backup costs, for tests; no process says anything of it. */
  readonly phraseWork?: number;
  out(text: string): void;
  err(text: string): void;
  /** Whether standard error is a terminal, on which a line can be drawn again. */
  readonly drawsBars: boolean;
  /** Asks without showing what is typed on a terminal; else reads standard input to its end. */
  readSecret(question: string): Promise<string>;
  /** Calls `listener` for each Ctrl+C or request to end; gives the function that stops listening. */
  onInterrupt(listener: () => void): () => void;
}

/**
 * The terminal of this process, which `program` started.
 * @param hasInput false for Electron on Windows: a window program's standard input ends at once there,
 * whatever is piped into it (electron#4218).
 */
export function processIo(
  program: readonly string[],
  updates: Exclude<UpdateWay, 'here'> = 'checkout',
  hasInput = true,
): Io {
  return {
    env: process.env,
    program,
    updates,
    out: (line) => written('stdout').write(line),
    err: (line) => written('stderr').write(line),
    // Node makes a stream when it is first looked at; most commands need one of the two.
    get drawsBars() {
      return process.stderr.isTTY;
    },
    async readSecret(question) {
      if (!hasInput) throw new AppError('invalid', NO_INPUT);
      return process.stdin.isTTY ? askUnseen(question) : allOfInput();
    },
    onInterrupt(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}

/** The streams that were written to. */
const guarded = new Set<NodeJS.WriteStream>();

function written(name: 'stdout' | 'stderr'): NodeJS.WriteStream {
  const stream = process[name];
  if (guarded.has(stream)) return stream;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `… | head` closes the pipe early: what is left to say has no reader then.
    if (error.code === 'EPIPE') return;
    // A full disk: the command did its work, but a scheduler must not take half a report for the whole.
    if (name === 'stdout') {
      written('stderr').write(`signing-desk: The output cannot be written (${error.code})\n`);
    }
    process.once('exit', () => (process.exitCode = exits.unexpected));
  });
  guarded.add(stream);
  return stream;
}

async function allOfInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  // Loaded here: hardly any command asks for a secret.
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ]);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
