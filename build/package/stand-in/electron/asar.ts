import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * An archive header's entry for a folder, for a file in the archive, or for an unpacked file next
 * to it.
 */
interface ArchiveEntry {
  readonly files?: Readonly<Record<string, ArchiveEntry>>;
  /** Offset of the file in bytes from the end of the header, as decimal digits. */
  readonly offset?: string;
  readonly size?: number;
  readonly unpacked?: boolean;
}

export interface Unpacked {
  /** Folder to remove when the program ends. */
  readonly root: string;
  /** The folder that replaces the archive. */
  readonly app: string;
}

/**
 * Unpacks `archive` into a folder of this run, whose name has the same ending as the archive's, so
 * that the stand-in recognises paths in the folder. Files that are already unpacked next to the
 * archive stay there.
 */
export function unpack(archive: string): Unpacked {
  const root = mkdtempSync(path.join(tmpdir(), 'signing-desk-stand-in-'));
  const app = path.join(root, path.basename(archive));
  const data = readFileSync(archive);
  // Four lengths of four bytes each precede the header. The second one includes the header's own
  // length fields; the fourth is the length of its text.
  const begin = 8 + data.readUInt32LE(4);
  const head: ArchiveEntry = JSON.parse(data.toString('utf8', 16, 16 + data.readUInt32LE(12)));
  const write = (entry: ArchiveEntry, name: string): void => {
    const target = path.join(app, name);
    if (entry.files !== undefined) {
      mkdirSync(target, { recursive: true });
      for (const [inner, one] of Object.entries(entry.files)) write(one, path.join(name, inner));
    } else if (entry.unpacked === true) {
      symlinkSync(path.join(`${archive}.unpacked`, name), target);
    } else {
      const from = begin + Number(entry.offset);
      writeFileSync(target, data.subarray(from, from + (entry.size ?? 0)));
    }
  };
  write(head, '');
  return { root, app };
}
