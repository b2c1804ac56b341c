import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';

/** Absolute path of Electron's program, or the reason why there is none. */
export type ElectronLookup = { readonly program: string } | { readonly why: string };

/** Path of Electron's program for each system, in the folder that Electron's installer fills. */
const PROGRAM_PATHS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};
const ELECTRON_PACKAGE = 'node_modules/electron';
const MEGABYTE = 1_000_000;
/** Interval in percent of the progress lines on an output that cannot rewrite a line. */
const PROGRESS_STEP_PERCENT = 10;
/**
 * Milliseconds without data after which the download fails: some mirrors and proxies accept a
 * connection and never answer.
 */
const DOWNLOAD_SILENCE_MS = 60_000;
const TERMINATION_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * File that Electron's installer writes last: if it is missing, unpacking was interrupted and is
 * repeated.
 */
const COMPLETION_FILE = 'path.txt';

/**
 * Returns the absolute path of Electron's program, or `undefined` if Electron is not installed
 * completely.
 */
export function findElectron(): string | undefined {
  // As in Electron's own installer and starter, an empty variable is ignored.
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH'];
  if (!named && !existsSync(place(ELECTRON_PACKAGE, COMPLETION_FILE))) return undefined;
  const folder = path.resolve(named || place(ELECTRON_PACKAGE, 'dist'));
  const program = path.join(folder, PROGRAM_PATHS[process.platform] ?? 'electron');
  const found = statSync(program, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size > 0 ? program : undefined;
}

/**
 * Finds Electron, or downloads it and lets its own installer unpack it. If Electron is missing,
 * every start tries the download again, without a limit of its total time, and shows its progress.
 */
export async function obtainElectron(): Promise<ElectronLookup> {
  const found = findElectron();
  if (found !== undefined) return { program: found };
  console.log('taking Electron, the first time …');
  try {
    await download();
  } catch (error) {
    return { why: `Electron cannot be downloaded (${causeOf(error)})` };
  }
  const { output } = await runNode(place(tools.installElectron), []);
  const program = findElectron();
  if (program !== undefined) return { program };
  const [said = 'it left no program'] = output.split('\n').filter((line) => line.trim() !== '');
  return { why: `Electron cannot be installed (${withoutSecrets(said.trim())})` };
}

/**
 * Downloads Electron into the folder where the installer looks first. Removes the partial file if
 * the download fails or the user presses Ctrl+C, which then ends this program as usual.
 */
async function download(): Promise<void> {
  const ending = new AbortController();
  let endedBy: NodeJS.Signals | null = null;
  const end = (signal: NodeJS.Signals): void => {
    endedBy = signal;
    ending.abort();
  };
  for (const signal of TERMINATION_SIGNALS) process.once(signal, end);
  const silence = setTimeout(() => {
    ending.abort(new Error(`nothing came for ${String(DOWNLOAD_SILENCE_MS / 1000)} seconds`));
  }, DOWNLOAD_SILENCE_MS);
  try {
    await downloadInto(ending.signal, () => silence.refresh());
  } finally {
    clearTimeout(silence);
    for (const signal of TERMINATION_SIGNALS) process.off(signal, end);
    if (endedBy !== null) process.kill(process.pid, endedBy);
  }
}

async function downloadInto(signal: AbortSignal, onBytes: () => void): Promise<void> {
  const { downloadArtifact, initializeProxy } = await import('@electron/get');
  // Uses the proxy that the environment names, as npm did when it installed this package.
  initializeProxy();
  const report = reportDownload();
  const { version } = z.object({ version: z.string() }).parse(readJson('package.json'));
  const env = process.env;
  await downloadArtifact({
    version,
    artifactName: 'electron',
    platform: env['ELECTRON_INSTALL_PLATFORM'] ?? process.platform,
    arch: env['ELECTRON_INSTALL_ARCH'] ?? process.arch,
    checksums: z.record(z.string(), z.string()).parse(readJson('checksums.json')),
    ...(env['electron_config_cache'] === undefined
      ? {}
      : { cacheRoot: env['electron_config_cache'] }),
    downloadOptions: {
      quiet: true,
      signal,
      getProgressCallback: (progress: DownloadProgress) => {
        onBytes();
        return report(progress);
      },
    },
  });
}

interface DownloadProgress {
  readonly percent: number;
  readonly transferred: number;
}

const readJson = (name: string): unknown =>
  JSON.parse(readFileSync(place(ELECTRON_PACKAGE, name), 'utf8'));

/**
 * Returns a function that prints the progress: on a terminal one line that is rewritten, otherwise
 * one line for each tenth.
 */
function reportDownload() {
  let said = -1;
  return async ({ percent, transferred }: DownloadProgress) => {
    const hundredths = Math.floor(percent * 100);
    const step = process.stdout.isTTY
      ? hundredths
      : Math.floor(hundredths / PROGRESS_STEP_PERCENT) * PROGRESS_STEP_PERCENT;
    if (step === said) return;
    said = step;
    const line = `  ${String(step)} % (${String(Math.round(transferred / MEGABYTE))} MB)`;
    process.stdout.write(
      process.stdout.isTTY ? `\r${line}${step === 100 ? '\n' : ''}` : `${line}\n`,
    );
  };
}

/**
 * Returns the message of the innermost cause, because "fetch failed" does not show what happened.
 */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return causeOf(error.errors[0]);
  if (!(error instanceof Error)) return withoutSecrets(String(error));
  return error.cause instanceof Error ? causeOf(error.cause) : withoutSecrets(error.message);
}

/**
 * Returns the first line of a text, with each address reduced to its server: a mirror's address may
 * contain a password, a token or a signature.
 */
function withoutSecrets(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.replaceAll(/\b(https?:\/\/)(?:\S*@)?([^\s/?#"']*)\S*/gi, '$1$2');
}
