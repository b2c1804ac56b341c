import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { place } from '../places.ts';

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  homepage: z.string(),
  bugs: z.object({ url: z.string() }),
});

/** The fields of package.json that describe the program to users who install it. */
export type Manifest = z.infer<typeof Manifest>;

export async function readManifest(): Promise<Manifest> {
  return Manifest.parse(JSON.parse(await readFile(place('package.json'), 'utf8')));
}

/** Description of the program for a catalogue, one text for each paragraph. */
export const descriptionParagraphs: readonly string[] = [
  'Prepare agreements from PDF forms, offline if you like, and see every problem before anything ' +
    'leaves the computer. Sign for your company after a review, and keep every signed PDF in a ' +
    'folder of yours, complete and with checksums.',
  'Nothing is sent twice without your decision, nothing that you typed is lost, and personal ' +
    'numbers and credentials never lie in the open.',
];
