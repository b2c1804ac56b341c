import { json, type Answer, type Exchange } from '../server/http.ts';
import type { Path, Problem, ProblemKind, Refusal } from '../server/refusal.ts';

type BilingualSentence = Readonly<Record<'en' | 'sv', string>>;

const bodySentences: Readonly<Record<number, BilingualSentence>> = {
  400: { en: 'The request could not be used.', sv: 'Begäran kunde inte användas.' },
  401: { en: 'Access denied.', sv: 'Åtkomst nekad.' },
  403: { en: 'This is not allowed.', sv: 'Det här är inte tillåtet.' },
  404: { en: 'Nothing was found.', sv: 'Ingenting hittades.' },
  405: { en: 'This is not offered.', sv: 'Det här erbjuds inte.' },
  500: { en: 'The file is gone.', sv: 'Filen finns inte längre.' },
};

const fieldSentences: Readonly<Record<ProblemKind, BilingualSentence>> = {
  type: { en: 'The value has the wrong type.', sv: 'Värdet har fel typ.' },
  'unknown-field': { en: 'The field is unknown.', sv: 'Fältet är okänt.' },
  required: { en: 'The field is required.', sv: 'Fältet måste fyllas i.' },
  format: { en: 'The value is not well formed.', sv: 'Värdet har fel format.' },
  choice: { en: 'The value is not one of the choices.', sv: 'Värdet finns inte bland valen.' },
  length: { en: 'The text is too long.', sv: 'Texten är för lång.' },
  range: { en: 'The value is out of range.', sv: 'Värdet ligger utanför gränserna.' },
  'not-applicable': { en: 'The field does not apply here.', sv: 'Fältet gäller inte här.' },
  conflict: { en: 'The fields contradict each other.', sv: 'Fälten motsäger varandra.' },
  'unknown-id': { en: 'There is no such thing.', sv: 'Det finns inget sådant.' },
  size: { en: 'The files are too large.', sv: 'Filerna är för stora.' },
  content: { en: 'The content cannot be read.', sv: 'Innehållet kan inte läsas.' },
};

const fieldKinds = Object.keys(fieldSentences);
const FIRST_FIELD_CODE = 40_010;

/** Returns an error response of v2; messages for people are in the language of Accept-Language. */
export function explainLegacy(refusal: Refusal, exchange: Exchange): Answer {
  const language = languageOf(exchange);
  const sentence = bodySentences[refusal.status] ?? bodySentences[400];
  const body = {
    code: codeOf(refusal.status * 100),
    message: sentence?.[language] ?? refusal.message,
    developerMessage: refusal.message,
    fieldErrors: refusal.problems.map((problem) => explainField(problem, language)),
  };
  return json(body, refusal);
}

function explainField(problem: Problem, language: 'en' | 'sv') {
  return {
    code: codeOf(FIRST_FIELD_CODE + fieldKinds.indexOf(problem.kind)),
    field: fieldName(problem.path),
    message: fieldSentences[problem.kind][language],
    developerMessage: problem.detail,
  };
}

/** Returns the language of the messages; `en` is the default. */
function languageOf({ headers }: Exchange): 'en' | 'sv' {
  return /^\s*sv\b/i.test(headers['accept-language'] ?? '') ? 'sv' : 'en';
}

/** Formats an error code: prefix, hyphen, five digits. */
function codeOf(number: number): string {
  return `AGR-${String(number).padStart(5, '0')}`;
}

/** Returns the name of a field, for example `parties.privates[0].email`. */
function fieldName(path: Path): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${String(part)}]` : `.${part}`));
  return text.join('').replace(/^\./, '');
}
