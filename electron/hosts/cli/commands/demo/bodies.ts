import type { DraftContent } from '../../../../../shared/contract/drafts.ts';
import type { ApiName, FileId } from '../../../../../shared/model/ids.ts';
import { formatV1Time } from '../../../../../shared/rules/time/wire-time.ts';
import { DAY } from '../../../../../shared/rules/time/units.ts';

const EXPIRES_IN_DAYS = 30;

/** Text fields of the demo's form, in their order. */
export const formFields = ['tenant', 'address', 'monthly_rent'] as const;

const demoFieldValues = {
  tenant: 'Åsa Öberg',
  address: 'Storgatan 12, 903 26 Umeå',
  monthly_rent: '9 400 kr',
  accepted: 'true',
} as const satisfies Record<(typeof formFields)[number] | 'accepted', string>;

const demoFields = Object.entries(demoFieldValues).map(([name, value]) => ({ name, value }));

export const demoFieldCount = demoFields.length;

/** Properties in which the demo's agreements differ. */
export interface About {
  readonly title: string;
  /** Current time (epoch ms). */
  readonly now: number;
  readonly orgNo: string;
}

type AttachedFile = { readonly id: FileId; readonly name: string } | null;

/**
 * Returns an agreement between a person, another company on v1, and the user's own company, which
 * signs last. All are invented; the personal number is a test number of Sweden's tax agency.
 */
export function demoContent(api: ApiName, about: About, file: AttachedFile): DraftContent {
  return api === 'v1' ? contentV1(about, file) : contentV2(about, file);
}

function contentV1({ title, now }: About, file: AttachedFile): DraftContent {
  const described = { type: 'BASE64', title, category: 'AGREEMENT', fields: demoFields } as const;
  return {
    api: 'v1',
    body: {
      title,
      expireOn: formatV1Time(now + EXPIRES_IN_DAYS * DAY),
      attachments: file === null ? [] : [{ ...described, name: file.name, file: file.id }],
      parties: [
        {
          type: 'PRIVATE',
          firstName: 'Åsa',
          lastName: 'Öberg',
          email: 'asa@example.com',
          signingOrder: 1,
          signingConfigurations: [{ type: 'CLICK' }],
        },
        {
          type: 'COMPANY',
          name: 'Nordlys Bygg AS',
          country: 'NO',
          email: 'post@example.com',
          signingOrder: 1,
          signingConfigurations: [{ type: 'DRAW' }],
        },
        { type: 'MY_COMPANY', signingOrder: 2, signingConfigurations: [{ type: 'API' }] },
      ],
    },
  };
}

function contentV2({ title, orgNo }: About, file: AttachedFile): DraftContent {
  return {
    api: 'v2',
    body: {
      name: title,
      type: 'ATTACHED',
      expireIn: EXPIRES_IN_DAYS,
      parties: {
        privates: [
          {
            personNo: '19811228-9874',
            firstName: 'Åsa',
            lastName: 'Öberg',
            email: 'asa@example.com',
            signMethods: ['EID'],
            signingOrder: 1,
          },
        ],
        companies: [
          {
            orgNo,
            firstName: 'Karin',
            lastName: 'Lindqvist',
            email: 'karin.lindqvist@example.com',
            signMethods: ['EID'],
            signingOrder: 2,
          },
        ],
      },
      attachments: file === null ? [] : [{ name: file.name, file: file.id, fields: demoFields }],
    },
  };
}
