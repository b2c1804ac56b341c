import { plainPdf } from '../pdf/pdf.ts';

const storyPdfs = new Map<string, Promise<string>>();

/**
 * Returns a document of the story in Base64. The story is the same for each service that a process
 * starts, so its documents are made only once.
 */
export function storyPdf(title: string, lines: readonly string[]): Promise<string> {
  const key = JSON.stringify([title, lines]);
  const known = storyPdfs.get(key);
  if (known !== undefined) return known;
  const pdf = plainPdf(title, lines).then((bytes) => bytes.toString('base64'));
  storyPdfs.set(key, pdf);
  return pdf;
}
