// tier: all
import { describe, expect, it } from 'vitest';
import { calendarDay } from '../../shared/rules/time/days.ts';
import { checkV1, documentV1, personV1 } from '../support/draft-checks.ts';
import { slowTexts } from '../support/slow-texts.ts';
import { exportedRules, type Rule } from './exported-rules.ts';
import {
  checked,
  draftV2,
  longPerson,
  named,
  NOW,
  pageOf,
  plotOf,
  refused,
  scripted,
  seenField,
  tokens,
} from './long-values.ts';

/** Length of the texts. Quadratic work takes a minute; a MiB would show no more. */
const LENGTH = 256 * 1024;
const DAY = calendarDay(2026, 11, 22) ?? '';
const findings = { errors: [], warnings: [], error: () => {}, warn: () => {} };
const thirdOf = (text: string) => `${text.slice(0, text.length / 3)}!`;
const bytes = (text: string) => new TextEncoder().encode(text);
const box = { type: 'checkbox', options: ['a'] };
/** How each rule is called with a long text; true if the text is its first argument. */
const asked: Readonly<Record<string, true | ((rule: Rule, text: string) => unknown)>> = {
  'backup/due.backupDueAt': (rule, text) =>
    rule({ kind: 'daily', at: text }, NOW - 86_400_000, NOW),
  'backup/due.isBackupOverdue': (rule, text) =>
    rule({ kind: 'daily', at: text }, NOW - 86_400_000, NOW),
  'backup/names.backupName': (rule, text) => rule(text, NOW),
  'backup/names.parseBackupName': (rule, text) => [
    rule('1f2e3d4c', text),
    rule(text, `signing-desk-${text}-${text}.signingdesk`),
  ],
  'backup/names.timeInName': (rule, text) => [rule(text), rule(`signing-desk-1f2e3d4c-${text}`)],
  'batches/day.dayOfCell': (rule, text) => rule(text, 'dmy'),
  'batches/day.v1TimeOfCell': (rule, text) => rule(text, 'dmy'),
  'batches/header.guessHeader': (rule, text) => rule([[text], [text, text]]),
  'batches/kinds.kindOfKey': true,
  'batches/repair.repairsOf': (rule, text) =>
    rule('person-number', text, { country: 'SE', today: DAY }),
  'batches/synonyms.headerKey': true,
  'batches/synonyms.headerSetKey': (rule, text) => rule([text, text]),
  'batches/synonyms.kindOfHeader': true,
  'batches/text.renamePlaceholders': (rule, text) => rule(text, String),
  'batches/text.segmentsOf': true,
  'batches/tidy.tidyBody': (rule, text) =>
    rule('v1', { title: text, parties: [texts(text)] }, DAY, []),
  'batches/today.dayText': (rule, text) => rule(DAY, text),
  'board/drawing.drawPlot': (rule, text) => rule(plotOf(text)),
  'board/svg.plotSvg': (rule, text) => rule(plotOf(text)),
  'digest/line.digestLine': (rule, text) => rule(text, 300),
  'text/mask.withoutPersonNumbers': true,
  'text/tidied-name.tidiedName': true,
  'people/personal-numbers.isMaskedText': true,
  'people/personal-numbers.containsPersonNumber': true,
  'people/personal-numbers.withMaskedNumbers': true,
  'people/scattered-numbers.scatteredNumbers': true,
  'evidence/chain.walkChain': (rule, text) => rule([{ number: 1, text, hash: text }], String),
  'evidence/canonical-json.canonicalJson': (rule, text) => rule({ [text]: [text] }),
  'text/long-marks.withoutExcessMarks': true,
  'text/marks.withoutMarkup': true,
  'text/utf8.utf8Length': true,
  'text/utf8.splitByUtf8Length': (rule, text) => rule(text, 75, 74),
  'text/mail-draft.mailDraft': (rule, text) =>
    rule(
      { subject: text, text },
      {
        utf8: (part: string) => new TextEncoder().encode(part),
        base64: (data: Uint8Array) => Buffer.from(data).toString('base64'),
      },
    ),
  'text/clean-text.hasLineBreak': true,
  'text/clean-text.changesDirection': true,
  'text/strange-text.placeOfControlCharacters': (rule, text) => rule({ text, list: [text] }),
  'identifiers/service-address.toAsciiHost': true,
  'identifiers/api-addresses.apiAddresses': true,
  'text/clean-text.cleanText': true,
  'text/clean-text.isShortened': true,
  'text/clean-text.validateName': (rule, text) => rule(text, 100),
  'identifiers/allowed.allowedEntry': true,
  'identifiers/allowed.isAllowed': (rule, text) => rule(text, ['@example.com', text]),
  'identifiers/allowed.isAllowedHost': (rule, text) => [
    rule(`https://${text}.example.com`, ['example.com']),
    rule(text, ['example.com']),
  ],
  'identifiers/allowed.splitEntries': true,
  'identifiers/countries.isCountry': true,
  'identifiers/countries.validateCountry': true,
  'sheets/csv-guard.guardCsv': true,
  'sheets/csv-guard.unguardCsv': true,
  'time/days.instantsOf': true,
  'time/days.isDay': true,
  'time/days.validateWallTime': true,
  'files/document-name.documentName': (rule, text) =>
    rule({ name: text, mimeType: text }, new Set()),
  'corrections/bounce-json.bouncesInJson': (rule, text) => [
    rule(`{"${text}`),
    rule(`[{"${text}"}]`),
  ],
  'corrections/bounce-kinds.addressFieldName': (rule, text) => rule([text, text]),
  'corrections/bounce-kinds.isPermanentBounce': (rule, text) => rule(new Map([['status', text]])),
  'corrections/bounce-log.bouncesInLogs': (rule, text) => [
    rule(text),
    rule(`mx postfix/smtp[1]: to=<${text}`),
  ],
  'corrections/bounce-report.bouncesInReports': (rule, text) => [
    rule(`Final-Recipient: ${text}`),
    rule(`X-Failed-Recipients: ${text}`),
  ],
  'corrections/bounce-report.bouncesInWords': (rule, text) => [
    rule(`Delivery has failed to these recipients or groups:\n${text}`),
    rule(`This is the mail system at host\n<${text}`),
    rule(`A message that you sent could not be delivered\n${text}`),
    rule(`Your message wasn't delivered to ${text}`),
  ],
  'corrections/bounce-report.isMail': true,
  'corrections/bounce-table.bouncesInTable': (rule, text) => rule(`email,status\n"${text}`),
  'corrections/bounce-kinds.isDeliveryStatus': true,
  'corrections/bounces.readBounces': true,
  'corrections/list.folded': true,
  'corrections/list.readCorrections': true,
  'corrections/readdress.copiesByAgreement': (rule, text) =>
    rule([{ key: { connectionId: text, id: text }, title: text, from: text, to: text }]),
  'corrections/readdress.withChangedAddresses': (rule, text) =>
    rule({ api: 'v2', body: { parties: { privates: [{ lastName: text }], companies: [] } } }, [
      { from: text, address: text },
    ]),
  'drafts/file.parseDraftFile': (rule, text) => {
    try {
      return rule(text);
    } catch {
      return null;
    }
  },
  'drafts/check.checkDraft': (_, text) => [draftV1(text), draftV2(text)],
  'drafts/parts/contacts.fullName': (rule, text) => rule({ firstName: text, lastName: text }),
  'drafts/parts/later.laterRecipientsOf': (rule, text) =>
    rule({ api: 'v2', body: { webhook: { url: text, events: [] } } }, [text]),
  'drafts/parts/documents.checkFieldName': (rule, text) =>
    rule(text, { fields: [], pages: 1, notices: [] }, 'at', findings),
  'drafts/parts/documents.checkSignatureText': (rule, text) => rule(text, 2, 'at', findings),
  'drafts/parts/findings.checkLength': (rule, text) => rule(text, 10, 'at', findings),
  'drafts/parts/findings.isBlank': true,
  'drafts/parts/findings.lengthOf': true,
  'drafts/parts/findings.warnOfRepeats': (rule, text) => rule([text, text], () => 'at', findings),
  'drafts/parts/findings.textOrNullIfEmpty': true,
  'drafts/convert/from-reply.bodyFromReplyV1': (rule, text) =>
    rule({ title: text, parties: [texts(text)], tags: { [text]: text } }, NOW),
  'drafts/convert/from-reply.bodyFromReplyV2': (rule, text) =>
    rule({ name: text, parties: { privates: [texts(text)], companies: [texts(text)] } }, null),
  'drafts/parts/identifiers.checkCountry': (rule, text) => rule(text, 'at', findings),
  'drafts/parts/identifiers.checkEmail': (rule, text) => rule(text, 'at', findings),
  'drafts/parts/identifiers.checkMobileV1': (rule, text) => rule(text, 'at', findings),
  'drafts/parts/identifiers.checkMobileV2': (rule, text) => rule(text, 'at', findings),
  'drafts/parts/links.checkWebAddress': (rule, text) => rule(text, 'at', findings),
  'drafts/send-time.sendTimeProblem': (rule, text) =>
    rule({ api: 'v1', body: { expireOn: text } }, NOW + 1, NOW),
  'drafts/wall-time.wallTimeOf': true,
  'drafts/wall-time.stampOf': (rule, text) => rule({ date: text, time: text }),
  'drafts/wall-time.clockChangeProblem': (rule, text) => rule({ date: text, time: text }),
  'intake/names.intakeKind': true,
  'intake/names.isPlainName': true,
  'intake/names.pdfNameOf': true,
  'intake/names.titleOfFile': true,
  'intake/data.parseIntakeData': (rule, text) => [
    refused(() => rule(text, DAY)),
    refused(() => rule(JSON.stringify({ title: text, answers: { [text]: text } }), DAY)),
  ],
  'intake/data.partyOf': (rule, text) =>
    refused(() => rule({ firstName: text, email: text, mobile: text, role: text }, 'Row 1', DAY)),
  'intake/sheet.isAboutFiles': (rule, text) => rule([text, 'file']),
  'intake/sheet.readIntakeSheet': (rule, text) =>
    rule(
      { columns: ['file', 'title', 'name', text].map((name) => ({ name, letter: 'A' })) },
      [{ row: 2, cells: ['a.pdf', text, text, text], marks: [] }],
      DAY,
    ),
  'intake/content.plainContent': (rule, text) =>
    rule(
      'v1',
      { id: 'a', name: text },
      { title: text, parties: [{ person: longPerson(text), role: null }] },
      NOW,
    ),
  'links/fill.linkedContent': (rule, text) => [
    rule('v1', { title: text, message: text, parties: [longPerson(text)] }, NOW),
    rule('v2', { title: text, message: text, parties: [longPerson(text)] }, NOW),
  ],
  'links/link.agreementLink': true,
  'links/link.readLink': (rule, text) => [rule(text), rule(`signingdesk:draft?title=${text}`)],
  'links/scheme.isLink': true,
  'reminders/judge.countryOf': (rule, text) => rule({ country: text, mobile: text }, 'SE'),
  'identifiers/email.isEmail': true,
  'identifiers/email.validateEmail': (rule, text) => [
    rule(text),
    rule(`a@${text}.se`),
    rule(`${text}@a.se`),
  ],
  'identifiers/email.formatEmail': (rule, text) => [rule(text), rule(`a@xn--${text}`)],
  'forms/box-words.boxEffect': (rule, text) => [rule(text, 'no'), rule('Nej', text)],
  'forms/box-words.contradictions': (rule, name) => rule([{ field: name, name, source: 'a' }]),
  'forms/box-words.foldOption': true,
  'forms/box-words.indexOfAnswer': (rule, text) => [rule(['a', text], text), rule(['a'], text)],
  'forms/field-values.chosenOptions': (rule, text) =>
    rule({ options: ['a'], multiple: true }, text),
  'forms/field-values.fitValue': (rule, text) => [rule(undefined, text), rule(box, text)],
  'forms/field-values.isBlankWord': true,
  'forms/field-values.withPlainLineEnds': true,
  'files/convertible.isConvertible': (rule, text) => [rule(text), rule(`${text}.docx`)],
  'files/convertible.pdfNameFor': (rule, text) => [rule(text), rule(`${text}.docx`)],
  'files/file-name.fileName': (rule, text) => [
    rule(named, tokens(text), new Set()),
    rule(text, tokens('a'), new Set()),
  ],
  'files/file-name.foldName': true,
  'files/file-name.folderNames': (rule, text) => rule(`{title}/${text}`, tokens(text)),
  'files/file-name.nameStem': (rule, text) => rule(named, tokens(text)),
  'files/file-name.safeStem': true,
  'text/head-of-text.headOf': (rule, text) => rule(text, 100),
  'identifiers/identity-denmark.validateDanish': (rule, text) => rule(text, DAY),
  'identifiers/identity-finland.validateFinnish': (rule, text) => rule(text, DAY),
  'identifiers/identity-norway.validateNorwegian': (rule, text) => rule(text, DAY),
  'identifiers/identity-sweden.hasLuhnDigit': true,
  'identifiers/identity-sweden.validateSwedish': (rule, text) => rule(text, DAY),
  'identifiers/identity-sweden.swedishChoices': (rule, text) => rule(text, DAY),
  'identifiers/identity.personKey': (rule, text) => rule(text, 'SE', DAY),
  'identifiers/identity.validatePersonNumberV1': (rule, text) => [
    rule(text, 'FI', DAY),
    rule(text, text, DAY),
  ],
  'identifiers/identity.validatePersonNoV2': (rule, text) => rule(text, DAY),
  'text/languages.languageOf': true,
  'time/typed-time.readDay': (rule, text) => rule(text, [[text, 'december']], DAY),
  'time/typed-time.readTime': true,
  'text/locales.validateLocale': true,
  'text/missing-letter.hasUnusualCharacters': true,
  'text/missing-letter.missingCharacterMessage': (rule, text) =>
    rule({ field: text, letter: text, font: text }),
  'text/mask.maskPersonNumber': true,
  'text/mask.redact': true,
  'text/mask.redactTruncated': true,
  'identifiers/organisation-number.isNumberOfPerson': true,
  'identifiers/organisation-number.validateOrganisationNumber': (rule, text) => rule(text, DAY),
  'identifiers/organisation-number.formatOrganisationNumber': true,
  'identifiers/organisation-number.isSameOrganisation': (rule, text) => rule(text, `${text} `),
  'identifiers/number-doubts.personNumberDoubt': (rule, text) => rule(text, 'SE', DAY),
  'identifiers/number-doubts.organisationNumberDoubt': (rule, text) => rule(text, DAY),
  'agreements/own-company.companySigning': (rule, text) => rule(text, text),
  'identifiers/party-key.partyKey': (rule, text) => rule('person', text),
  'sheets/pasted-cells.parsePastedCells': true,
  'files/pdf-seal.isTestSeal': true,
  'files/pdf-seal.checkSeal': (rule, text) => rule([sealed(text)], 2_000_000),
  'files/pdf-seal.sealKind': true,
  'files/pdf-seal.sealSentence': true,
  'files/file-name.unknownToken': true,
  'batches/total-row.isTotalRow': (rule, text) => rule([text, text]),
  'files/pdf-shape.assertWholePdf': (rule, text) => {
    try {
      return rule(bytes(text), bytes(text), text.length);
    } catch {
      return null;
    }
  },
  'files/pdf-shape.startsWithTable': (rule, text) => rule(bytes(text)),
  'files/pdf-shape.headerOffset': (rule, text) => rule(bytes(text)),
  'files/pdf-shape.lastTableOffset': (rule, text) => rule(bytes(text)),
  'files/pdf-shape.pdfTail': (rule, text) => rule(bytes(text)),
  'files/relative-to.relativeTo': (rule, text) => rule(text, `${text}/a`),
  'files/pdf-shape.truncateAfterEndMarker': (rule, text) => rule(bytes(text)),
  'office/field-path.isInside': (rule, text) => [rule(text, text), rule(`${text}/${text}`, text)],
  'office/field-path.orderPath': true,
  'office/field-path.within': (rule, text) => [rule('', text), rule(text, text)],
  'office/approvals.areSameDocuments': (rule, text) =>
    rule(
      [{ id: text, name: text, bytes: 1, sha256: text }],
      [{ id: text, name: text, bytes: 1, sha256: `${text}!` }],
    ),
  'office/folder-mark.newFolderMark': true,
  'office/folder-mark.readFolderMark': (rule, text) => [
    rule(text),
    rule(JSON.stringify({ note: text, folder: text, number: 1, turn: text, done: {} })),
  ],
  'office/folder-mark.withCompletedWork': (rule, text) =>
    rule({ note: text, folder: text, number: 1, turn: text, done: {} }, text, {
      desk: text,
      seat: text,
      items: text,
      at: 1,
    }),
  'office/merge.fieldOf': (rule, text) =>
    rule({ fields: { [text]: 'one' } }, { [text]: text }, text),
  'office/merge.isSame': (rule, text) => rule({ [text]: text }, { [text]: `${text}!` }),
  'office/merge.merge': (rule, text) => [
    rule({ shape: 'one', base: text, mine: `${text}1`, theirs: `${text}2` }),
    rule({
      shape: { parts: 'id', each: 'one' },
      base: [{ id: text }],
      mine: [...text.slice(0, 2000)].map((letter, at) => ({ id: `${letter}${String(at)}` })),
      theirs: [{ id: text, name: text }],
      open: [text, `${text}/${text}`],
    }),
  ],
  'office/part-order.arrange': (rule, text) => rule([text], [[text], [text, `${text}!`]]),
  'office/part-order.smallerOrder': (rule, text) => rule([text], [`${text}!`]),
  'office/part-order.haveSameOrder': (rule, text) => rule([text], [`${text}!`]),
  'intake/names.isTextSheet': (rule, text) => [rule(text), rule(`${text}.csv`)],
  'office/seen-claim.isSeenClaim': (rule, text) =>
    rule({ id: text, generation: 1 }, [{ id: text, generation: 1 }]),
  'office/service-name.isSameService': (rule, text) => [
    rule(JSON.stringify([`https://${text}`, null]), JSON.stringify([`https://a/${text}`, text])),
    rule(text, `${text}!`),
  ],
  'office/service-name.olderNames': (rule, text) => rule(`https://a.example/${text}`, text),
  'office/service-name.serviceName': (rule, text) => [rule(text), rule(`https://${text}`)],
  'people/table.readPeopleTable': (rule, text) => [
    rule(text, DAY),
    rule(`Name\tE-mail\tMobile\n${[1, 2, 3].map(() => thirdOf(text)).join('\t')}`, DAY),
  ],
  'people/table.splitCells': true,
  'people/table.valuesIn': true,
  'people/table.maskDoubt': (rule, text) => rule(text, { kind: 'person', email: text }),
  'people/table.cellsFor': (rule, text) =>
    rule([text, 'Name'], { kind: 'person', firstName: text, lastName: text }),
  'people/same.keysOf': (rule, text) => rule(longPerson(text)),
  'people/same.isSameParty': (rule, text) => rule(longPerson(text), longPerson(`${text} `)),
  'people/same.haveDifferentFacts': (rule, text) => rule(longPerson(text), longPerson(`${text} `)),
  'people/same.duplicateReasons': (rule, text) => rule(longPerson(text), longPerson(`${text} `)),
  'people/same.changesBetween': (rule, text) => rule(longPerson(text), longPerson(`${text} `)),
  'people/same.withNewValues': (rule, text) => rule(longPerson(text), longPerson(`${text} `)),
  'people/entry.validateEntry': (rule, text) =>
    rule({ ...longPerson(text), name: text }, text, DAY),
  'people/entry.emailOf': true,
  'people/entry.companyNumberOf': (rule, text) => rule(text, 'SE', DAY),
  'people/vcard.vcardOf': (rule, text) => rule('id', longPerson(text)),
  'people/people.titleOfPerson': (rule, text) => rule({ firstName: text, lastName: text }),
  'forms/anchor-fields.fieldsOfAnchors': (rule, text) =>
    rule(
      [text, `${text} `, text].map((label) => ({ by: 'anchor', field: seenField(label) })),
      [{ anchor: text, name: text, kind: 'text', options: [text] }],
    ),
  'forms/carry-places.carryPlaces': (rule, text) =>
    rule(
      [pageOf(text)],
      [pageOf(`${text.slice(1)}!`)],
      [seenField(text), seenField(text)],
      [{ places: [] }],
    ),
  'forms/drawn-format.toDrawnText': (rule, text) => [
    rule({ day: 'dd.MM.yyyy', number: '1 234,50' }, text),
    rule({ number: '1 234,50' }, '1'.repeat(text.length)),
  ],
  'forms/decimals.decimalOf': true,
  'forms/form-format.inFormat': (rule, text) =>
    Object.values(scripted).map((one) => rule(one, text)),
  'forms/form-format.checkProblem': (rule, text) => rule(checked, text),
  'forms/form-format.formatProblem': (rule, text) => rule(scripted.amount, text),
  'forms/form-format.decimalInFormat': (rule, text) => rule(scripted.amount.format, text),
  'forms/drawn-format.dayText': (rule, text) => rule(text, 'dd.MM.yyyy'),
  'forms/find-places.findPlaces': (rule, text) => rule([pageOf(text)]),
  'forms/page-guides.guidesOf': (rule, text) => rule(pageOf(text)),
  'forms/page-lines.linesOf': (rule, text) => rule(pageOf(text).letters),
  'forms/place-labels.labelOf': true,
  'forms/place-labels.bracketed': true,
  'forms/place-labels.textOf': (rule, text) => rule(pageOf(text), 0, text.length),
  'forms/place-words.kindOfLabel': true,
  'identifiers/phone.isE164': true,
  'identifiers/phone.isSpacedMobile': true,
  'identifiers/phone.validateMobile': (rule, text) => [rule(text, 'SE'), rule(`+46${text}`)],
  'identifiers/phone.toE164': (rule, text) => rule(text, 'SE'),
  'identifiers/phone.toSpacedMobile': (rule, text) => rule(text, 'SE'),
  'identifiers/punycode.decodeLabel': (rule, text) => [rule(text), rule(`xn--${text}`)],
  'identifiers/punycode.encodeLabel': true,
  'network/proxies.parseProxy': true,
  'network/proxies.parseProxyList': true,
  'network/proxies.isLoopbackHost': true,
  'network/proxies.isProxyException': (rule, text) => rule(`*${text}`, text, 443),
  'network/system-settings.parseScutilOutput': true,
  'network/system-settings.parseRegistryOutput': true,
  'network/system-settings.routeBySystem': (rule, text) =>
    rule({ proxy: text, exceptions: text }, text, 443),
  'network/system-settings.routeByVariables': (rule, text) =>
    rule({ HTTPS_PROXY: text }, text, 443),
  'network/certificate-name.plainName': true,
  'text/visible.withoutUnsafeCharacters': true,
  'identifiers/service-address.serviceAddress': (rule, text) => [
    rule(text),
    rule(`https://${text}`),
    rule(`https://a.example/${text}`),
  ],
  'actions/recipients.recipientOf': (rule, text) => [rule('SMS', text), rule('EMAIL', text)],
  'text/same-name.isSameName': (rule, text) => rule(text, `${text} `),
  'text/too-long.placeOfLongText': true,
  'forms/signature-text.looksLikePlaceholder': true,
  'forms/signature-text.signatureOf': true,
  'reach/places.recipientAddressesIn': (rule, text) => [
    rule('v1', { [text]: text, parties: [{ email: text, notifications: texts(text) }] }),
    rule('v2', { reminders: [{ emails: [text] }], webhook: { url: `https://${text}` } }),
  ],
  'reach/places.unallowedAddressesIn': (rule, text) =>
    rule(
      [true, false].map((isHost) => ({ at: text, address: text, isHost })),
      ['@example.com', text],
    ),
  'templates/names.replaceNames': (rule, text) => rule(text, String),
  'text/trim-signs.trimCharacters': (rule, text) => rule(text, { first: /[\s.]/, last: /[\s.]/ }),
  'forms/boolean-words.parseBoolean': true,
  'time/wire-time.parseV1Time': true,
  'time/wire-time.parseV2Time': true,
  'time/zones.validateZone': true,
};

