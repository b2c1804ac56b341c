import type { FieldSource, TemplateContent } from '../../../../shared/model/template.ts';
import { partyLetter } from './roles.ts';

/** Letter and colour of a field, on the page and in the list. */
export interface SourceMark {
  /** Letter of the party; `?` for a question, `•` for another source, empty if undecided. */
  readonly letter: string;
  /** Class with the party's colour; grey if no party fills the field. */
  readonly colour: string;
}

const GREY = 'party-7';

export function markOf(
  source: FieldSource | undefined,
  { body: { roles } }: Pick<TemplateContent, 'body'>,
): SourceMark {
  if (source === undefined) return { letter: '', colour: GREY };
  if (!('role' in source)) {
    return { letter: source.from === 'question' ? '?' : '•', colour: GREY };
  }
  const place = roles.findIndex(({ id }) => id === source.role);
  return place < 0 ? { letter: '•', colour: GREY } : partyMark(place);
}

export const partyMark = (place: number): SourceMark => ({
  letter: partyLetter(place),
  colour: `party-${place % 8}`,
});
