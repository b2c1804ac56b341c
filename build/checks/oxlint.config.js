import path from 'node:path';
import svelte from 'eslint-plugin-svelte';
import { limits, tables } from './fences.js';
import {
  asserting,
  ENABLES_BLINK,
  EXPORTS_DEFAULT,
  plainRules,
  prefixed,
  SENDS_FROM_MAIN,
  SPREADS_LITERAL,
  typedRules,
  typescriptRules,
  unsafeRules,
  unusedRule,
  unusedSvelteRules,
  WEAKENS_ELECTRON,
  WRITES_HTML,
} from './lint-rules.js';

const root = path.resolve(import.meta.dirname, '../..');
/**
 * Makes patterns absolute. Otherwise the patterns of an override would be relative to this folder,
 * unless they have no slash.
 */
const within = (...patterns) => patterns.map((pattern) => path.posix.join(root, pattern));

/**
 * Rules of `eslint-plugin-svelte` that apply to modules; its other two rules control ESLint itself.
 */
const svelteRules = Object.fromEntries(
  svelte.configs.recommended
    .flatMap(({ rules }) => Object.entries(rules ?? {}))
    .filter(([name]) => name.startsWith('svelte/'))
    .filter(([name]) => !['svelte/comment-directive', 'svelte/system'].includes(name)),
);

export default {
  categories: { correctness: 'off' },
  plugins: ['eslint', 'typescript'],
  jsPlugins: ['./lint-rules.js', 'eslint-plugin-regexp', 'eslint-plugin-svelte'],
  rules: {
    ...plainRules,
    ...prefixed('typescript', typescriptRules),
    ...prefixed('typescript', typedRules),
    ...svelteRules,
    ...unusedSvelteRules,
    'no-unused-vars': unusedRule,
    'prefer-const': 'error',
    'max-lines': ['error', limits['.ts']],
    'desk/no-restricted-syntax': ['error', WRITES_HTML, SPREADS_LITERAL, EXPORTS_DEFAULT],
  },
  overrides: [
    {
      files: within('shared/**/*.ts', 'electron/**/*.ts'),
      rules: prefixed('typescript', unsafeRules),
    },
    {
      files: within('electron/**/*.ts'),
      rules: {
        'no-restricted-globals': ['error', SENDS_FROM_MAIN],
        'desk/no-restricted-syntax': [
          'error',
          WRITES_HTML,
          SPREADS_LITERAL,
          EXPORTS_DEFAULT,
          ENABLES_BLINK,
          ...WEAKENS_ELECTRON,
        ],
      },
    },
    { files: within(...tables), rules: { 'max-lines': 'off' } },
    {
      files: within(...asserting),
      rules: { 'typescript/consistent-type-assertions': 'off' },
    },
    {
      // Files that a tool reads by name need a default export.
      files: ['*.config.{js,ts}', 'lint-rules.js'],
      rules: { 'desk/no-restricted-syntax': ['error', WRITES_HTML, SPREADS_LITERAL] },
    },
    {
      files: within('test/**/*.ts'),
      rules: {
        'max-lines-per-function': 'off',
        // Tests contain rejected addresses literally.
        'no-script-url': 'off',
        'typescript/consistent-type-assertions': 'off',
      },
    },
  ],
};
