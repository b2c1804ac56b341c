import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';

const BESIDE = path.resolve('../shared/forms');
/**
 * Forms of other makers. A few are stored with the tests; a folder with more, and with an
 * independent reader's result for each in `fields.json`, may be next to the repository or be named.
 */
const FOLDER =
  process.env['SIGNING_DESK_FORMS'] ??
  (existsSync(BESIDE) ? BESIDE : path.resolve('test/fixtures/forms'));

/** The six forms for which merging speed is measured. */
export const MEASURED = [
  'form_to_flatten.pdf',
  'sample_form.pdf',
  '160F-2019.pdf',
  'fill_form.pdf',
  'prefilled_f1040.pdf',
  'with_combed_fields.pdf',
] as const;

const Listing = z.record(
  z.string(),
  z.object({
    pages: z.number().nullish(),
    encrypted: z.boolean().nullish(),
    fields: z.array(z.object({ name: z.string(), type: z.string() })).nullish(),
  }),
);

/** Returns the existing forms of `names`. Prints the missing ones, without which tests prove less. */
export function formsThere(names: readonly string[]): string[] {
  const there = names.filter(isThere);
  const missing = names.filter((name) => !there.includes(name));
  if (missing.length > 0) {
    console.warn(`SKIPPED for want of SIGNING_DESK_FORMS: ${missing.join(', ')}`);
  }
  return there;
}

export const isThere = (name: string): boolean => existsSync(placeOfForm(name));

export const placeOfForm = (name: string): string => path.join(FOLDER, name);

export function readForm(name: string): Uint8Array {
  return new Uint8Array(readFileSync(placeOfForm(name)));
}

/** Returns the fields that another reader finds in each file; empty if `fields.json` is missing. */
export function listing(): z.infer<typeof Listing> {
  const [file] = formsThere(['fields.json']);
  return file === undefined
    ? {}
    : Listing.parse(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')));
}
