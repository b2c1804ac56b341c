import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import {
  AgreementId,
  type AgreementKey,
  type ConnectionId,
  type TemplateId,
} from '../../../shared/model/ids.ts';
import { HEADER, leaseV1, swedish } from '../desks/batch-desk.ts';
import type { OfficeDesk } from './desk.ts';
import { type DeedPlan, type Life } from './lives.ts';
import { rulesOf } from './rules.ts';
import type { SharedService } from './service.ts';
import type { TrueAgreement, Truth } from './truth.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

let made: Promise<Uint8Array> | null = null;
const lease = (): Promise<Uint8Array> => (made ??= formPdf('Hyresavtal', ['tenant', 'rent']));

/** The program in the form in which its user works with it. */
export interface AtDesk {
  readonly desk: OfficeDesk;
  readonly connectionId: ConnectionId;
  readonly templateId: TemplateId;
  readonly number: number;
}

export async function furnish(
  desk: OfficeDesk,
  number: number,
  { demo }: SharedService,
): Promise<AtDesk> {
  const { api } = desk;
  const { id: connectionId } = await api['connections.add']({
    name: 'Office',
    api: 'v1',
    url: demo.v1Url,
    environment: 'test',
    accountId: null,
    orgNo: null,
    secret: demo.credentials.token,
  });
  await api['settings.write']({ digest: { isOn: true, at: '08:00', workdaysOnly: true } });
  const bytes = desk.desk.acceptBytes(await lease());
  const about = { name: 'Lease', api: 'v1', fileName: 'Hyresavtal.pdf', bytes } as const;
  const { id: templateId, revision } = await api['templates.add'](about);
  await api['templates.save']({ id: templateId, revision, name: 'Lease', content: leaseV1 });
  for (const rule of rulesOf(number, templateId)) await api['reminders.saveRule'](rule);
  return { desk, connectionId, templateId, number };
}

const stampOf = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');

function partiesOf({ parties, isOursToo, index }: Life) {
  const others = parties.map(({ country, mobile, email, order }, at) => ({
    type: 'PRIVATE' as const,
    firstName: 'Åsa',
    lastName: `Öberg ${index}-${at}`,
    email,
    ...(country !== null && { country }),
    ...(mobile !== null && { mobile }),
    signingOrder: order,
    signingConfigurations: [{ type: 'CLICK' as const }],
  }));
  if (!isOursToo) return others;
  const ours = { email: 'we@office.example', signingConfigurations: [{ type: 'API' as const }] };
  return [...others, { type: 'MY_COMPANY' as const, ...ours }];
}

function bodyOf(life: Life, now: number) {
  const { title, kind, from, desk, expiresAfterDays, serviceRemindsAfterDays: reminds } = life;
  return {
    title,
    ...(expiresAfterDays !== null && { expireOn: stampOf(now + expiresAfterDays * DAY) }),
    ...(reminds !== null && {
      configurations: [
        { type: 'NOTIFICATION' as const, sendExpiryReminderOn: stampOf(now + reminds * DAY) },
      ],
    }),
    parties: partiesOf(life),
    tags: {
      ...(kind !== null && { kind }),
      ...(from === 'elsewhere' && { desk: String(desk) }),
    },
  };
}

/** Sends the agreement from another program of the office. */
export async function sendElsewhere(service: SharedService, life: Life, now: number) {
  const data = Buffer.from(await lease()).toString('base64');
  const attachment = { type: 'BASE64', category: 'AGREEMENT', name: 'lease.pdf', data };
  const id = await service.create({ ...bodyOf(life, now), attachments: [attachment] });
  await service.enter(id, life);
}

/**
 * Sends the agreement as a user does. With `isRefused`, the service rejects it, so that no
 * agreement exists.
 */
