import { expect, it } from 'vitest';
import { problemText } from '../../../../renderer/features/drafts/problem-words.ts';
import { m } from '../../../../renderer/ui/language.svelte.ts';

const textAt = (field: string) =>
  problemText({ field, code: 'content-mismatch', level: 'error', message: '' });

it('the text of a content mismatch in a draft names the rule of the mismatched field', () => {
  expect(textAt('parties.0.notifications.0.recipients')).toBe(m.problem_one_medium());
  expect(textAt('attachments.0.category')).toBe(m.problem_only_pdf());
  expect(textAt('attachments')).toBe(m.problem_content_mismatch());
});
