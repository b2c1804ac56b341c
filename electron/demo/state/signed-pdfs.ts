import { company, companyName, owners, templates } from './account.ts';
import { isPdfName } from '../server/formats.ts';
import { assembleParts, type Part } from '../pdf/pdf.ts';
import { toCompactStamp, toWallStamp } from '../server/stamps.ts';
import type { Store } from './store.ts';
import type { Agreement, Attachment, Party } from './record-v1.ts';
import type { LegacyAgreement, LegacyParty } from './record-v2.ts';

/** Creates the PDF of an agreement: its documents, and a page with the signers and times. */
export class SignedPdfs {
  readonly #store: Store;
  readonly #made = new Map<string, { version: number; pdf: Promise<Buffer> }>();

  constructor(store: Store) {
    this.#store = store;
  }

  ofAgreement(agreement: Agreement): Promise<Buffer> {
    return this.#once(agreement.id, agreement.version, () =>
      assembleParts([...this.#documents(agreement), logOf(agreement)], {
        title: agreement.title,
        at: agreement.closedOn ?? agreement.createdOn,
      }),
    );
  }

  ofLegacy(agreement: LegacyAgreement): Promise<Buffer> {
    return this.#once(agreement.referenceNumber, agreement.version, () =>
      assembleParts([...this.#legacyDocuments(agreement), legacyLogOf(agreement)], {
        title: agreement.name,
        at: agreement.closedOn ?? agreement.postedOn,
      }),
    );
  }

  #once(id: string, version: number, make: () => Promise<Buffer>): Promise<Buffer> {
    const known = this.#made.get(id);
    if (known?.version === version) return known.pdf;
    const pdf = make();
    this.#made.set(id, { version, pdf });
    return pdf;
  }

  #documents({ attachments, parties }: Agreement): Part[] {
    return attachments
      .filter(({ category }) => category === 'AGREEMENT')
      .map((attachment) => {
        const bytes = this.#store.blob(attachment.blob);
        return documentOf(attachment.name, bytes, valuesOf(attachment, parties));
      });
  }

  #legacyDocuments(agreement: LegacyAgreement): Part[] {
    const { name, text, fields, attachments, templateId } = agreement;
    if (text !== null) return [{ kind: 'text', title: name, lines: [withoutTags(text)] }];
    if (templateId === null) {
      return attachments.map((one) => documentOf(one.name, this.#store.blob(one.blob), new Map()));
    }
    const template = templates.find(({ id }) => id === templateId);
    const lines = fields.map(
      (field) => `${field.name}: ${field.value === true ? '[x]' : String(field.value)}`,
    );
    return [{ kind: 'text', title: template?.name ?? name, lines }];
  }
}

function documentOf(name: string, bytes: Buffer, values: Map<string, string | boolean>): Part {
  if (isPdfName(name)) return { kind: 'pdf', name, bytes, values };
  const lines = [`Attached file, ${String(bytes.byteLength)} bytes.`];
  return { kind: 'text', title: name, lines };
}

function valuesOf({ fields }: Attachment, parties: readonly Party[]): Map<string, string> {
  const drawn = (value: string) =>
    value.replace(/\{\{@agr\.parties\[(\d+)\]\.signature\}\}/g, (_, index: string) => {
      const party = parties[Number(index)];
      return party === undefined ? '' : `~ ${nameOf(party)} ~`;
    });
  return new Map(fields.map(({ name, value }) => [name, drawn(value)]));
}

function logOf(agreement: Agreement): Part {
  const owner = owners.find(({ id }) => id === agreement.ownerId);
  const at = (label: string, instant: number | null) =>
    instant === null ? [] : [`${label}: ${toCompactStamp(instant)}`];
  return {
    kind: 'text',
    title: 'Signing log',
    lines: [
      `Title: ${agreement.title}`,
      `Agreement: ${agreement.id}`,
      `Sent by: ${owner?.firstName ?? ''} ${owner?.lastName ?? ''}, ${company.name}`,
      ...at('Created', agreement.createdOn),
      ...at('Signed by all', agreement.closedOn),
      '',
      ...agreement.parties.flatMap((party) => [
        `${nameOf(party)} (${party.type}, ${party.state})`,
        ...at(`    Signed by ${methodOf(party)}`, party.signedOn),
        ...(party.signer === null ? [] : [`    Signer: ${signerOf(party)}`]),
      ]),
    ],
  };
}

function legacyLogOf(agreement: LegacyAgreement): Part {
  const at = (label: string, instant: number | null) =>
    instant === null ? [] : [`${label}: ${toWallStamp(instant)}`];
  return {
    kind: 'text',
    title: 'Signing log',
    lines: [
      `Name: ${agreement.name}`,
      `Reference number: ${agreement.referenceNumber}`,
      `Sent by: ${companyName(agreement.ownerOrgNo)}`,
      ...at('Posted', agreement.postedOn),
      ...at('Signed by all', agreement.closedOn),
      '',
      ...agreement.parties.flatMap((party) => [
        `${legacyNameOf(party)} (${party.kind}, ${party.status})`,
        ...at(`    Signed by ${party.signMethod}`, party.signedOn),
        ...at('    Rejected', party.rejectedOn),
      ]),
    ],
  };
}

function nameOf({ name, firstName, lastName }: Party): string {
  return name ?? [firstName, lastName].join(' ').trim();
}

function legacyNameOf({ orgNo, firstName, lastName }: LegacyParty): string {
  const person = `${firstName} ${lastName}`;
  return orgNo === null ? person : `${companyName(orgNo)}, ${person}`;
}

function methodOf({ signingConfigurations, signedWith }: Party): string {
  return signingConfigurations.find(({ id }) => id === signedWith)?.type ?? '';
}

function signerOf({ signer }: Party): string {
  return [signer?.firstName, signer?.lastName, signer?.email].filter(Boolean).join(' ');
}

function withoutTags(html: string): string {
  return html.replace(/<(?:br|\/p|\/h\d|\/li)[^<>]*>/gi, '\n').replace(/<[^<>]*>/g, '');
}
