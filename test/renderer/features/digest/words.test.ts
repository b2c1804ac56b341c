import { describe, expect, it } from 'vitest';
import type { Digest } from '../../../../shared/contract/digest.ts';
import { AgreementId, ConnectionId } from '../../../../shared/model/ids.ts';
import { headingOf, mailLines, summaryOf } from '../../../../renderer/features/digest/words.ts';
import { capitalized } from '../../../../renderer/ui/format.ts';

const entry: Digest['entries'][number] = {
  connectionId: ConnectionId.parse('c0000000-0000-4000-8000-000000000001'),
  id: AgreementId.parse('a'),
  kind: 'bounced',
  title: 'Lease',
  parties: ['Åsa Öberg'],
  at: null,
  reason: null,
};
const digest: Digest = {
  since: Date.UTC(2026, 10, 24, 8),
  until: Date.UTC(2026, 10, 25, 8),
  counts: { signed: 2, rejected: 0, expired: 0, revoked: 0, bounced: 1, expiring: 0 },
  entries: [entry],
  decisions: 3,
  troubles: [],
};

describe('the text of the daily summary', () => {
  it('is lower case within a sentence, and capitalised as a heading', () => {
    expect(summaryOf(digest)).toBe('signed: 2, messages returned: 1, need your decision: 3');
    expect(mailLines(digest).filter((line) => /^\p{Lu}.*: \d$/u.test(line))).toEqual([
      'Signed: 2',
      'Messages returned: 1',
      'Need your decision: 3',
    ]);
    expect(mailLines(digest)).toContain('- Lease (Åsa Öberg)');
  });

  it('has a heading with a capital letter in every language', () => {
    expect(headingOf('revoked', 1)).toBe('Revoked: 1');
    expect(['återkallade: 1', 'łącznie', ''].map((text) => capitalized(text))).toEqual([
      'Återkallade: 1',
      'Łącznie',
      '',
    ]);
  });
});
