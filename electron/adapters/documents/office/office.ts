import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../../../shared/errors.ts';
import { Serial } from '../../../../shared/serial.ts';
import type { WriterLock } from '../../../core/outbox/ports.ts';
import { OFFICE_LIMITS, type OfficeLimits } from '../limits.ts';
import { DAMAGED_MESSAGE, documentError } from '../refuse.ts';
import { findOffice } from './find.ts';
import { profileSettings } from './profile.ts';
import { type IsolationLevel, detectIsolation } from './apart.ts';
import { runLimited, versionOf } from './run.ts';

/** Maximum wait for another process of this data folder that is converting (ms). */
const MAX_LOCK_WAIT_MS = 120_000;
const LOCK_POLL_MS = 200;
const PRIVATE_FOLDER_OPTIONS = { recursive: true, mode: 0o700 } as const;

export interface OfficePorts {
  /** Folder for documents during a conversion; private to this user and emptied afterwards. */
  readonly folder: string;
  /** Lock of the one process that converts. */
  readonly lock: WriterLock;
  readonly find?: () => string | null;
  readonly limits?: OfficeLimits;
}

interface ConversionRequest {
  readonly data: Uint8Array;
  readonly from: 'docx' | 'odt' | 'rtf' | 'doc';
  readonly to: 'pdf' | 'docx';
}

interface OfficeProgram {
  readonly path: string;
  /** Null if the program does not report its version. */
  readonly version: string | null;
  /** Isolation by the system; LibreOffice's settings restrict it in any case. */
  readonly apart: IsolationLevel;
}

/** Returns the LibreOffice of this computer; null if it is not installed. */
export async function findOfficeProgram(): Promise<OfficeProgram | null> {
  const program = findOffice();
  if (program === null) return null;
  const version = await versionOf(program);
  return { path: program, version, apart: await detectIsolation(program) };
}

export interface Office {
  /**
   * Converts a document. Throws 'office-missing', 'document-damaged', 'document-limit' or
   * 'desk-busy'.
   */
  convert(order: ConversionRequest): Promise<Uint8Array>;
  /** Removes the files of a killed process, unless another process is converting now. */
  clean(): Promise<void>;
}

export function createOffice(ports: OfficePorts): Office {
  const { folder, lock, find = findOffice } = ports;
  const turns = new Serial();

  const removeAll = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 5 });
  /**
   * Runs the work while no other process converts: the holder of the lock may remove all files in
   * the folder.
   */
  const alone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const until = Date.now() + MAX_LOCK_WAIT_MS;
    while (!lock.take()) {
      if (Date.now() > until) {
        const message = 'Another window or command is converting documents. Try again in a moment';
        throw new AppError('conflict', message, { reason: 'desk-busy' });
      }
      await wait(LOCK_POLL_MS);
    }
    try {
      await removeAll();
      await mkdir(folder, PRIVATE_FOLDER_OPTIONS);
      return await work();
    } finally {
      try {
        await removeAll();
      } finally {
        lock.free();
      }
    }
  };

  return {
    convert: (order) =>
      turns.run(async () => {
        const program = find();
        if (program === null) {
          throw documentError(
            'office-missing',
            'LibreOffice converts Word and OpenDocument files to PDF, but is not installed here. ' +
              'Install it (libreoffice.org), or save the document as a PDF and add the PDF',
          );
        }
        return alone(() => convertInFolder(folder, program, order, ports.limits ?? OFFICE_LIMITS));
      }),
    clean: () =>
      turns.run(async () => {
        if (!existsSync(folder) || !lock.take()) return;
        try {
          await removeAll();
        } finally {
          lock.free();
        }
      }),
  };
}

async function convertInFolder(
  folder: string,
  program: string,
  { data, from, to }: ConversionRequest,
  limits: OfficeLimits,
): Promise<Uint8Array> {
  const place = await mkdtemp(path.join(folder, 'document-'));
  const [profile, home, out] = ['profile', 'home', 'out'].map((name) => path.join(place, name));
  const source = path.join(place, `document.${from}`);
  const user = path.join(profile ?? place, 'user');
  for (const made of [user, home ?? place, out ?? place]) await mkdir(made, PRIVATE_FOLDER_OPTIONS);
  await writeFile(path.join(user, 'registrymodifications.xcu'), profileSettings());
  await writeFile(source, data, { mode: 0o600 });
  const filter = to === 'pdf' ? 'pdf:writer_pdf_Export' : 'docx:MS Word 2007 XML';
  const ended = await runLimited({
    program,
    args: [
      `-env:UserInstallation=${pathToFileURL(profile ?? place).href}`,
      ...['--headless', '--norestore', '--nologo', '--nodefault', '--nolockcheck'],
      ...['--nofirststartwizard', '--convert-to', filter, '--outdir', out ?? place, source],
    ],
    env: environmentFor(place, home ?? place),
    folder: place,
    limits,
  });
  const made = await readFile(path.join(out ?? place, `document.${to}`)).catch(() => null);
  if (made !== null && made.length > 0 && !ended.isOverLimit) return made;
  if (ended.isOverLimit) {
    throw documentError(
      'document-limit',
      'The document takes too long or too much memory to convert. Save it as a PDF in its own program',
    );
  }
  throw documentError('document-damaged', DAMAGED_MESSAGE, new Error(ended.output.slice(0, 2000)));
}

/**
 * Returns the environment variables for LibreOffice: only those that are needed to find libraries,
 * fonts and a language.
 */
function environmentFor(place: string, home: string): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'SYSTEMROOT', 'SystemRoot', 'WINDIR', 'FONTCONFIG_FILE'];
  const given = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(given),
    HOME: home,
    USERPROFILE: home,
    // Location of the user's own fonts.
    XDG_DATA_HOME: process.env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share'),
    TMPDIR: place,
    TEMP: place,
    TMP: place,
    // Draws without a display.
    SAL_USE_VCLPLUGIN: 'svp',
    http_proxy: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
  };
}
