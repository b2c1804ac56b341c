import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export interface ArchivedFiles {
  /** Paths of complete PDFs, below the folder. */
  readonly pdf: readonly string[];
  /** Paths of incomplete downloads and invalid PDFs, below the folder. */
  readonly part: readonly string[];
}

/** Contents of an archive folder and its subfolders. */
export async function archivedFiles(folder: string): Promise<ArchivedFiles> {
  const entries = await readdir(folder, { recursive: true });
  const part = entries.filter((file) => file.endsWith('.part'));
  const pdf: string[] = [];
  for (const file of entries.filter((one) => one.endsWith('.pdf'))) {
    const data = await readFile(path.join(folder, file), 'latin1');
    (data.startsWith('%PDF-') && data.trimEnd().endsWith('%%EOF') ? pdf : part).push(file);
  }
  return { pdf, part };
}
