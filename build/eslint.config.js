import path from 'node:path';
import regexp from 'eslint-plugin-regexp';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import { fenceRule } from './eslint-fence-rule.js';
import { limits, tables } from './fences.js';

const root = path.resolve(import.meta.dirname, '..');

const ASSERTING = ['shared/wire.ts', 'electron/adapters/rest/http/client.ts'];

const WRITES_HTML = {
  selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)$/]',
  message: 'Text becomes nodes through Svelte, never through HTML strings.',
};
const SPREADS_LITERAL = {
  selector: 'SpreadElement > ObjectExpression',
  message: 'Write its properties out: in a spread literal the compiler takes a key nobody knows.',
};
const EXPORTS_DEFAULT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name: one thing has one name everywhere.',
};
/** Names such as SHA-256 are the same in every language. */
const HAS_OWN_WORDS = {
  selector: 'SvelteElement > SvelteText[value=/\\p{Ll}{2}/u]',
  message: 'Every sentence a person reads comes from renderer/messages.',
};
const LABELS_ITSELF = {
  selector:
    'SvelteAttribute[key.name=/^(title|alt|placeholder|aria-label|aria-description)$/] > SvelteLiteral[value=/\\p{Ll}{2}/u]',
  message: 'Every sentence a person reads comes from renderer/messages.',
};
/** Items 2, 3, 4, 6, 8, 9, 10 and 11 of Electron's security checklist. */
const WEAKENS_ELECTRON = [
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
const ENABLES_BLINK = {
  selector: 'Property[key.name="enableBlinkFeatures"]',
  message: 'No experimental browser features.',
};
const SENDS_FROM_MAIN = { name: 'fetch', message: 'Requests go through electron/adapters/rest.' };
const RETRIES_ALONE = {
  name: 'undici',
  importNames: ['RetryAgent', 'RetryHandler', 'interceptors', 'fetch'],
  message: 'The transport decides what may be repeated; undici repeats what must go out once.',
};

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'renderer/generated/', 'node_modules/'] },
  tseslint.configs.base,
  ...svelte.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte'],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: root,
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { desk: { rules: { fence: fenceRule } }, regexp },
    rules: {
      'desk/fence': 'error',
      // What other people wrote can be long: an expression takes time in proportion to it.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignoreSticky: false, ignorePartial: false },
      ],
      // Stores are not used, and looking for them costs seconds.
      'svelte/require-store-reactive-access': 'off',
      // Maps and sets of state are replaced whole, as lists are.
      'svelte/prefer-svelte-reactivity': 'off',
      eqeqeq: 'error',
      'no-empty': 'error',
      'no-eval': 'error',
      'no-new-func': 'error',
      'no-script-url': 'error',
      'no-var': 'error',
      'no-warning-comments': 'error',
      'prefer-const': 'error',
      'no-restricted-imports': ['error', { paths: [RETRIES_ALONE] }],
      'no-restricted-syntax': ['error', WRITES_HTML, SPREADS_LITERAL, EXPORTS_DEFAULT],
      'max-lines': ['error', limits['.ts']],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-implied-eval': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/prefer-promise-reject-errors': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    files: ['shared/**/*.ts', 'electron/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'error',
      '@typescript-eslint/no-unsafe-assignment': 'error',
      '@typescript-eslint/no-unsafe-call': 'error',
      '@typescript-eslint/no-unsafe-member-access': 'error',
      '@typescript-eslint/no-unsafe-return': 'error',
    },
  },
  {
    files: ['electron/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', SENDS_FROM_MAIN],
      'no-restricted-syntax': [
        'error',
        WRITES_HTML,
        SPREADS_LITERAL,
        EXPORTS_DEFAULT,
        ENABLES_BLINK,
        ...WEAKENS_ELECTRON,
      ],
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      'max-lines': ['error', limits['.svelte']],
      'no-restricted-syntax': ['error', WRITES_HTML, SPREADS_LITERAL, HAS_OWN_WORDS, LABELS_ITSELF],
      'prefer-const': 'off',
      // One destructured prop that is assigned to makes the others `let` too.
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
    },
  },
  { files: tables, rules: { 'max-lines': 'off' } },
  {
    files: ASSERTING,
    rules: { '@typescript-eslint/consistent-type-assertions': 'off' },
  },
  {
    files: ['build/*.config.ts'],
    rules: { 'no-restricted-syntax': ['error', WRITES_HTML, SPREADS_LITERAL] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      'max-lines-per-function': 'off',
      // Refused addresses are written out in tests.
      'no-script-url': 'off',
      '@typescript-eslint/consistent-type-assertions': 'off',
    },
  },
);
