import { describe, expect, it } from 'vitest';
import { connectionEvidence, personEvidence } from '../../../electron/core/evidence/about.ts';
import {
  type EvidenceOutcome,
  outcomeOfAction,
  outcomeOfSignature,
  isRecorded,
} from '../../../electron/core/evidence/endings.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { Identity } from '../../../shared/contract/signing.ts';
import { ConnectionId, IdentityId } from '../../../shared/model/ids.ts';
import { reviewed } from '../../support/evidence-facts.ts';

const why = { code: 'service', message: 'Out of order' } as const;
const ended = (
  outcome: EvidenceOutcome['outcome'],
  known: EvidenceOutcome['known'],
  failure: string | null = null,
) => ({
  outcome,
  known,
  failure,
});

type Signature = Parameters<typeof outcomeOfSignature>[0]['state'];
type Action = Parameters<typeof outcomeOfAction>[0]['state'];

describe('the evidence of how a signature ended', () => {
  it.each<[Signature, string | undefined, EvidenceOutcome | null]>([
    ['queued', 'answer', null],
    ['sending', 'answer', null],
    ['sent', 'answer', ended('done', 'answer')],
    ['sent', 'found', ended('done', 'read')],
    ['duplicate', undefined, ended('done', 'read')],
    ['rejected', 'answer', ended('refused', 'answer', 'Out of order')],
    ['unknown', 'answer', ended('unknown', 'program', 'Out of order')],
    ['absent', 'answer', ended('unknown', 'program', 'Out of order')],
    ['human', 'answer', ended('unknown', 'program', 'Out of order')],
    ['abandoned', 'answer', ended('unknown', 'person', 'Out of order')],
    ['cancelled', 'answer', ended('not-done', 'program', 'Out of order')],
  ])('records the outbox state %s, by %s, as %j', (state, cause, ending) => {
    expect(outcomeOfSignature({ state, reason: why }, cause)).toEqual(ending);
  });

  it('has no reason if the outbox gave none', () => {
    expect(outcomeOfSignature({ state: 'rejected', reason: null }, 'answer')).toEqual(
      ended('refused', 'answer'),
    );
  });
});

describe('the evidence of how a rejection ended', () => {
  it.each<[Action, string, EvidenceOutcome | null]>([
    ['queued', 'answer', null],
    ['sending', 'answer', null],
    ['done', 'answer', ended('done', 'answer')],
    ['done', 'found', ended('done', 'read')],
    ['done', 'already', ended('refused', 'answer')],
    ['refused', 'answer', ended('refused', 'answer', 'Out of order')],
    ['refused', 'found', ended('not-done', 'program', 'Out of order')],
    ['unknown', 'answer', ended('unknown', 'program', 'Out of order')],
  ])('records the action state %s, by %s, as %j', (state, cause, ending) => {
    expect(outcomeOfAction({ state, failure: why }, cause)).toEqual(ending);
  });

  it('has no reason if the action gave none', () => {
    expect(outcomeOfAction({ state: 'unknown', failure: null }, 'answer')).toEqual(
      ended('unknown', 'program'),
    );
  });
});

describe('a recorded ending', () => {
  const entry = (ending: EvidenceOutcome) => ({
    ...reviewed('7'),
    number: 1,
    at: 1,
    by: { user: 'maria', computer: 'desk', person: null },
    program: 'Signing Desk 1.0.0',
    fact: { kind: 'ended', act: 'sign', intent: 1, state: null, ...ending } as const,
    previous: '',
    hash: '',
  });
  const unknown = ended('unknown', 'program');
  const done = ended('done', 'read');

  it('is not written again while the outcome is unchanged', () => {
    expect(isRecorded([], done)).toBe(false);
    expect(isRecorded([entry(done)], done)).toBe(true);
    expect(isRecorded([entry(unknown), entry(done)], done)).toBe(true);
    expect(isRecorded([entry(done), entry(unknown)], done)).toBe(false);
    expect(isRecorded([entry(done)], ended('done', 'answer'))).toBe(false);
    expect(isRecorded([entry(done)], ended('refused', 'read'))).toBe(false);
    const asked = { ...entry(done), fact: reviewed('7').fact };
    expect(isRecorded([asked], done)).toBe(false);
    expect(isRecorded([entry(done), asked], done)).toBe(true);
  });
});

describe('the details in an entry', () => {
  const connection = (url: string): Connection => ({
    id: ConnectionId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a001'),
    name: 'Office',
    api: 'v1',
    url,
    environment: 'production',
    accountId: '1001',
    orgNo: '5560360793',
    allowed: null,
    createdAt: 1,
  });

  it.each([
    ['https://service.example/path/secret?token=1', 'https://service.example'],
    ['https://service.example:8443#secret', 'https://service.example:8443'],
    ['HTTPS://service.example', 'HTTPS://service.example'],
    ['demo:v1', 'demo:v1'],
    ['service.example/secret', 'service.example'],
    ['/secret', ''],
  ])('for a service at %s contain %s only', (url, origin) => {
    expect(connectionEvidence(connection(url))).toEqual({
      id: '6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a001',
      name: 'Office',
      api: 'v1',
      environment: 'production',
      origin,
    });
  });

  it('for a person contain the full name, role and address, and the masked number', () => {
    const id = IdentityId.parse('6f0c1c9e-9b1c-4c50-8ff2-0f5be6f0a002');
    const maria: Identity = {
      id,
      name: 'Maria',
      firstName: 'Maria',
      lastName: 'Öberg',
      role: 'CEO',
      personNumberMasked: '19800101-****',
      email: 'maria@example.com',
      company: 'Berg AB',
      country: 'SE',
      orgNo: '5560360793',
      mobile: '+46701740000',
    };
    expect(personEvidence(maria)).toEqual({
      id,
      name: 'Maria Öberg',
      role: 'CEO',
      personNumberMasked: '19800101-****',
      email: 'maria@example.com',
    });
  });
});
