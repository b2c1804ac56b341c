import { type Part, zipOf } from './workbook.ts';

const NAMES = ['office', 'table', 'text', 'style', 'number']
  .map((name) => {
    const own = name === 'number' ? 'datastyle' : name;
    return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${own}:1.0"`;
  })
  .join(' ');
const TYPE = 'application/vnd.oasis.opendocument.spreadsheet';

export interface OdsParts {
  /** XML inside each `table:table`, by name; `!` before a name hides the table. */
  readonly tables: Readonly<Record<string, string>>;
  readonly more?: readonly Part[];
  readonly type?: string;
}

function body({ tables }: OdsParts): string {
  const inside = Object.entries(tables).map(([name, rows]) => {
    const style = name.startsWith('!') ? 'off' : 'on';
    return `<table:table table:name="${name.replace('!', '')}" table:style-name="${style}">${rows}</table:table>`;
  });
  const styles = ['on', 'off'].map(
    (name) =>
      `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${String(name === 'on')}"/></style:style>`,
  );
  return (
    `<office:automatic-styles>${styles.join('')}</office:automatic-styles>` +
    `<office:body><office:spreadsheet>${inside.join('')}</office:spreadsheet></office:body>`
  );
}

/** Returns a zipped OpenDocument spreadsheet with exactly this XML. */
export function ods(parts: OdsParts): Uint8Array {
  const { type = TYPE, more = [] } = parts;
  return zipOf([
    { name: 'mimetype', data: type, isStored: true },
    {
      name: 'content.xml',
      data: `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${NAMES}>${body(parts)}</office:document-content>`,
    },
    ...more,
  ]);
}

/** Returns the same spreadsheet as `ods`, but as one flat XML file. */
export function fods(parts: OdsParts): Uint8Array {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${NAMES} office:mimetype="${TYPE}">${body(parts)}</office:document>`;
  return new Uint8Array(Buffer.from(text));
}

export const odsRow = (cells: readonly string[], about = ''): string =>
  `<table:table-row${about === '' ? '' : ` ${about}`}>${cells.join('')}</table:table-row>`;

/** Returns a text cell with one paragraph for each line. */
export const odsText = (text: string, about = ''): string => {
  const paragraphs = text.split('\n').map((line) => `<text:p>${line}</text:p>`);
  return `<table:table-cell office:value-type="string" ${about}>${paragraphs.join('')}</table:table-cell>`;
};

/** Returns a value cell with its displayed text. */
export const odsValue = (type: string, value: string, shown: string, about = ''): string => {
  const name =
    { date: 'date-value', time: 'time-value', boolean: 'boolean-value' }[type] ?? 'value';
  return `<table:table-cell office:value-type="${type}" office:${name}="${value}" ${about}><text:p>${shown}</text:p></table:table-cell>`;
};
