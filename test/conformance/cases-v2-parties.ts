import { attached, type Cases, companies, companyV2, personV2, privates, v2 } from './bodies.ts';

type Kind = 'privates' | 'companies';

/** Test cases for every field of the parties in one of v2's two lists. */
export function partyCasesV2(kind: Kind): Cases {
  const one = kind === 'privates' ? privates : companies;
  const at = `parties.${kind}`;
  const drawn = (signMetadata: unknown) => one({ signMetadata }, attached({ drawSignature: true }));
  const place = (change: object) =>
    drawn([{ attachmentIndex: 0, signatureFields: ['sign.here'], ...change }]);
  return {
    [at]: {
      accepted: one({}),
      refused: v2({ parties: { privates: [personV2], companies: [companyV2], [kind]: {} } }),
    },
    [`${at}[].firstName`]: { accepted: one({}), refused: one({ firstName: undefined }) },
    [`${at}[].lastName`]: { accepted: one({}), refused: one({ lastName: ' ' }) },
    [`${at}[].email`]: { accepted: one({}), refused: one({ email: 'asa' }) },
    [`${at}[].mobile`]: {
      accepted: one({ signMethods: ['SMS_OTP'], mobile: '+46 701234567' }),
      refused: one({ signMethods: ['SMS_OTP'], mobile: '+46701234567' }),
    },
    [`${at}[].signMethods`]: {
      accepted: one({ signMethods: ['EMAIL_OTP'] }),
      refused: one({ signMethods: ['EID', 'EMAIL'] }),
    },
    [`${at}[].signingOrder`]: {
      accepted: one({ signingOrder: 2 }),
      refused: one({ signingOrder: 1.5 }),
    },
    [`${at}[].signMetadata`]: {
      accepted: place({}),
      refused: one({ signMetadata: [{ attachmentIndex: 0, signatureFields: ['x'] }] }, attached()),
    },
    [`${at}[].signMetadata[].attachmentIndex`]: {
      accepted: place({}),
      refused: place({ attachmentIndex: 1 }),
    },
    [`${at}[].signMetadata[].signatureFields`]: {
      accepted: place({}),
      refused: place({ signatureFields: [] }),
    },
    ...(kind === 'privates' ? ofPersons(at) : ofCompanies(at)),
  };
}

function ofPersons(at: string): Cases {
  return {
    [`${at}[].personNo`]: {
      accepted: privates({ personNo: '850709-9805' }),
      refused: privates({ personNo: '850709+9805' }),
    },
  };
}

function ofCompanies(at: string): Cases {
  const allowed = (change: object) =>
    companies({ allowedPersons: [{ personNo: '198507099805', ...change }] });
  return {
    [`${at}[].orgNo`]: {
      accepted: companies({ orgNo: '5599990008' }),
      refused: companies({ orgNo: '165599990008' }),
    },
    [`${at}[].allowedPersons`]: {
      accepted: companies({ allowedPersons: [] }),
      refused: companies({ allowedPersons: {} }),
    },
    [`${at}[].allowedPersons[].personNo`]: {
      accepted: allowed({}),
      refused: allowed({ personNo: undefined }),
    },
    [`${at}[].allowedPersons[].firstName`]: {
      accepted: allowed({ firstName: 'Karin' }),
      refused: allowed({ firstName: 5 }),
    },
    [`${at}[].allowedPersons[].lastName`]: {
      accepted: allowed({ lastName: 'Ek' }),
      refused: allowed({ lastName: ' ' }),
    },
    [`${at}[].allowedPersons[].email`]: {
      accepted: allowed({ email: 'karin@example.com' }),
      refused: allowed({ email: 'karin' }),
    },
  };
}
