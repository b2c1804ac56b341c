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
import { DAMAGED, refuse } from '../refuse.ts';
import { findOffice } from './find.ts';
import { profileSettings } from './profile.ts';
import { type Apart, howApart } from './apart.ts';
import { runLimited, versionOf } from './run.ts';

/** What another process of this data may take for its conversions before one here gives up. */
const MAX_WAIT = 120_000;
const LOOK_EVERY = 200;
const PRIVATE = { recursive: true, mode: 0o700 } as const;

export interface OfficePorts {
  /** Where documents lie while they are converted; nobody else may read it, and nothing stays in it. */
  readonly folder: string;
  /** Held by the one process that converts. */
  readonly lock: WriterLock;
  readonly find?: () => string | null;
  readonly limits?: OfficeLimits;
}

/** What it is to make: the ending of the document, and what becomes of it. */
interface Order {
  readonly data: Uint8Array;
  readonly from: 'docx' | 'odt' | 'rtf' | 'doc';
  readonly to: 'pdf' | 'docx';
}

/** LibreOffice, as it was found on this computer. */
interface OfficeProgram {
  readonly path: string;
  /** Null where it does not say. */
  readonly version: string | null;
  /** What the system itself keeps from it; otherwise only its settings do. */
  readonly apart: Apart;
}

/** Null where none is installed. */
export async function officeHere(): Promise<OfficeProgram | null> {
  const program = findOffice();
  if (program === null) return null;
  const version = await versionOf(program);
  return { path: program, version, apart: await howApart(program) };
}

export interface Office {
  /** Throws 'office-missing', 'document-damaged', 'document-limit' or 'desk-busy'. */
  convert(order: Order): Promise<Uint8Array>;
  /** Removes what a process that was killed left behind, unless another one works there now. */
  clean(): Promise<void>;
}

export function createOffice(ports: OfficePorts): Office {
  const { folder, lock, find = findOffice } = ports;
  const turns = new Serial();

  const removeAll = (): Promise<void> =>
    rm(folder, { recursive: true, force: true, maxRetries: 5 });
  /** Alone: whoever holds the lock may remove whatever lies there. */
  const alone = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const until = Date.now() + MAX_WAIT;
    while (!lock.take()) {
      if (Date.now() > until) {
        const message = 'Another window or command is converting documents. Try again in a moment';
        throw new AppError('conflict', message, { reason: 'desk-busy' });
      }
      await wait(LOOK_EVERY);
    }
    try {
      await removeAll();
      await mkdir(folder, PRIVATE);
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
          throw refuse(
            'office-missing',
            'LibreOffice converts Word and OpenDocument files to PDF, but is not installed here. ' +
              'Install it (libreoffice.org), or save the document as a PDF and add the PDF',
          );
        }
        return alone(() => runIn(folder, program, order, ports.limits ?? OFFICE_LIMITS));
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

async function runIn(
  folder: string,
  program: string,
  { data, from, to }: Order,
  limits: OfficeLimits,
): Promise<Uint8Array> {
  const place = await mkdtemp(path.join(folder, 'document-'));
  const [profile, home, out] = ['profile', 'home', 'out'].map((name) => path.join(place, name));
  const source = path.join(place, `document.${from}`);
  const user = path.join(profile ?? place, 'user');
  for (const made of [user, home ?? place, out ?? place]) await mkdir(made, PRIVATE);
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
    env: environment(place, home ?? place),
    folder: place,
    limits,
  });
  const made = await readFile(path.join(out ?? place, `document.${to}`)).catch(() => null);
  if (made !== null && made.length > 0 && !ended.isOverLimit) return made;
  if (ended.isOverLimit) {
    throw refuse(
      'document-limit',
      'The document takes too long or too much memory to convert. Save it as a PDF in its own program',
    );
  }
  throw refuse('document-damaged', DAMAGED, new Error(ended.output.slice(0, 2000)));
}

/** Of the program's own variables only what finding libraries, fonts and a language needs. */
function environment(place: string, home: string): Record<string, string> {
  const kept = ['PATH', 'LANG', 'LC_ALL', 'SYSTEMROOT', 'SystemRoot', 'WINDIR', 'FONTCONFIG_FILE'];
  const given = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(given),
    HOME: home,
    USERPROFILE: home,
    // Where the person's own fonts lie.
    XDG_DATA_HOME: process.env['XDG_DATA_HOME'] ?? path.join(homedir(), '.local', 'share'),
    TMPDIR: place,
    TEMP: place,
    TMP: place,
    // Draws without a screen.
    SAL_USE_VCLPLUGIN: 'svp',
    http_proxy: 'http://127.0.0.1:9',
    https_proxy: 'http://127.0.0.1:9',
  };
}
