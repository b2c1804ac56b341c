import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { calendarDay } from '../../shared/rules/time/days.ts';
import { checkV1, checkV2, documentV1, personV1, personV2 } from '../support/draft-checks.ts';
import { slowTexts } from '../support/slow-texts.ts';

type Rule = (...given: unknown[]) => unknown;

/** The square of it takes a minute; a MiB would show no more, and take as long for every rule. */
const LENGTH = 256 * 1024;
const DAY = calendarDay(2026, 11, 22) ?? '';
const NOW = Date.UTC(2026, 10, 22, 12);
const findings = { errors: [], warnings: [], error: () => {}, warn: () => {} };
const tokens = (text: string) => ({
  id: text,
  title: text,
  parties: [text, text],
  connection: text,
  closedAt: NOW,
  tags: { key: text },
});
const named = '{title} {party} {parties} {tag:key} {connection} {id}';
const thirdOf = (text: string) => `${text.slice(0, text.length / 3)}!`;
const bytes = (text: string) => new TextEncoder().encode(text);

/** How a rule that takes text is asked about a long one. Where it is not the first argument: how. */
const asked: Readonly<Record<string, true | ((rule: Rule, text: string) => unknown)>> = {
  'batch-day.dayOfCell': (rule, text) => rule(text, 'dmy'),
  'batch-day.v1TimeOfCell': (rule, text) => rule(text, 'dmy'),
  'batch-header.guessHeader': (rule, text) => rule([[text], [text, text]]),
  'batch-kinds.kindOfKey': true,
  'batch-repair.repairsOf': (rule, text) =>
    rule('person-number', text, { country: 'SE', today: DAY }),
  'batch-synonyms.headerKey': true,
  'batch-synonyms.headerSetKey': (rule, text) => rule([text, text]),
  'batch-synonyms.kindOfHeader': true,
  'batch-text.renamePlaceholders': (rule, text) => rule(text, String),
  'batch-text.segmentsOf': true,
  'batch-tidy.tidyBody': (rule, text) =>
    rule('v1', { title: text, parties: [texts(text)] }, DAY, []),
  'batch-today.dayText': (rule, text) => rule(DAY, text),
  'canonical-json.canonicalJson': (rule, text) => rule({ [text]: [text] }),
  'clean-text.breaksLine': true,
  'clean-text.cleanText': true,
  'clean-text.isShortened': true,
  'clean-text.judgeName': (rule, text) => rule(text, 100),
  'countries.isCountry': true,
  'countries.judgeCountry': true,
  'csv-guard.guardCsv': true,
  'csv-guard.unguardCsv': true,
  'days.instantsOf': true,
  'days.isDay': true,
  'days.judgeWallTime': true,
  'document-name.documentName': (rule, text) => rule({ name: text, mimeType: text }, new Set()),
  'draft-archive.parseDraftFile': (rule, text) => {
    try {
      return rule(text);
    } catch {
      return null;
    }
  },
  'draft-check.checkDraft': (_, text) => [draftV1(text), draftV2(text)],
  'draft-contacts.fullName': (rule, text) => rule({ firstName: text, lastName: text }),
  'draft-documents.checkFieldName': (rule, text) =>
    rule(text, { fields: [], pages: 1, notices: [] }, 'at', findings),
  'draft-documents.checkSignatureText': (rule, text) => rule(text, 2, 'at', findings),
  'draft-findings.checkLength': (rule, text) => rule(text, 10, 'at', findings),
  'draft-findings.isBlank': true,
  'draft-findings.lengthOf': true,
  'draft-findings.warnOfRepeats': (rule, text) => rule([text, text], () => 'at', findings),
  'draft-findings.written': true,
  'draft-from-reply.bodyFromReplyV1': (rule, text) =>
    rule({ title: text, parties: [texts(text)], tags: { [text]: text } }, NOW),
  'draft-from-reply.bodyFromReplyV2': (rule, text) =>
    rule({ name: text, parties: { privates: [texts(text)], companies: [texts(text)] } }, null),
  'draft-identifiers.checkCountry': (rule, text) => rule(text, 'at', findings),
  'draft-identifiers.checkEmail': (rule, text) => rule(text, 'at', findings),
  'draft-identifiers.checkMobileV1': (rule, text) => rule(text, 'at', findings),
  'draft-identifiers.checkMobileV2': (rule, text) => rule(text, 'at', findings),
  'draft-links.checkWebAddress': (rule, text) => rule(text, 'at', findings),
  'email.isEmail': true,
  'email.judgeEmail': (rule, text) => [rule(text), rule(`a@${text}.se`), rule(`${text}@a.se`)],
  'email.printEmail': (rule, text) => [rule(text), rule(`a@xn--${text}`)],
  'field-values.chosenOptions': (rule, text) => rule({ options: ['a'], multiple: true }, text),
  'field-values.fitValue': (rule, text) => [
    rule(undefined, text),
    rule({ type: 'checkbox', name: 'a' }, text),
  ],
  'field-values.isBlankWord': true,
  'field-values.withPlainLineEnds': true,
  'file-name.fileName': (rule, text) => [
    rule(named, tokens(text), new Set()),
    rule(text, tokens('a'), new Set()),
  ],
  'file-name.foldName': true,
  'file-name.folderNames': (rule, text) => rule(`{title}/${text}`, tokens(text)),
  'file-name.nameStem': (rule, text) => rule(named, tokens(text)),
  'file-name.safeStem': true,
  'file-name.shortId': true,
  'head-of-text.headOf': (rule, text) => rule(text, 100),
  'identity-denmark.judgeDanish': (rule, text) => rule(text, DAY),
  'identity-finland.judgeFinnish': (rule, text) => rule(text, DAY),
  'identity-norway.judgeNorwegian': (rule, text) => rule(text, DAY),
  'identity-sweden.hasLuhnDigit': true,
  'identity-sweden.judgeSwedish': (rule, text) => rule(text, DAY),
  'identity-sweden.swedishChoices': (rule, text) => rule(text, DAY),
  'identity.personKey': (rule, text) => rule(text, 'SE', DAY),
  'identity.toV1': (rule, text) => [rule(text, 'FI', DAY), rule(text, text, DAY)],
  'identity.toV2': (rule, text) => rule(text, DAY),
  'locales.judgeLocale': true,
  'mask.maskPersonNumber': true,
  'mask.redact': true,
  'mask.redactCut': true,
  'organisation-number.isOfPerson': true,
  'organisation-number.judgeOrganisationNumber': (rule, text) => rule(text, DAY),
  'organisation-number.printOrganisationNumber': true,
  'party-key.partyKey': (rule, text) => rule('person', text),
  'pasted-cells.pastedCells': true,
  'pdf-seal.isTestSeal': true,
  'pdf-seal.judgeSeal': (rule, text) => rule([sealed(text)], 2_000_000),
  'pdf-seal.sealKind': true,
  'pdf-seal.sealSentence': true,
  'pdf-shape.acceptPdf': (rule, text) => {
    try {
      return rule(bytes(text), bytes(text), text.length);
    } catch {
      return null;
    }
  },
  'pdf-shape.beginsTable': (rule, text) => rule(bytes(text)),
  'pdf-shape.headerOffset': (rule, text) => rule(bytes(text)),
  'pdf-shape.lastTable': (rule, text) => rule(bytes(text)),
  'people-table.readPeopleTable': (rule, text) => [
    rule(text, DAY),
    rule(`Name\tE-mail\tMobile\n${[1, 2, 3].map(() => thirdOf(text)).join('\t')}`, DAY),
  ],
  'people-table.splitCells': true,
  'people.titleOfPerson': (rule, text) => rule({ firstName: text, lastName: text }),
  'phone.isE164': true,
  'phone.isSpacedMobile': true,
  'phone.judgeMobile': (rule, text) => [rule(text, 'SE'), rule(`+46${text}`)],
  'phone.toE164': (rule, text) => rule(text, 'SE'),
  'phone.toSpacedMobile': (rule, text) => rule(text, 'SE'),
  'punycode.decodeLabel': (rule, text) => [rule(text), rule(`xn--${text}`)],
  'punycode.encodeLabel': true,
  'recipients.recipientOf': (rule, text) => [rule('SMS', text), rule('EMAIL', text)],
  'same-name.isSameName': (rule, text) => rule(text, `${text} `),
  'signature-text.looksLikePlaceholder': true,
  'signature-text.signatureOf': true,
  'template-names.namedText': (rule, text) => rule(text, String),
  'trim-signs.trimSigns': (rule, text) => rule(text, { first: /[\s.]/, last: /[\s.]/ }),
  'truth-words.truthOf': true,
  'wire-time.parseV1': true,
  'wire-time.parseV2': true,
  'zones.judgeZone': true,
};

