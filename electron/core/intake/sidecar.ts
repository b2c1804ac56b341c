import type { IntakeWaitReason } from '../../../shared/contract/intake.ts';
import { AppError, isCode } from '../../../shared/errors.ts';
import { foldName } from '../../../shared/rules/files/file-name.ts';
import {
  type IntakeData,
  parseIntakeData,
  intakeDataError,
} from '../../../shared/rules/intake/data.ts';
import { intakeKind, isPlainName, pdfNameOf } from '../../../shared/rules/intake/names.ts';
import {
  isAboutFiles,
  readIntakeSheet,
  type SheetWord,
} from '../../../shared/rules/intake/sheet.ts';
import { dayOf } from '../../../shared/rules/time/days.ts';
import type { ReadSheet, SheetReader } from '../sheet-ports.ts';
import type { LookPorts, SeenFile } from './look.ts';
import type { FileAsRead } from './ports.ts';

export interface BesidePorts extends LookPorts {
  readonly sheets: { readonly reader: SheetReader };
}

/**
 * Sidecar data of a PDF. `from`: its `.json` file; null if the data is a row of a spreadsheet.
 * `by`: the `.json` file or the spreadsheet.
 */
export type SidecarData =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'data';
      readonly data: IntakeData;
      readonly by: SeenFile;
      readonly from: FileAsRead<SeenFile> | null;
    }
  | {
      readonly kind: 'refused';
      readonly failure: AppError;
      readonly from: FileAsRead<SeenFile> | null;
    }
  | { readonly kind: 'waits'; readonly why: IntakeWaitReason };

export type SidecarSheet =
  /** Spreadsheet whose rows describe PDFs. */
  | {
      readonly kind: 'words';
      readonly file: SeenFile;
      readonly sha256: string;
      readonly words: readonly SheetWord[];
    }
  /** Spreadsheet whose rows are agreements. */
  | {
      readonly kind: 'rows';
      readonly file: SeenFile;
      readonly data: Uint8Array;
      readonly sha256: string;
      readonly sheet: ReadSheet;
    }
  | {
      readonly kind: 'refused';
      readonly file: SeenFile;
      readonly sha256: string | null;
      readonly failure: AppError;
    }
  | { readonly kind: 'waits'; readonly file: SeenFile; readonly why: IntakeWaitReason };

/** Maximum size (bytes) of a `.json`; larger files are not sidecar files. */
const MAX_SIDECAR_JSON_BYTES = 256 * 1024;
/** Maximum size (bytes) of a file in a draft, and of a spreadsheet in a batch. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Errors that an incomplete file can cause. */
const INCOMPLETE_FILE_REASONS: ReadonlySet<string | undefined> = new Set([
  'intake-json',
  'not-a-pdf',
  'pdf-damaged',
  'file-empty',
  'sheet-empty',
  'sheet-text',
  'sheet-quote',
  'sheet-damaged',
  'sheet-kind',
  'sheet-headers',
]);

/** Whether the error may only mean that the file is incomplete. */
export const isUnfinished = (file: SeenFile, { failure }: AppError): boolean =>
  !file.isSettled && INCOMPLETE_FILE_REASONS.has(failure.reason);

export function whyTooLarge({ name, bytes }: SeenFile): AppError | null {
  const most = intakeKind(name) === 'json' ? MAX_SIDECAR_JSON_BYTES : MAX_BYTES;
  if (bytes <= most) return null;
  const message = `The file has ${bytes} bytes. The limit for a watched folder is ${most}`;
  return new AppError('invalid', message, { reason: 'intake-large' });
}

/** Sidecar files of PDFs. Spreadsheets are read once; each `.json` is read with its PDF. */
export class Sidecar {
  readonly #ports: BesidePorts;
  readonly #folder: string;
  /** The `.json` files by the folded name of their PDF. */
  readonly #jsons = new Map<string, SeenFile[]>();
  readonly #words = new Map<string, { readonly word: SheetWord; readonly by: SeenFile }[]>();
  /** Number of PDFs by folded name. */
  readonly #pdfs = new Map<string, number>();
  readonly sheets: SidecarSheet[] = [];

  private constructor(ports: BesidePorts, folder: string) {
    this.#ports = ports;
    this.#folder = folder;
  }

