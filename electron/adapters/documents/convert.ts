import { createHash } from 'node:crypto';
import type { ConvertedDocument, DocumentConverter } from '../../core/documents/ports.ts';
import { type DocumentKind, kindOf } from './kind.ts';
import { createOffice, type Office, type OfficePorts } from './office/office.ts';
import { Bytes, PreparedDocumentShape } from './prepared.ts';
import { documentThreads } from './thread.ts';

/** A converter that can also remove the files of a killed process. */
export interface FolderConverter extends DocumentConverter {
  clean(): Promise<void>;
}

/** Creates a converter that draws pictures itself, and converts documents with LibreOffice. */
export function createDocumentConverter(ports: OfficePorts): FolderConverter {
  const office = createOffice(ports);
  /**
   * Result of the last conversion, kept because a file is checked before it replaces another, and
   * is then converted again.
   */
  let last: {
    readonly digest: string;
    readonly codes: boolean;
    readonly made: ConvertedDocument;
  } | null = null;
  return {
    clean: () => office.clean(),
    async convert(data, { codes }) {
      const kind = kindOf(data);
      if (kind === null) return null;
      const digest = createHash('sha256').update(data).digest('hex');
      if (last?.digest === digest && last.codes === codes) return last.made;
      const made = await make(data, kind, codes);
      last = { digest, codes, made };
      return made;
    },
  };

  async function make(
    data: Uint8Array,
    kind: DocumentKind,
    codes: boolean,
  ): Promise<ConvertedDocument> {
    if (kind === 'jpeg' || kind === 'png') {
      const made = Bytes.parse(await documentThreads.call('picture', [data, kind]));
      return { data: made, marked: null, codes: [] };
    }
    // A file in an old format is read by LibreOffice only, unless it may contain merge codes.
    if (kind === 'zip') return fromZip(office, data, codes);
    await documentThreads.call('rejectOutside', [data, kind]);
    if (codes && hasMerge(data, kind)) {
      return fromZip(office, await office.convert({ data, from: kind, to: 'docx' }), true);
    }
    return { data: await office.convert({ data, from: kind, to: 'pdf' }), marked: null, codes: [] };
  }
}

async function fromZip(
  office: Office,
  data: Uint8Array,
  withCodes: boolean,
): Promise<ConvertedDocument> {
  const prepared = PreparedDocumentShape.parse(
    await documentThreads.call('prepare', [data, withCodes]),
  );
  if (prepared.ending === 'odt' && prepared.hasAnchors) {
    // Merge codes are marked in the Word format only, so the text is converted to it first.
    const order = { data: prepared.data, from: 'odt', to: 'docx' } as const;
    return fromZip(office, await office.convert(order), true);
  }
  const order = { data: prepared.data, from: prepared.ending, to: 'pdf' } as const;
  const made = await office.convert(order);
  if (!prepared.hasAnchors) return { data: made, marked: null, codes: [] };
  const clean = Bytes.parse(await documentThreads.call('clean', [made]));
  return { data: clean, marked: made, codes: prepared.codes };
}

/**
 * Whether a file may contain merge codes. Searches text with one byte per character, and with two
 * as in old Word files.
 */
function hasMerge(data: Uint8Array, kind: DocumentKind): boolean {
  // RTF escapes a brace of the text with a backslash, or writes its number.
  const braces = kind === 'rtf' ? ['\\{', "\\'7b", "\\'7B"] : ['{{'];
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return ['MERGEFIELD', ...braces].some(
    (word) => bytes.includes(word) || bytes.includes(word, 0, 'utf16le'),
  );
}