/** Rules that are not tested, with the reason. The name of a module covers all of its rules. */
const notAsked: Readonly<Record<string, string>> = {
  ...of('whole drafts, reached by drafts/check.checkDraft', [
    'drafts/parts/blanks',
    'drafts/parts/people',
    'drafts/parts/regional',
    'drafts/parts/strangers',
    'drafts/parts/tags',
    'drafts/parts/times',
    'drafts/v1/check',
    'drafts/v1/access',
    'drafts/v1/attachments',
    'drafts/v1/configurations',
    'drafts/v1/notifications',
    'drafts/v1/party',
    'drafts/v1/signing',
    'drafts/v2/check',
    'drafts/v2/content',
    'drafts/v2/notices',
    'drafts/v2/party',
    'drafts/parts/documents.checkValues',
    'drafts/parts/identifiers.checkPersonNumberV1',
    'drafts/parts/identifiers.checkCompanyNumberV1',
    'drafts/parts/identifiers.checkPersonNoV2',
    'drafts/parts/identifiers.checkOrgNoV2',
    'drafts/parts/links.checkLinksV1',
    'drafts/parts/documents.warnOfSameFiles',
  ]),
  ...of('a row at a time, reached by people/table.readPeopleTable', ['people/table.peopleReader']),
  ...of('copies or compares texts without looking into them', [
    'intake/content.templateContent',
    'intake/refusal.refusalNote',
    'intake/data.intakeDataError',
    'drafts/file.formatDraftFile',
    'drafts/check.titleOf',
    'drafts/check.partyNames',
    'drafts/parts/contacts',
    'reminders/match',
    'drafts/parts/documents.findFile',
    'drafts/parts/documents.isPdf',
    'drafts/convert/to-v1',
    'drafts/convert/to-v2',
    'actions/email-correction',
    'drafts/effective-language',
    'forms/places-in-text',
    'forms/place-labels',
    'evidence/chain',
    'evidence/entry',
    'people/members',
    'people/people',
    'templates/conditions',
    'templates/fields',
    'templates/start',
    'templates/draft',
    'templates/values',
    'text/verdict',
    'agreements/access',
    'agreements/awaited',
    'agreements/own-company.withOwnCompany',
    'evidence/read-elsewhere',
    'agreements/columns',
    'board/plots',
    'drafts/locked',
    'actions/reasons',
    'batches/match',
    'batches/optional',
    'batches/summary',
    'batches/template',
    'text/locales.toIntlLocale',
    'office/database-script',
    'templates/names.replaceNamesInBody',
    'drafts/parts/documents.fieldNamed',
    'drafts/parts/documents.checkFit',
    'forms/field-values.offeredOptionsOf',
    'forms/field-values.toStoredValue',
    'files/file-name.tokensWithOldId',
    'actions/recipients.checkRecipients',
  ]),
  ...of('whole batches: each cell goes through the rules above', [
    'batches/cells',
    'batches/check',
    'batches/compile',
    'batches/fill',
    'batches/places',
    'forms/calculate',
    'batches/kinds.cellKinds',
    'batches/party-columns',
    'batches/mapping-file',
  ]),
  ...of('takes numbers, days or words of this program', [
    'backup/due',
    'forms/decimals.decimalText',
    'forms/decimals.isLess',
    'forms/decimals.scaleUnits',
    'forms/form-format.decimalInScript',
    'forms/page-lines.cellsOf',
    'forms/page-lines.isHorizontal',
    'forms/place-boxes',
    'forms/places-in-cells',
    'forms/turned-places',
    'backup/names.backupName',
    'digest/due',
    'board/stretches',
    'batches/times',
    'drafts/start',
    'drafts/wall-time.timestampAfterDays',
    'reminders/judge',
    'time/days',
    'time/holidays',
    'drafts/parts/order',
    'time/deadlines',
    'sheets/list-separator',
    'drafts/parts/findings.createFindings',
    'files/pdf-shape.pdfShape',
    'files/pdf-seal.sealWord',
    'forms/signature-text.signatureText',
    'text/numbers-in-text.looseNumberPatterns',
    'text/numbers-in-text.numberPatterns',
    'time/wire-time',
    'time/zones.zoneNames',
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

const rules = await exportedRules();

describe('the rules for texts', () => {
  it('are all tested with long texts, or listed with a reason (SEC-H2)', () => {
    const module = (name: string): string => name.split('.')[0] ?? '';
    const forgotten = [...rules.keys()].filter(
      (name) => !(name in asked) && !(name in notAsked) && !(module(name) in notAsked),
    );
    expect(forgotten).toEqual([]);
    const gone = Object.keys(asked).filter((name) => !rules.has(name));
    expect(gone).toEqual([]);
  });

  it.each(Object.entries(asked))(
    '%s take time in proportion to the text, for any content (SEC-H2)',
    (name, how) => {
      const rule = rules.get(name) ?? expect.unreachable();
      const run = (text: string) => (how === true ? rule(text) : how(rule, text));
      expect(slowTexts(run, LENGTH)).toEqual([]);
    },
  );
});
