import { AppError } from '../../../shared/errors.ts';
import type { PackedDraft } from '../../../shared/rules/drafts/file.ts';
import { placeOfControlCharacters } from '../../../shared/rules/text/strange-text.ts';
import { placeOfLongText } from '../../../shared/rules/text/too-long.ts';

/*
 * A draft file may come from anyone. Its texts may be no longer than a person writes or a field
 * takes, and may contain no hidden characters, as for texts of a link.
 */

/** Maximum number of characters of all texts together. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Throws 'invalid' with 'not-a-draft' for a draft with implausible texts. */
export function rejectForeignText({ content, files }: PackedDraft): void {
  rejectLongText(content);
  let all = 0;
  const look = (value: unknown, at: string): void => {
    if (typeof value === 'string') {
      all += value.length;
      if (all > MAX_CHARACTERS) throw foreignDraftError(`The text at ${at} is too long`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) look(inner, `${at}.${name}`);
    }
  };
  look(content.body, 'body');
  for (const [place, { name }] of files.entries()) look(name, `files.${String(place)}.name`);
  const names = files.map(({ name }) => ({ name }));
  const strange = placeOfControlCharacters({ body: content.body, files: names });
  if (strange !== null) throw foreignDraftError(`The text at ${strange} has invisible characters`);
}

/**
 * Throws 'invalid' with 'not-a-draft' for a draft with a text too long for any API, which would
 * slow down every list.
 */
export function rejectLongText(content: PackedDraft['content']): void {
  const place = placeOfLongText(content);
  if (place !== null) throw foreignDraftError(`The text at ${place} is too long`);
}

const foreignDraftError = (message: string): AppError =>
  new AppError('invalid', message, { reason: 'not-a-draft' });
