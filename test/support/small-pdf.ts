const TABLE = 'xref\n0 1\n0000000000 65535 f \ntrailer<</Size 1>>\n';

/** A complete PDF, different for each mark. */
export function pdfOf(mark: string): string {
  const head = `%PDF-1.7\n%${Buffer.from(mark).toString('hex')}\n`;
  return `${head}${TABLE}startxref\n${head.length}\n%%EOF\n`;
}

/**
 * A PDF with the place of a seal as signing programs leave it.
 *
 * @param behind data that was added after the seal; none if empty
 * @param name name of the certificate within the seal
 */
export function sealedPdf(behind: string, name = 'Signature Service CA'): string {
  const letters = Buffer.from(name);
  const gap = `<30820a06035504030c${letters.length.toString(16).padStart(2, '0')}${letters.toString('hex')}${'00'.repeat(20)}>`;
  const head = '%PDF-1.7\n1 0 obj<</Type/Sig/ByteRange[';
  const start = head.length + RANGE + KEY.length;
  const range = (rest: number): string => `0 ${start} ${start + gap.length} ${rest}]`.padEnd(RANGE);
  const table = start + gap.length + OBJECT_END.length;
  const tail = `${OBJECT_END}${TABLE}startxref\n${table}\n%%EOF\n`;
  const more = behind === '' ? '' : `${behind}startxref\n${table}\n%%EOF\n`;
  return `${head}${range(tail.length)}${KEY}${gap}${tail}${more}`;
}

const RANGE = 44;
const KEY = '/Contents ';
const OBJECT_END = '>>endobj\n';