/** Rules that are not asked, each with why. A module stands for all of its rules. */
const notAsked: Readonly<Record<string, string>> = {
  ...of('whole drafts, reached by draft-check.checkDraft', [
    ...['draft-blanks', 'draft-people', 'draft-regional', 'draft-tags', 'draft-times'],
    ...['draft-v1', 'draft-v1-access', 'draft-v1-attachments', 'draft-v1-configurations'],
    ...['draft-v1-notifications', 'draft-v1-party', 'draft-v1-signing', 'draft-v2'],
    ...['draft-v2-content', 'draft-v2-notices', 'draft-v2-party', 'draft-documents.checkValues'],
    ...['draft-identifiers.checkPersonNumberV1', 'draft-identifiers.checkCompanyNumberV1'],
    ...['draft-identifiers.checkPersonNoV2', 'draft-identifiers.checkOrgNoV2'],
    ...['draft-links.checkLinksV1', 'draft-documents.warnOfSameFiles'],
  ]),
  ...of('copies or compares texts without looking into them', [
    ...['draft-archive.printDraftFile', 'draft-check.titleOf', 'draft-check.partyNames'],
    ...['draft-contacts.contactsV1', 'draft-contacts.contactsV2', 'draft-contacts.countContacts'],
    ...['draft-contacts.nameV1', 'draft-contacts.toldOfPartyV1', 'draft-documents.findFile'],
    ...['draft-documents.isPdf', 'draft-to-v1', 'draft-to-v2', 'email-correction'],
    ...['effective-language', 'evidence-entry', 'people', 'template-fields', 'template-start'],
    ...['template-draft', 'template-values', 'verdict', 'agreement-access', 'action-reasons'],
    ...['batch-match', 'batch-optional', 'batch-summary', 'batch-template', 'locales.toIntlLocale'],
    ...['template-names.withNames', 'draft-documents.fieldNamed', 'draft-documents.checkFit'],
    ...['field-values.writtenValue', 'file-name.formerTokens', 'recipients.checkRecipients'],
  ]),
  ...of('whole batches: each cell goes through the rules above', [
    ...['batch-cells', 'batch-check', 'batch-compile', 'batch-fill', 'batch-places'],
    ...['batch-kinds.cellKinds', 'batch-mapping-file'],
  ]),
  ...of('takes numbers, days or words of this program', [
    ...[
      'batch-times',
      'days',
      'deadlines',
      'list-separator',
      'draft-findings.createFindings',
      'pdf-shape.pdfShape',
    ],
    ...['pdf-seal.sealWord', 'signature-text.signatureText', 'wire-time', 'zones.zoneNames'],
  ]),
};

