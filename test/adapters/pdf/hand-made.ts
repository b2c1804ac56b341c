/** A field of a form that is written object by object, like forms of other programs. */
export interface HandMade {
  /** Entries of the field, without its kids. */
  readonly field: string;
  /** Entries of each widget; a field with one widget and no kids has them itself. */
  readonly places: readonly string[];
}

const FIRST = 6;

/** Page content below the fields, and additional entries of the file. */
interface Beneath {
  readonly content?: string;
  /** Entries of the page's resources and of the catalog. */
  readonly resources?: string;
  readonly catalog?: string;
  /** Annotations listed before the fields: `7 0 R`. */
  readonly annotations?: string;
  /** Entries of the form's font list. */
  readonly fonts?: string;
  /** Objects after the first five: the first of them is number 6. */
  readonly more?: readonly string[];
}

/** Returns a PDF of one page with these fields; texts are in 10-point Helvetica by default. */
export function handMade(
  fields: readonly HandMade[],
  form = '',
  {
    content = '',
    resources = '',
    catalog = '',
    annotations = '',
    fonts: others = '',
    more = [],
  }: Beneath = {},
): Uint8Array {
  const objects: string[] = [...more];
  const put = (text: string) => FIRST + objects.push(text) - 1;
  const tick = put(stream('/Type /XObject /Subtype /Form /BBox [0 0 14 14]', '0 0 14 14 re f'));
  const blank = put(stream('/Type /XObject /Subtype /Form /BBox [0 0 14 14]', ''));
  const ready = (entries: string) =>
    entries.replaceAll('TICK', `${tick} 0 R`).replaceAll('BLANK', `${blank} 0 R`);
  const roots: number[] = [];
  const widgets: number[] = [];
  const widget = '/Type /Annot /Subtype /Widget /P 3 0 R /F 4';
  for (const { field, places } of fields) {
    const [only, ...others] = places;
    if (only !== undefined && others.length === 0) {
      const ref = put(`<< ${widget} ${field} ${ready(only)} >>`);
      roots.push(ref);
      widgets.push(ref);
      continue;
    }
    const parent = FIRST + objects.length;
    const kids = places.map((_, at) => parent + 1 + at);
    roots.push(put(`<< ${field} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`));
    for (const place of places) {
      widgets.push(put(`<< ${widget} /Parent ${parent} 0 R ${ready(place)} >>`));
    }
  }
  const refs = (all: readonly number[]) => all.map((one) => `${one} 0 R`).join(' ');
  const fonts = `/DR << /Font << /Helv 5 0 R ${others} >> >> /DA (/Helv 10 Tf 0 g)`;
  const head = [
    `<< /Type /Catalog ${catalog} /Pages 2 0 R /AcroForm << /Fields [${refs(roots)}] ${fonts} ${form} >> >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /Helv 5 0 R >> ${resources} >> /Contents 4 0 R /Annots [${annotations} ${refs(widgets)}] >>`,
    stream('', content),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  return written([...head, ...objects]);
}

/** Returns checkboxes with one name, each with an on-state; the first box is at the top. */
export function boxes(name: string, onStates: readonly string[], more = ''): HandMade {
  return {
    field: `/FT /Btn /T (${name}) ${more}`,
    places: onStates.map((on, at) => {
      const bottom = 700 - 30 * at;
      const pictures = `/AP << /N << /${on} TICK /Off BLANK >> >>`;
      return `/Rect [60 ${bottom} 74 ${bottom + 14}] /AS /Off ${pictures}`;
    }),
  };
}

/** Returns a text field with one widget. */
export function textField(
  name: string,
  [left, bottom, right, top]: readonly [number, number, number, number],
  more = '',
): HandMade {
  const places = [`/Rect [${left} ${bottom} ${right} ${top}]`];
  return { field: `/FT /Tx /T (${name}) ${more}`, places };
}

export function stream(entries: string, content: string): string {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

function written(objects: readonly string[]): Uint8Array {
  let file = '%PDF-1.7\n';
  const at = objects.map((object, index) => {
    const start = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const start = file.length;
  const rows = at.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file, 'latin1'));
}
