import type { PersonFile } from '../../../shared/contract/person-file.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '');

/** Returns the content of `person.json` as an HTML page without scripts or external resources. */
export function personPage(whole: PersonFile): string {
  const { person, groups, drafts, copies, batchRows, corrections, records, evidence } = whole;
  const facts = Object.entries(person).map(([name, value]) => [name, value ?? ''] as const);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Everything about one person</title>
<style>body{font:16px/1.5 sans-serif;margin:2em auto;max-width:60em;padding:0 1em}
table{border-collapse:collapse;width:100%}th,td{border-bottom:1px solid #ccc;overflow-wrap:anywhere;padding:.3em;text-align:left;vertical-align:top}
pre{background:#f4f4f4;overflow-wrap:anywhere;padding:.5em;white-space:pre-wrap}</style>
</head>
<body>
<h1>Everything about one person</h1>
<p>Made ${escapeHtml(whole.madeAt)} by Signing Desk, from what it holds on one computer. The same is in
person.json, in the form that person.schema.json describes. What the service keeps is not in it.</p>
${table('The entry', ['Fact', 'Value'], [...facts, ['groups', groups.join(', ')]])}
${table(
  'Drafts',
  ['Title', 'State', 'Changed', 'Files'],
  drafts.map((one) => [
    one.title,
    one.state,
    one.updatedAt,
    one.files.map(({ file }) => file).join(', '),
  ]),
)}
${drafts.map((one) => details(one.title || 'Draft', one.content)).join('\n')}
${section('Copies of agreements', copies.length)}
${copies.map((one) => details(`${one.connection}: ${one.id}`, one.agreement)).join('\n')}
${table(
  'Rows of batches',
  ['Batch', 'Row', 'Cells', 'Result'],
  batchRows.map((one) => [
    one.batch,
    String(one.row),
    Object.entries(one.cells)
      .map(([name, cell]) => `${name}: ${cell}`)
      .join('; '),
    [one.state, one.agreement].filter(Boolean).join(' '),
  ]),
)}
${table(
  'Corrections and other actions',
  ['Time', 'What', 'Agreement', 'State', 'Intended recipients'],
  corrections.map((one) => [
    one.at,
    one.kind,
    `${one.title} ${one.agreement ?? ''}`,
    one.state,
    one.goal === null ? '' : JSON.stringify(one.goal),
  ]),
)}
${table(
  'Sent agreements',
  ['Time', 'What', 'Agreement', 'State'],
  records.map((one) => [one.at, one.kind, `${one.title} ${one.agreement ?? ''}`, one.state]),
)}
${section('Evidence', evidence.length)}
${evidence.map((one, at) => details(`Entry ${at + 1}`, one)).join('\n')}
${table(
  'Archived PDFs',
  ['Saved', 'Title', 'File', 'SHA-256'],
  whole.archive.map((one) => [one.savedAt, one.title, one.file, one.sha256]),
)}
${section('Templates', whole.templates.length)}
${whole.templates.map((one) => details(one.name, one.content)).join('\n')}
</body>
</html>
`;
}

const section = (heading: string, number: number): string =>
  `<h2>${escapeHtml(heading)} (${number})</h2>`;

function table(
  heading: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join('')}</tr>`;
  const body = rows.map((row) => line(row, 'td')).join('\n');
  const whole =
    rows.length === 0 ? '<p>Nothing.</p>' : `<table>${line(heads, 'th')}${body}</table>`;
  return `${section(heading, rows.length)}\n${whole}`;
}

const details = (name: string, value: unknown): string =>
  `<details><summary>${escapeHtml(name)}</summary><pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre></details>`;
