import { describe, expect, it } from 'vitest';
import { rowProblemText } from '../../../../renderer/features/batches/words.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';
import { refusedFields, whyText } from '../../../../renderer/features/outbox/words.ts';
import { notesOf } from '../../../../renderer/features/drafts/problem-words.ts';
import type { Failure } from '../../../../shared/errors.ts';

const failure = (more: Partial<Failure>): Failure => ({
  code: 'invalid',
  message: 'v1.agreements.create: HTTP 422: blocked by policy',
  ...more,
});

describe('the reason that the outbox shows for a held send', () => {
  it('quotes the service’s refusal, with the fields it named (SC-10)', () => {
    const refused = failure({
      said: 'blocked by policy',
      fields: { 'parties.0.email': 'Not an address' },
    });
    expect(whyText('rejected', refused)).toBe(
      'The service refused the request: “blocked by policy”',
    );
    expect(refusedFields(refused)).toEqual([{ field: 'parties 1 email', said: 'Not an address' }]);
  });

  it('states that the service refused without a reason, and never shows the request (SC-10)', () => {
    expect(whyText('rejected', failure({}))).toBe(m.refused_by_service());
  });

  it('keeps the last error of a send with an unknown outcome (FE-D4)', () => {
    const unknown = failure({ code: 'service', reason: 'outcome-unknown', said: 'Later' });
    expect(whyText('unknown', unknown)).toContain('“Later”');
  });
});

it('a field named by the service shows its words as a warning, and blocks no send (SC-10)', () => {
  const message = 'No such mailbox';
  const problem = { field: 'parties.0.email', code: 'refused', message, level: 'warning' } as const;
  const warning = 'The service refused the request: “No such mailbox”';
  expect(notesOf(problem)).toEqual({ problem: null, warning });
});

it('a refused row of a batch shows the service’s own reason (SC-10)', () => {
  const problem = { column: null, code: 'refused', detail: 'blocked by policy' } as const;
  const about = { field: '', message: '', isError: true, repairs: [] };
  const text = rowProblemText({ ...problem, ...about }, []);
  expect(text).toBe('The service refused the request: “blocked by policy”');
});
