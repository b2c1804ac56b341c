import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** The terminal as the command line needs it; tests and processes supply one each. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  out(text: string): void;
  err(text: string): void;
  /** Whether standard error is a terminal, on which a line can be drawn again. */
  readonly drawsBars: boolean;
  /** Asks without showing what is typed on a terminal; else reads standard input to its end. */
  readSecret(question: string): Promise<string>;
  /** Calls `listener` for each Ctrl+C or request to end; gives the function that stops listening. */
  onInterrupt(listener: () => void): () => void;
}

/** The terminal of this process. */
export function processIo(): Io {
  // `… | head` closes the pipe early: what is left to say has no reader then.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
  return {
    env: process.env,
    out: (line) => process.stdout.write(line),
    err: (line) => process.stderr.write(line),
    drawsBars: process.stderr.isTTY,
    readSecret: (question) => (process.stdin.isTTY ? askUnseen(question) : text(process.stdin)),
    onInterrupt(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => process.off('SIGINT', listener).off('SIGTERM', listener);
    },
  };
}

async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