export async function sendDraft(
  { desk, connectionId }: AtDesk,
  service: SharedService,
  life: Life,
  isRefused: boolean,
): Promise<void> {
  const { api } = desk;
  const now = desk.clock.now();
  const plain = bodyOf(life, now);
  const { id } = await api['drafts.create']({
    content: { api: 'v1', body: DraftBodyV1.parse({ ...plain, attachments: [] }) },
    connectionId,
  });
  const bytes = desk.desk.acceptBytes(await lease());
  const { id: file } = await api['drafts.attach']({ id, name: 'lease.pdf', bytes });
  const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file }];
  const body = DraftBodyV1.parse({ ...plain, attachments });
  const { revision } = await api['drafts.show']({ id });
  await api['drafts.save']({ id, revision, connectionId, content: { api: 'v1', body } });
  const fault = isRefused
    ? service.demo.fault({
        method: 'POST',
        path: /\/agreements$/,
        do: { kind: 'status', status: 422, body: '{"errors":[{"detail":"No."}]}' },
      })
    : null;
  await api['drafts.send']({ id, connectionId, holdSeconds: 0, confirm: 1 });
  await api['outbox.run']({});
  fault?.clear();
  if (!isRefused) await enterBy(service, ({ title }) => title === life.title, life);
}

/** Sends the rows of the batch of this computer. */
export async function sendBatch(
  { desk, connectionId, templateId }: AtDesk,
  service: SharedService,
  lives: readonly Life[],
): Promise<void> {
  const { api } = desk;
  const rows = lives.map(({ index, parties: [party] }) => {
    const number = swedish(1960 + (index % 40), 1 + (index % 12), 1 + (index % 28), 100 + index);
    return `Åsa ${index};Öberg;${number};${party?.email ?? ''};${9000 + index}`;
  });
  const bytes = desk.desk.acceptBytes(Buffer.from(`\uFEFF${[HEADER, ...rows].join('\r\n')}\r\n`));
  const about = { name: 'Leases', fileName: 'leases.csv', bytes, choices: {} };
  const { id } = await api['batches.create']({ ...about, connectionId, templateId });
  await api['batches.check']({ id });
  const { revision } = await api['batches.show']({ id });
  await desk.finish(
    await api['batches.send']({ id, confirm: rows.length, revision, holdSeconds: 0 }),
  );
  await api['outbox.run']({});
  for (const life of lives) {
    await enterBy(service, ({ title }) => title === `Lease Åsa ${life.index} Öberg`, life);
  }
}

async function enterBy(
  service: SharedService,
  isIt: (one: { readonly title: string }) => boolean,
  life: Life,
): Promise<void> {
  const found = service.demo.agreements.v1().filter(isIt);
  const [one] = found;
  if (one === undefined || found.length > 1) {
    throw new Error(`${life.title} was sent ${found.length} times`);
  }
  await service.enter(one.id, life);
}

/** Performs the action on the computer, unless its target no longer exists. */
export async function doDeed(
  { desk, connectionId }: AtDesk,
  truth: Truth,
  agreement: TrueAgreement,
  what: DeedPlan['what'],
): Promise<void> {
  const { api } = desk;
  const key: AgreementKey = { connectionId, id: AgreementId.parse(agreement.id) };
  const { held, bounced } = truth.of(agreement.life.desk);
  const party = agreement.parties.find(
    ({ isOurs, state, id }) => !isOurs && (state === 'turn' || bounced.has(id)),
  );
  if (agreement.ended !== null || party === undefined || party.state === 'signed') return;
  switch (what) {
    case 'hold':
      await api['reminders.hold']({ ...key, partyId: null, because: 'switched-off' });
      held.add(agreement.id);
      return;
    case 'release':
      await api['reminders.release']({ ...key, partyId: null });
      held.delete(agreement.id);
      return;
    case 'bounced':
      await api['reminders.hold']({ ...key, partyId: party.id, because: 'bounced' });
      bounced.set(party.id, party.email);
      return;
    case 'correct':
    case 'correct-and-tell': {
      const address = `right-${party.email}`;
      const notify = what === 'correct-and-tell';
      const ended = await api['actions.correctEmail']({ key, partyId: party.id, address, notify });
      if (ended.outcome !== 'done') throw new Error(`It was not corrected: ${ended.outcome}`);
      party.email = address;
      return;
    }
    case 'by-hand':
      await desk.finish(await api['actions.remind']({ targets: [key], confirm: 1 }));
  }
}
