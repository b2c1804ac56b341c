import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  parseReply,
  parseRetryAfter,
} from '../../../../electron/adapters/rest/http/json-answer.ts';
import { DAY } from '../../../../shared/rules/time/units.ts';
import { failureOf } from '../desk.ts';

const NOW = Date.UTC(2026, 10, 29);
const List = z.object({ data: z.array(z.object({ id: z.string() })) });
const read = (data: unknown) =>
  parseReply('list', List, 'application/json', JSON.stringify({ data }));

describe('an answer of a service', () => {
  it.each([
    { what: 'a list of a million numbers', data: Array(1_000_000).fill(0) },
    { what: 'lists within lists', data: Array(1000).fill(Array(1000).fill([0])) },
    { what: 'an object of many keys', data: Object.fromEntries(Array(600_000).fill(0).entries()) },
  ])('that is $what is rejected without an error for each entry (SR-P4)', async ({ data }) => {
    expect(await failureOf(Promise.resolve().then(() => read(data)))).toMatchObject({
      code: 'service',
      reason: 'too-large',
    });
  });

  it('with a hundred agreements of a thousand values each is read', () => {
    const one = { id: 'a', fields: Array(1000).fill('x') };
    expect(read(Array(100).fill(one)).data).toHaveLength(100);
  });

  it.each(['9'.repeat(400), '9'.repeat(30), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    'that requires an endless wait, by %s, leads to a wait of at most a year (SR-P1)',
    (text) => {
      const at = parseRetryAfter(text, NOW);
      expect(at).toBeGreaterThan(NOW);
      expect(at).toBeLessThanOrEqual(NOW + 365 * DAY);
    },
  );
});