function of(reason: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

function texts(text: string) {
  return {
    firstName: text,
    lastName: text,
    name: text,
    email: text,
    mobile: text,
    country: text,
    personNumber: text,
    companyNumber: text,
    personNo: text,
    orgNo: text,
    type: 'PRIVATE',
  };
}

const sealed = (text: string) => ({
  numbers: [0, 10, 10 + text.length, 1_000_000],
  gap: `<${text}>`,
});

function draftV1(text: string) {
  return checkV1({
    title: text,
    expireOn: text,
    tags: { [text.slice(0, 90)]: text },
    attachments: [documentV1],
    parties: [{ ...personV1, ...texts(text) }],
  });
}

function draftV2(text: string) {
  return checkV2({
    name: text,
    text,
    parties: {
      privates: [{ ...personV2, email: text, mobile: text, personNo: text }],
      companies: [],
    },
  });
}

async function exportedRules(): Promise<ReadonlyMap<string, Rule>> {
  const folder = path.resolve(import.meta.dirname, '../../shared/rules');
  const found = new Map<string, Rule>();
  for (const file of (await readdir(folder)).sort()) {
    const module: unknown = await import(path.join(folder, file));
    for (const [name, value] of Object.entries(module as object)) {
      if (typeof value !== 'function') continue;
      found.set(`${path.basename(file, '.ts')}.${name}`, value as Rule);
    }
  }
  return found;
}

const rules = await exportedRules();

describe('a rule', () => {
  it('is asked about long texts, or says why not (SEC-H2)', () => {
    const module = (name: string): string => name.split('.')[0] ?? '';
    const forgotten = [...rules.keys()].filter(
      (name) => !(name in asked) && !(name in notAsked) && !(module(name) in notAsked),
    );
    expect(forgotten).toEqual([]);
    const gone = Object.keys(asked).filter((name) => !rules.has(name));
    expect(gone).toEqual([]);
  });

  it.each(Object.entries(asked))(
    '%s takes time in proportion to a text, whatever it holds (SEC-H2)',
    (name, how) => {
      const rule = rules.get(name) ?? expect.unreachable();
      const run = (text: string) => (how === true ? rule(text) : how(rule, text));
      expect(slowTexts(run, LENGTH)).toEqual([]);
    },
  );
});
