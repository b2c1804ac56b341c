import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import { formatV1Time } from '../../../shared/rules/time/wire-time.ts';
import { DAY } from '../../../shared/rules/time/units.ts';
import { bodyV1 } from '../fakes/memory-desk.ts';
import type { Home } from './desk-process.ts';

/** Adds a draft for API v1 with a one-page PDF, stored in `folder`; returns its ID. */
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

/** Body of a request that expires in a month; it differs in every second. */
export const expiringBody = (title: string): object => ({
  title,
  expireOn: formatV1Time(Date.now() + 30 * DAY),
  parties: [
    {
      type: 'PRIVATE',
      firstName: 'Åsa',
      lastName: 'Öberg',
      email: 'asa@example.com',
      signingConfigurations: [{ type: 'CLICK' }],
    },
  ],
});

/** The command that sends a draft. */
export const sending = (id: string, connection = 'Office'): readonly string[] => [
  ...['drafts', 'send', id, '--connection', connection, '--confirm', '1'],
];

interface Queueing {
  /** Name of the connection; `Office` by default. */
  readonly connection?: string;
  /** Additional options of `drafts send`. */
  readonly more?: readonly string[];
}

/**
 * Adds a new draft to the outbox, and ends before it is sent; returns the reference of its send.
 */
export async function queueNote(
  desk: Pick<Home, 'value'>,
  folder: string,
  title: string,
  { connection, more = [] }: Queueing = {},
): Promise<string> {
  const id = await addNote(desk, folder, title);
  const { ref } = await desk.value([...sending(id, connection), '--queue', ...more]);
  return String(ref);
}
