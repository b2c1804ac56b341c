import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf } from '../../../electron/core/outbox/marks.ts';
import { templates } from '../../../electron/demo/state/account.ts';
import type { Demo } from '../../../electron/demo/start.ts';
import { OutboxRef } from '../../../shared/model/ids.ts';
import { cliHome, connect } from '../../support/desks/cli-home.ts';
import type { HomeHere } from '../../support/desks/desk-here.ts';
import { layRelay, type Relay } from '../../support/relay.ts';

/** Timeout of the tests (ms). It is long, because each command opens the data again. */
const TIMEOUT_MS = 1_200_000;
const UNREACHABLE = 5;
const CREATE = /\/agreements$/;
const UPLOAD = /\/files\/attachment\/agreement$/;

let demo: Demo;
let home: HomeHere;
let close: () => Promise<void>;
let relay: Relay;

beforeAll(async () => {
  ({ demo, home, close } = await cliHome({ seed: 'none', connections: {} }));
  relay = await layRelay(demo.v2Url);
  const through = { ...demo, v2Url: relay.through(demo.v2Url) };
  await connect(home, through, { connections: { Old: 'v2' } });
}, TIMEOUT_MS);

afterAll(async () => {
  await relay.down();
  await close();
});

/** Creates a PDF of about this many bytes that cannot be compressed. */
async function heavyPdf(bytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  await document.attach(randomBytes(bytes), 'scan.bin');
  return document.save();
}

/**
 * Queues the draft while the service is unreachable, and sends it once the service is reachable.
 */
async function sendLater(draft: string): Promise<OutboxRef> {
  await relay.down();
  const send = ['drafts', 'send', draft, '--connection', 'Old', '--confirm', '1', '--wait'];
  const { ref, state } = await home.value(send, '', UNREACHABLE);
  expect(state).toBe('queued');
  await relay.up();
  await home.value(['outbox', 'run']);
  return OutboxRef.parse(ref);
}

async function addDraft(body: object, files: readonly string[] = []): Promise<string> {
  const from = path.join(home.folder, 'body.json');
  await writeFile(from, JSON.stringify(body));
  const attach = files.length === 0 ? [] : ['--attach', ...files];
  const add = ['drafts', 'add', '--api', 'v2', '--from', from, ...attach];
  return String((await home.value(add))['id']);
}

const posts = (url: RegExp) =>
  relay.passed.filter(({ method, path: asked }) => method === 'POST' && url.test(asked));
const jsonOf = (body: Buffer | undefined): unknown => JSON.parse((body ?? '').toString());

const about = {
  expireIn: 21,
  parties: {
    privates: [
      {
        personNo: '198507099805',
        firstName: 'Åsa',
        lastName: 'Öberg',
        email: 'asa@example.com',
        signMethods: ['EID'],
        signingOrder: 1,
      },
    ],
    companies: [
      {
        orgNo: '5599990008',
        firstName: 'Karin',
        lastName: 'Lindqvist',
        email: 'karin@example.com',
        signingOrder: 2,
        allowedPersons: [{ personNo: '198507099805', firstName: 'Karin' }],
      },
    ],
  },
  reminders: [{ date: '2099-01-01', emails: ['asa@example.com'], message: 'Skriv under' }],
  notificationMessages: [{ type: 'posted', additionalText: 'Välkommen' }],
  webhook: { events: ['SIGNED_BY_ALL'], url: 'https://example.com/hook' },
};

it(
  'a draft of 5 MB written offline is uploaded and then sent later, unchanged (T2-38, T2-40)',
  async () => {
    const files = await Promise.all(
      ['avtal.pdf', 'bilaga.pdf'].map(async (name) => {
        const file = path.join(home.folder, name);
        const data = await heavyPdf(2_500_000);
        await writeFile(file, data);
        return { name, file, data };
      }),
    );
    const body = { name: 'Hyresavtal', type: 'ATTACHED', ...about };
    const draft = await addDraft(
      body,
      files.map(({ file }) => file),
    );
    const ref = await sendLater(draft);
    const uploads = posts(UPLOAD);
    for (const [index, { data }] of files.entries()) {
      expect(uploads[index]?.body.includes(Buffer.from(data))).toBe(true);
    }
    const tokens = uploads.map(({ reply }) => (jsonOf(reply) as { token: string }).token);
    expect(posts(CREATE).map((one) => jsonOf(one.body))).toStrictEqual([
      {
        ...body,
        name: `Hyresavtal ·${codeOf(ref)}`,
        attachments: files.map(({ name }, index) => ({ name, token: tokens[index] })),
      },
    ]);
    expect(demo.agreements.v2()).toMatchObject([{ status: 'POSTED' }]);
  },
  TIMEOUT_MS,
);

it(
  'a draft from a template of the service, written offline, is sent later unchanged (T2-47)',
  async () => {
    const before = posts(CREATE).length;
    const [template] = templates;
    if (template === undefined) throw new Error('The service has no template');
    const fields = Object.entries(template.fields).map(([name, kind]) => ({
      name,
      value: kind === 'checkbox' ? true : 'Ängsgatan 4',
    }));
    const dynamicPdf = { templateId: template.id, fields };
    const body = { name: 'Mallavtal', type: 'DYNAMIC_PDF', ...about, dynamicPdf };
    const ref = await sendLater(await addDraft(body));
    expect(
      posts(CREATE)
        .slice(before)
        .map((one) => jsonOf(one.body)),
    ).toStrictEqual([{ ...body, name: `Mallavtal ·${codeOf(ref)}` }]);
    expect(demo.agreements.v2()).toHaveLength(2);
  },
  TIMEOUT_MS,
);
