import type { DraftContent } from '../../../../shared/contract/drafts.ts';
import { type DraftProblem, sectionOf } from '../editor/problems.svelte.ts';
import { problemText } from '../problem-words.ts';
import { sectionTitles } from '../words.ts';
import { partyPreviews } from './previews.ts';

const PARTY_FIELD = /^parties\.(?:(privates|companies)\.)?(\d+)(?:\.|$)/;

/** Index of the party with this field, in the order of `partyNames`; null for other fields. */
function partyIndexOf(field: string, content: DraftContent): number | null {
  const [, list, digits] = PARTY_FIELD.exec(field) ?? [];
  if (digits === undefined) return null;
  const isAfterPersons = content.api === 'v2' && list === 'companies';
  return Number(digits) + (isAfterPersons ? content.body.parties.privates.length : 0);
}

/** Warnings in the check before a send, each with the name of its party or its section. */
export function warningLines(
  content: DraftContent,
  problems: readonly DraftProblem[],
): readonly string[] {
  const parties = partyPreviews(content);
  return problems
    .filter(({ level }) => level === 'warning')
    .map((problem) => {
      const index = partyIndexOf(problem.field, content);
      const section = sectionOf(problem.field);
      const title = section === null ? null : sectionTitles[section]();
      const place = (index === null ? null : parties[index]?.name) ?? title;
      const text = problemText(problem);
      return place === null ? text : `${place}: ${text}`;
    });
}
