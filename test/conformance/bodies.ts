import { accountFile } from '../../electron/demo/state/account.ts';
import { formPdf } from '../../electron/demo/pdf/form.ts';
import { DAY } from '../../shared/rules/time/units.ts';

/** Time of every request in these tests: noon in Sweden. */
export const NOW = Date.UTC(2026, 4, 20, 10);

/**
 * Two bodies with the same field: one that the service accepts, and one that it rejects because of
 * the field.
 */
export interface Case {
  readonly accepted: object;
  readonly refused: object;
}
export type Cases = Readonly<Record<string, Case>>;

/** Placeholder for the token of a file that is uploaded before the request. */
export const TOKEN = '{token}';
export const MOBILE = '+46701234567';
export const OTHER_ID = 'a0e7c3d2-5c10-11f0-8d35-03d35ce00001';

export const form = Buffer.from(await formPdf('Avtal', ['tenant', 'sign.here'])).toString('base64');

/** A v1 timestamp a number of days after `NOW`. */
export function stamp(days: number): string {
  return new Date(NOW + days * DAY).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
}

export const fileV1 = { type: 'BASE64', name: 'avtal.pdf', data: form, category: 'AGREEMENT' };
export const tokenV1 = { type: 'TOKEN', token: accountFile.id, category: 'AGREEMENT' };
export const personV1 = {
  type: 'PRIVATE',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  signingConfigurations: [{ type: 'CLICK' }],
};

export function v1(change: object): object {
  return { title: 'Hyresavtal', attachments: [fileV1], parties: [personV1], ...change };
}
export const party = (change: object) => v1({ parties: [{ ...personV1, ...change }] });
export const method = (one: object) => party({ signingConfigurations: [one] });
export const gate = (one: object) => party({ identificationConfigurations: [one] });
export const file = (change: object) => v1({ attachments: [{ ...fileV1, ...change }] });
export const value = (name: string, text: string, change: object = {}) =>
  v1({ attachments: [{ ...fileV1, fields: [{ name, value: text }] }], ...change });
export const setting = (one: object, change: object = {}) =>
  v1({ configurations: [one], ...change });
export const partySetting = (one: object, change: object = {}) =>
  v1({ parties: [{ ...personV1, configurations: [one] }], ...change });

export const personV2 = {
  personNo: '19850709-9805',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
};
export const companyV2 = {
  orgNo: '559999-0008',
  firstName: 'Karin',
  lastName: 'Lindqvist',
  email: 'karin@example.com',
};
export const fileV2 = { name: 'avtal.pdf', data: form };

export function v2(change: object): object {
  const parties = { privates: [personV2], companies: [] };
  return { name: 'Avtal', type: 'FREE_TEXT', text: 'Härmed avtalas.', parties, ...change };
}
export const privates = (change: object, around: object = {}) =>
  v2({ parties: { privates: [{ ...personV2, ...change }], companies: [] }, ...around });
export const companies = (change: object, around: object = {}) =>
  v2({ parties: { privates: [], companies: [{ ...companyV2, ...change }] }, ...around });
/**
 * A body of the type ATTACHED. `text` is undefined, because only content of the body's own type may
 * be sent.
 */
export const attached = (change: object = {}) => ({
  type: 'ATTACHED',
  text: undefined,
  attachments: [fileV2],
  ...change,
});
export const template = (dynamicPdf: unknown) =>
  v2({ type: 'DYNAMIC_PDF', text: undefined, dynamicPdf });
export const message = (change: object) =>
  v2({ notificationMessages: [{ type: 'posted', ...change }] });
export const reminder = (change: object) =>
  v2({ reminders: [{ date: '2026-05-20', emails: ['bo@example.com'], ...change }] });
export const webhook = (change: object) =>
  v2({ webhook: { events: ['POSTED'], url: 'https://example.com/hook', ...change } });
