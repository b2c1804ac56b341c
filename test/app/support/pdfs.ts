import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { throughTool } from '../../adapters/pdf/sample-pdfs.ts';

/** A file as a user picks it in the system's dialog. */
export interface PickedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const FORMS = path.resolve(import.meta.dirname, '../../fixtures/forms');

/** A lease with the text fields `tenant` and `rent`, and the checkbox `accepted`. */
export async function leaseForm(name = 'Hyresavtal.pdf'): Promise<PickedFile> {
  return picked(name, await formPdf('Hyresavtal', ['tenant', 'rent']));
}

/** One page of each size in PDF points, with a number on each. */
export async function pagesPdf(
  name: string,
  sizes: readonly (readonly [number, number])[],
): Promise<PickedFile> {
  const document = await PDFDocument.create();
  for (const [at, [width, height]] of sizes.entries()) {
    document.addPage([width, height]).drawText(`Sida ${at + 1}`, { x: 40, y: height - 80 });
  }
  return picked(name, await document.save());
}

/** The lease, protected by a password. */
export async function encryptedPdf(name: string): Promise<PickedFile> {
  const { buffer } = await leaseForm();
  const args = ['--encrypt', 'user', 'owner', '256', '--', 'in.pdf', 'out.pdf'];
  const { out, said } = throughTool('qpdf', buffer, args);
  if (out === null) throw new Error(`qpdf made no file: ${said}`);
  return picked(name, out);
}

/** A form of a kind that browsers and services cannot display. */
export function xfaForm(name: string): PickedFile {
  return picked(name, readFileSync(path.join(FORMS, 'with_xfa_fields.pdf')));
}

export function notPdf(name: string): PickedFile {
  return picked(name, Buffer.from('PK\u0003\u0004 this is something else'));
}

function picked(name: string, data: Uint8Array): PickedFile {
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(data) };
}
