import { describe, expect, it } from 'vitest';
import { endLines } from '../../../../../renderer/features/drafts/send/ends.ts';
import { formatDate } from '../../../../../renderer/ui/format.ts';
import { m } from '../../../../../renderer/ui/language.svelte.ts';
import { DraftBodyV1, DraftBodyV2 } from '../../../../../shared/contract/drafts.ts';

describe('the end of an agreement in the check before a send', () => {
  it('of v2 is counted from the time of the send, not from the time of the check', () => {
    const parties = { privates: [], companies: [] };
    const body = DraftBodyV2.parse({ name: 'x', type: 'FREE_TEXT', parties, expireIn: 30 });
    const sentAt = Date.UTC(2026, 11, 5, 8);
    const date = formatDate(Date.UTC(2027, 0, 4, 8));
    expect(endLines({ api: 'v2', body }, sentAt)).toEqual([m.draft_send_days({ count: 30, date })]);
  });

  it('of v1 is the chosen time, and a text that is not a day is shown as it is', () => {
    const sentence = (expireOn: string) => {
      const body = DraftBodyV1.parse({ title: 'x', attachments: [], parties: [], expireOn });
      return endLines({ api: 'v1', body }, 0)[0];
    };
    const date = formatDate(new Date('2026-12-05T12:00').getTime());
    expect(sentence('20261205T225900Z')).toBe(m.draft_send_closes({ date, time: '23:59' }));
    expect(sentence('31.02.2027, 23:59')).toBe(
      m.draft_send_closes({ date: '31.02.2027', time: '23:59' }),
    );
  });
});
