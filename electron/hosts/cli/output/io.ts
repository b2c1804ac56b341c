import type { UpdateMethod } from '../../../../shared/contract/updates.ts';
import { exits } from './exit-codes.ts';

const NO_INPUT_MESSAGE =
  'On Windows this program cannot read typed or piped input. Put the secret into a variable, and ' +
  'name the variable with the option that ends in -env; --help shows it';

/** Terminal as the command line needs it; tests and processes each provide one. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute words that call this program from any folder; a command and its arguments follow. */
  readonly program: readonly string[];
  /** Way in which this installation gets newer versions; undefined for a checkout. */
  readonly updates?: Exclude<UpdateMethod, 'here'>;
  /** Cost of one guess at the words of a backup; set only by tests. */
  readonly phraseWork?: number;
  out(text: string): void;
  err(text: string): void;
  /** Whether standard error is a terminal, on which a line can be redrawn. */
  readonly drawsBars: boolean;
  /**
   * Reads a secret: from a terminal without showing the secret, otherwise from standard input to
   * its end.
   */
  readSecret(question: string): Promise<string>;
  /**
   * Calls `listener` for each Ctrl+C or request to end; returns a function that stops listening.
   */
  onInterrupt(listener: () => void): () => void;
}

/**
 * Returns the terminal of this process, which `program` started.
 * @param hasInput False for Electron on Windows: there, standard input of a window program ends
 * immediately, even if data is piped into it (electron#4218).
 */
export function processIo(
  program: readonly string[],
  updates: Exclude<UpdateMethod, 'here'> = 'checkout',
  hasInput = true,
): Io {
  return {
    env: process.env,
    program,
    updates,
    out: (line) => guardedStream('stdout').write(line),
    err: (line) => guardedStream('stderr').write(line),
    // Node creates a stream on first access; most commands need only one of the two streams.
    get drawsBars() {
      return process.stderr.isTTY;
    },
    async readSecret(question) {
      if (!hasInput) {
        // Loaded here only: `--help` needs no library for checking data.
        const { AppError } = await import('../../../../shared/errors.ts');
        throw new AppError('invalid', NO_INPUT_MESSAGE);
      }
      return process.stdin.isTTY ? askHidden(question) : readAllInput();
    },
    onInterrupt(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}

const guardedStreams = new Set<NodeJS.WriteStream>();

function guardedStream(name: 'stdout' | 'stderr'): NodeJS.WriteStream {
  const stream = process[name];
  if (guardedStreams.has(stream)) return stream;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `… | head` closes the pipe early: further output has no reader.
    if (error.code === 'EPIPE') return;
    // If the disk is full, the command has done its work, but a scheduler must not treat half a
    // report as a whole one.
    if (name === 'stdout') {
      guardedStream('stderr').write(`signing-desk: The output cannot be written (${error.code})\n`);
    }
    process.once('exit', () => (process.exitCode = exits.unexpected));
  });
  guardedStreams.add(stream);
  return stream;
}

async function readAllInput(): Promise<string> {
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  // These modules are imported only when needed, because few commands ask for a secret.
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
