import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { bodyV1 } from '../fakes/memory-desk.ts';
import type { Home } from './desk-process.ts';

/**
 * Adds a draft for API v1 with a PDF of one page, whose files lie in `folder`; gives its id. `body`
 * is that of another request than the usual one.
 */
export async function addNote(
  desk: Pick<Home, 'value'>,
  folder: string,
  title: string,
  body: object = bodyV1(title),
): Promise<string> {
  const [pdf, json] = [path.join(folder, 'note.pdf'), path.join(folder, 'note.json')];
  await writeFile(pdf, await plainPdf('Note', ['A note.']));
  await writeFile(json, JSON.stringify(body));
  const add = ['drafts', 'add', '--api', 'v1', '--from', json, '--attach', pdf];
  return String((await desk.value(add))['id']);
}

/** The words that send a draft. */
export const sending = (id: string, connection = 'Office'): string[] => [
  ...['drafts', 'send', id, '--connection', connection, '--confirm', '1'],
];

/** Puts a new draft into the outbox, and ends before it goes out; gives the reference of its send. */
export async function queueNote(
  desk: Pick<Home, 'value'>,
  folder: string,
  title: string,
): Promise<string> {
  const id = await addNote(desk, folder, title);
  return String((await desk.value([...sending(id), '--queue']))['ref']);
}
