import * as z from 'zod';
import { PdfField } from './pdf-form.ts';
import { TemplateContent } from './template.ts';

/**
 * Version of the format, which increases with each incompatible change; older programs reject newer
 * files.
 */
const TEMPLATE_FILE_VERSION = 1;
const LINE_FEED_BYTE = 10;
/** Maximum number of bytes of the first line; a file with a longer first line is rejected. */
const MAX_HEAD_BYTES = 4_000_000;

/**
 * Content of the first line of a `.signtemplate` file, in ASCII; the bytes of the PDF follow it.
 */
const TemplateHead = z.object({
  format: z.literal('signing-desk-template'),
  version: z.literal(TEMPLATE_FILE_VERSION),
  name: z.string().min(1).max(200),
  content: TemplateContent,
  /** File name of the PDF; null for a template of the service. */
  fileName: z.string().min(1).max(255).nullable(),
  service: z
    .object({
      templateId: z.string(),
      fields: z.array(PdfField),
      learntFrom: z.string().nullable(),
    })
    .nullable(),
});

export type TemplateFile = Omit<z.infer<typeof TemplateHead>, 'format' | 'version'> & {
  readonly pdf: Uint8Array | null;
};

/** Returns a template as a file: one line of JSON, then the PDF. */
export function writeTemplateFile({ pdf, ...head }: TemplateFile): Uint8Array {
  const whole = { format: 'signing-desk-template', version: TEMPLATE_FILE_VERSION, ...head };
  const line = JSON.stringify(whole).replaceAll(/[^ -~]/g, escapeCharacter);
  const bytes = new Uint8Array(line.length + 1 + (pdf?.length ?? 0));
  for (let at = 0; at < line.length; at += 1) bytes[at] = line.charCodeAt(at);
  bytes[line.length] = LINE_FEED_BYTE;
  if (pdf !== null) bytes.set(pdf, line.length + 1);
  return bytes;
}

/**
 * Parses a template file; null if the bytes are not a template file, or are from a newer program.
 */
export function readTemplateFile(bytes: Uint8Array): TemplateFile | null {
  const end = bytes.subarray(0, MAX_HEAD_BYTES).indexOf(LINE_FEED_BYTE);
  if (end === -1) return null;
  const head = TemplateHead.safeParse(parseJsonOrUndefined(toLatinText(bytes.subarray(0, end))));
  if (!head.success) return null;
  const { name, content, fileName, service } = head.data;
  return { name, content, fileName, service, pdf: fileName === null ? null : bytes.slice(end + 1) };
}

function escapeCharacter(letter: string): string {
  return String.raw`\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function toLatinText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Invalid JSON means that the file is not a template; the caller reports that.
    return null;
  }
}