  static async read(
    ports: BesidePorts,
    folder: string,
    files: readonly SeenFile[],
  ): Promise<Sidecar> {
    const beside = new Sidecar(ports, folder);
    for (const file of files) {
      if (whyNotImportable(file) !== null) continue;
      const kind = intakeKind(file.name);
      const folded = foldName(file.name);
      if (kind === 'pdf') beside.#pdfs.set(folded, (beside.#pdfs.get(folded) ?? 0) + 1);
      if (kind === 'json') pushTo(beside.#jsons, pdfNameOf(file.name), file);
      if (kind === 'sheet') beside.#add(await beside.#readSheet(file));
    }
    return beside;
  }

  /** Each `.json`, with the folded name of its PDF. */
  get jsons(): readonly { readonly pdf: string; readonly file: SeenFile }[] {
    return [...this.#jsons].flatMap(([pdf, files]) => files.map((file) => ({ pdf, file })));
  }

  async of(pdf: SeenFile): Promise<SidecarData> {
    const folded = foldName(pdf.name);
    const jsons = this.#jsons.get(folded) ?? [];
    const words = this.#words.get(folded) ?? [];
    const [json = null] = jsons;
    if (jsons.length + words.length > 1) {
      return {
        kind: 'refused',
        failure: intakeDataError('several-files'),
        from: asUnreadFile(json),
      };
    }
    // If two PDFs have this name, the first might get data that is meant for the second.
    if (jsons.length + words.length > 0 && (this.#pdfs.get(folded) ?? 0) > 1) {
      return { kind: 'refused', failure: intakeDataError('twin-names'), from: asUnreadFile(json) };
    }
    if (json !== null) return this.#readJson(json);
    const [said] = words;
    if (said?.word.failure) return { kind: 'refused', failure: said.word.failure, from: null };
    if (said?.word.data) return { kind: 'data', data: said.word.data, by: said.by, from: null };
    // A spreadsheet that cannot be read now may contain data for this PDF.
    const isOpen = this.sheets.some(({ kind }) => kind === 'waits' || kind === 'refused');
    return isOpen ? { kind: 'waits', why: 'being-written' } : { kind: 'nothing' };
  }

  async #readJson(file: SeenFile): Promise<SidecarData> {
    if (!file.isSteady) return { kind: 'waits', why: 'being-written' };
    const tooLarge = whyTooLarge(file);
    if (tooLarge !== null) {
      return { kind: 'refused', failure: tooLarge, from: { entry: file, sha256: null } };
    }
    const bytes = await this.#ports.watched.read(this.#folder, file);
    if (bytes.why !== null) return { kind: 'waits', why: bytes.why };
    const from = { entry: file, sha256: bytes.sha256 };
    try {
      const text = textOf(this.#ports, bytes.data);
      const data = parseIntakeData(text, dayOf(this.#ports.clock.now()));
      return { kind: 'data', data, by: file, from };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (isUnfinished(file, error)) return { kind: 'waits', why: 'being-written' };
      return { kind: 'refused', failure: error, from };
    }
  }

  #add(sheet: SidecarSheet): void {
    this.sheets.push(sheet);
    if (sheet.kind !== 'words') return;
    const { file: by, words } = sheet;
    for (const word of words) pushTo(this.#words, foldName(word.file), { word, by });
  }

  async #readSheet(file: SeenFile): Promise<SidecarSheet> {
    if (!file.isSteady) return { kind: 'waits', file, why: 'being-written' };
    const { watched, sheets, clock } = this.#ports;
    const tooLarge = whyTooLarge(file);
    if (tooLarge !== null) return { kind: 'refused', file, sha256: null, failure: tooLarge };
    const bytes = await watched.read(this.#folder, file);
    if (bytes.why !== null) return { kind: 'waits', file, why: bytes.why };
    const { data, sha256 } = bytes;
    try {
      const sheet = await sheets.reader.read(data, {});
      const titles = sheet.shape.columns.map(({ name }) => name);
      if (!isAboutFiles(titles)) return { kind: 'rows', file, data, sha256, sheet };
      const words = readIntakeSheet(sheet.shape, sheet.rows, dayOf(clock.now()));
      return { kind: 'words', file, sha256, words: [...words.values()] };
    } catch (error) {
      if (!isCode(error, 'invalid')) throw error;
      if (isUnfinished(file, error)) return { kind: 'waits', file, why: 'being-written' };
      return { kind: 'refused', file, sha256, failure: error };
    }
  }
}

const asUnreadFile = (file: SeenFile | null): FileAsRead<SeenFile> | null =>
  file === null ? null : { entry: file, sha256: null };

/** Returns an error if a file cannot be imported regardless of its content; otherwise null. */
export function whyNotImportable({ name, kind }: SeenFile): AppError | null {
  if (kind !== 'file') {
    const message =
      'The entry is a link, a device or a pipe, not an ordinary file. Put the file itself in the folder';
    return new AppError('invalid', message, { reason: 'intake-link' });
  }
  if (isPlainName(name)) return null;
  const message =
    'The file name has invisible characters, or points to another folder. Rename the file';
  return new AppError('invalid', message, { reason: 'intake-name' });
}

function textOf({ encoding }: BesidePorts, data: Uint8Array): string {
  try {
    return encoding.text(data);
  } catch {
    // The file is not UTF-8, or ends in the middle of a character.
    throw new AppError('invalid', 'The file is not JSON in UTF-8', { reason: 'intake-json' });
  }
}

function pushTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
