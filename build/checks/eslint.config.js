import path from 'node:path';
import regexp from 'eslint-plugin-regexp';
import svelte from 'eslint-plugin-svelte';
import tseslint from 'typescript-eslint';
import { limits } from './fences.js';
import desk, {
  HAS_OWN_WORDS,
  LABELS_ITSELF,
  plainRules,
  prefixed,
  SPREADS_LITERAL,
  typedRules,
  typescriptRules,
  unusedRule,
  unusedSvelteRules,
  WRITES_HTML,
} from './lint-rules.js';

/**
 * Rules for components. Oxlint checks the modules, but reads no templates and has no types for
 * components.
 */
export default tseslint.config(
  { ignores: ['dist/', 'out/', 'renderer/generated/', 'node_modules/'] },
  tseslint.configs.base,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte'],
    languageOptions: {
      parserOptions: {
        // The compiler makes one program for all components: see build/decisions/lint-tools.md.
        project: ['build/tsconfig.renderer.json'],
        tsconfigRootDir: path.resolve(import.meta.dirname, '../..'),
        extraFileExtensions: ['.svelte'],
        parser: tseslint.parser,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { desk, regexp },
    rules: {
      ...plainRules,
      ...prefixed('@typescript-eslint', typescriptRules),
      ...prefixed('@typescript-eslint', typedRules),
      ...unusedSvelteRules,
      '@typescript-eslint/no-unused-vars': unusedRule,
      'max-lines': ['error', limits['.svelte']],
      'no-restricted-syntax': ['error', WRITES_HTML, SPREADS_LITERAL, HAS_OWN_WORDS, LABELS_ITSELF],
      // If one destructured prop is assigned to, the others have to be `let` too.
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
    },
  },
);
