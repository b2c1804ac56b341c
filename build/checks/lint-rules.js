import { builtinRules } from 'eslint/use-at-your-own-risk';
import { fenceRule } from './eslint-fence-rule.js';

export const WRITES_HTML = {
  selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
  message: 'Text becomes nodes through Svelte, never through HTML strings.',
};
export const SPREADS_LITERAL = {
  selector:
    'SpreadElement > ObjectExpression, SpreadElement > :matches(TSAsExpression, TSSatisfiesExpression) > ObjectExpression',
  message: 'Write its properties out: in a spread literal the compiler takes a key nobody knows.',
};
export const EXPORTS_DEFAULT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: one thing has one name everywhere.',
};
/**
 * Rejects words that a component contains itself. Names such as SHA-256, which are the same in
 * every language, are allowed.
 */
export const HAS_OWN_WORDS = {
  selector: 'SvelteElement > SvelteText[value=/\\p{Ll}{2}/u]',
  message: 'Every sentence a person reads comes from renderer/messages.',
};
export const LABELS_ITSELF = {
  selector:
    'SvelteAttribute[key.name=/^(title|alt|placeholder|aria-label|aria-description)$/] > SvelteLiteral[value=/\\p{Ll}{2}/u]',
  message: 'Every sentence a person reads comes from renderer/messages.',
};
/** Settings that weaken Electron: items 2, 3, 4, 6, 8, 9, 10 and 11 of its security checklist. */
export const WEAKENS_ELECTRON = [
  ['nodeIntegration', true],
  ['nodeIntegrationInWorker', true],
  ['nodeIntegrationInSubFrames', true],
  ['contextIsolation', false],
  ['sandbox', false],
  ['webSecurity', false],
  ['allowRunningInsecureContent', true],
  ['experimentalFeatures', true],
  ['webviewTag', true],
].map(([name, value]) => ({
  selector: `Property[key.name="${name}"][value.value=${value}]`,
  message: `${name}: ${value} opens the window's sandbox.`,
}));
export const ENABLES_BLINK = {
  selector: 'Property[key.name="enableBlinkFeatures"]',
  message: 'No experimental browser features.',
};
export const SENDS_FROM_MAIN = {
  name: 'fetch',
  message: 'Requests go through electron/adapters/rest.',
};
const AUTOMATIC_RETRIES = {
  name: 'undici',
  importNames: ['RetryAgent', 'RetryHandler', 'interceptors', 'fetch'],
  message: 'The transport decides what may be repeated; undici repeats what must go out once.',
};

/** Plugin with this repository's rules, and the one rule of ESLint that oxlint lacks. */
export default {
  meta: { name: 'desk' },
  rules: { fence: fenceRule, 'no-restricted-syntax': builtinRules.get('no-restricted-syntax') },
};

/** Files that may assert types, because they receive values from outside the program. */
export const asserting = [
  'shared/wire.ts',
  'electron/adapters/rest/http/client.ts',
  'electron/adapters/threads/calls.ts',
  'electron/adapters/threads/connect.ts',
];

/** Rules for `.ts` and `.svelte` alike that need no types. */
export const plainRules = {
  'desk/fence': 'error',
  // Foreign texts can be long: an expression must run in time proportional to the text.
  'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
  'regexp/no-super-linear-move': [
    'error',
    { report: 'potential', ignoreSticky: false, ignorePartial: false },
  ],
  eqeqeq: 'error',
  'no-empty': 'error',
  'no-eval': 'error',
  'no-new-func': 'error',
  'no-script-url': 'error',
  'no-var': 'error',
  'no-warning-comments': 'error',
  'no-restricted-imports': ['error', { paths: [AUTOMATIC_RETRIES] }],
  'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
};

/** Rules that typescript-eslint names `@typescript-eslint/…` and oxlint `typescript/…`. */
export const typescriptRules = {
  'consistent-type-assertions': ['error', { assertionStyle: 'never' }],
  'no-explicit-any': 'error',
  'no-non-null-assertion': 'error',
};

/**
 * Settings of the rule that is named `@typescript-eslint/no-unused-vars` in ESLint, and
 * `no-unused-vars` in oxlint.
 */
export const unusedRule = [
  'error',
  { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
];

/** Rules that need types from the compiler, for `.ts` and `.svelte` alike. */
export const typedRules = {
  'await-thenable': 'error',
  'no-floating-promises': 'error',
  'no-implied-eval': 'error',
  'no-misused-promises': 'error',
  'only-throw-error': 'error',
  'prefer-promise-reject-errors': 'error',
  'switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

/** Rules that need types from the compiler, for code that handles foreign data. */
export const unsafeRules = {
  'no-unsafe-argument': 'error',
  'no-unsafe-assignment': 'error',
  'no-unsafe-call': 'error',
  'no-unsafe-member-access': 'error',
  'no-unsafe-return': 'error',
};

/** Rules recommended for Svelte that this repository turns off. */
export const unusedSvelteRules = {
  // Stores are not used, and searching for them takes seconds.
  'svelte/require-store-reactive-access': 'off',
  // Maps and sets in state are replaced as a whole, as lists are.
  'svelte/prefer-svelte-reactivity': 'off',
};

export function prefixed(prefix, rules) {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [`${prefix}/${name}`, rule]),
  );
}
