/** JSON reply with one fault, and the name of the fault. */
export interface Mutation {
  readonly name: string;
  readonly text: string;
}

type Path = readonly (string | number)[];
type Edit = (owner: Record<string | number, unknown>, key: string | number) => void;

const HUGE = 200_000;
const DEPTH = 20_000;

const put =
  (value: unknown): Edit =>
  (owner, key) => {
    owner[key] = value;
  };

/** Changes of one value of the reply, by name. */
const edits: Readonly<Record<string, Edit>> = {
  'an unknown word': put('SOMETHING_NEW'),
  'lower case': (owner, key) => {
    owner[key] = String(owner[key]).toLowerCase();
  },
  null: put(null),
  nothing: (owner, key) => {
    Reflect.deleteProperty(owner, key);
  },
  'an empty text': put(''),
  'a number': put(7),
  'a truth value': put(true),
  'a list': put([]),
  'an object': put({ value: 'SIGNED_BY_ALL' }),
  'a huge text': put('å'.repeat(HUGE)),
  'a text with control characters': put('\u0000\u202e\ud800</script>'),
};

/** Changes of the raw text of the reply, by name. */
const textual: Readonly<Record<string, (text: string) => string>> = {
  'a byte order mark': (text) => `\ufeff${text}`,
  __proto__: (text) => text.replaceAll('{', '{"__proto__":{"polluted":"yes","state":"REVOKED"},'),
  'constructor and prototype': (text) =>
    text.replaceAll('{', '{"constructor":{"prototype":{"polluted":"yes"}},'),
  'unknown fields everywhere': (text) => text.replaceAll('{', '{"brandNew":{"a":[1,"b",null]},'),
  'duplicate keys': (text) => text.replaceAll(/"(state|status)":"[A-Z_]+"/g, '"$1":"REVOKED",$&'),
  'integers of 64 bits': (text) => text.replaceAll(/:\d+\b/g, ':9223372036854775807'),
  'numbers that are too large': (text) => text.replaceAll(/:\d+\b/g, ':1e999'),
  fractions: (text) => text.replaceAll(/:\d+\b/g, ':1.5'),
  'negative numbers': (text) => text.replaceAll(/:\d+\b/g, ':-1'),
  'a huge unknown field': (text) => text.replace('{', `{"brandNew":"${'x'.repeat(HUGE)}",`),
  'a field nested too deeply': (text) =>
    text.replaceAll(
      /\{(?="(?:id|referenceNumber)")/g,
      `{"deep":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},`,
    ),
  'only its first half': (text) => text.slice(0, text.length / 2),
  'its text twice': (text) => text + text,
  'a trailing comma': (text) => `${text.slice(0, -1)},}`,
  'a comment': (text) => `/* */${text}`,
  'an undefined value': (text) => text.replace(/:"/, ':undefined,"x":"'),
  NaN: (text) => text.replaceAll(/:\d+\b/g, ':NaN'),
  'an empty object': () => '{}',
  'an empty list': () => '[]',
  'only null': () => 'null',
  'a bare text': () => '"SIGNED_BY_ALL"',
  'no text': () => '',
};

/** Returns the reply with each edit at each of these paths, then with each textual change. */
export function mutationsOf(reply: object, places: readonly Path[]): Mutation[] {
  const edited = places.flatMap((path) =>
    Object.entries(edits).map(([what, edit]) => ({
      name: `${path.join('.')}: ${what}`,
      text: JSON.stringify(editAt(structuredClone(reply), path, edit)),
    })),
  );
  const text = JSON.stringify(reply);
  const rewritten = Object.entries(textual).map(([name, change]) => ({ name, text: change(text) }));
  return [...edited, ...rewritten];
}

function editAt(reply: object, path: Path, edit: Edit): object {
  let owner = recordOf(reply);
  for (const part of path.slice(0, -1)) owner = recordOf(owner[part]);
  const key = path.at(-1);
  if (key === undefined || !(key in owner)) throw new Error(`No ${path.join('.')} in the reply`);
  edit(owner, key);
  return reply;
}

function recordOf(value: unknown): Record<string | number, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('Not an object');
  return value as Record<string | number, unknown>;
}
