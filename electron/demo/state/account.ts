/** The only account of this service. Everything here is public and made up. */
export const credentials = {
  token: 'demo-token-not-a-secret',
  accessKey: 'demo-key-not-a-secret',
  accountId: '1001',
} as const;

/** Token of our user’s colleague, who sees other agreements (v1). */
export const colleagueToken = 'demo-colleague-not-a-secret';

export const company = { name: 'Lindqvist & Berg AB', orgNo: '5599990008', country: 'SE' } as const;

export const user = {
  id: 'a0e7c1de-5c10-11f0-8d35-03d35ce00001',
  firstName: 'Karin',
  lastName: 'Lindqvist',
  email: 'karin.lindqvist@example.com',
} as const;

export const colleague = {
  id: 'a0e7c2d8-5c10-11f0-8d35-03d35ce00001',
  firstName: 'Jonas',
  lastName: 'Berg',
  email: 'jonas.berg@example.com',
} as const;

export const owners = [user, colleague] as const;

/** A group of our user; agreements can be shared with other groups, too. */
export const salesGroup = {
  id: 'a0e7c3d2-5c10-11f0-8d35-03d35ce00001',
  name: 'Försäljning',
  description: 'Alla som säljer',
} as const;

/**
 * A file that is already on the account. A v1 attachment of type `TOKEN` can use only this file.
 */
export const accountFile = {
  id: 'a0e7c4cc-5c10-11f0-8d35-03d35ce00001',
  name: 'Allmänna villkor.pdf',
} as const;

/** Another company, for data that our API key may not read. */
export const otherCompany = { name: 'Östra Hamnens Fastigheter AB', orgNo: '5569813599' } as const;

/** PDF templates for v2 agreements, with the names and types of their fields. */
export const templates = [
  {
    id: '70001',
    name: 'Hyresavtal lokal',
    fields: { tenant: 'text', address: 'text', monthly_rent: 'text', parking: 'checkbox' },
  },
  {
    id: '70002',
    name: 'Anställningsavtal',
    // The last field is invisible: the sender can write a reference of their own into it.
    fields: {
      employee: 'text',
      position: 'text',
      starts_on: 'text',
      trial_period: 'checkbox',
      desk_ref: 'text',
    },
  },
] as const;

/** Returns the name for an organisation number, like the company register. */
export function companyName(orgNo: string): string {
  const known = [company, otherCompany].find((one) => one.orgNo === orgNo);
  return known?.name ?? `Företag ${orgNo.slice(0, 6)}-${orgNo.slice(6)}`;
}
