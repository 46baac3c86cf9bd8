import nx from '@nx/eslint-plugin';
import jest from 'eslint-plugin-jest';
import tseslint from 'typescript-eslint';
import { boundaryRules, NX_BOUNDARIES, SPEC_FILES } from './tools/boundaries/rules.mjs';

export default tseslint.config(
  { ignores: ['**/dist/**', '**/dist-failpoints/**', '.nx/**', '.run/**', 'coverage/**', '**/node_modules/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    // Rules that need types are in .oxlintrc.json.
    extends: [...tseslint.configs.strict],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': NX_BOUNDARIES,
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      eqeqeq: 'error',
      // Prettier wraps code.
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true }],
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
    },
  },
  {
    files: SPEC_FILES,
    extends: [jest.configs['flat/recommended']],
    rules: {
      'jest/no-disabled-tests': 'error',
      'jest/no-focused-tests': 'error',
      // Assertions live in named probes as well as in the test body.
      'jest/expect-expect': 'off',
      'jest/no-conditional-expect': 'off',
      'jest/no-standalone-expect': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    // Manifests of Kubernetes are JSON of many kinds; policies read them as tests do.
    files: ['tools/k8s/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  {
    files: ['tools/**', 'apps/*/src/{cli,seed,make-seed,migrate,main}.ts', 'apps/e2e/**', '**/*-cli.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // SQL; a baseline contains all tables of its app.
    files: ['**/migrations/*.ts'],
    rules: { 'max-len': 'off', 'max-lines': 'off' },
  },
  {
    // The root is a project for Nx; its tests compare settings of all services with the manifests.
    files: ['tools/**/*.spec.ts'],
    rules: { '@nx/enforce-module-boundaries': 'off' },
  },
  ...boundaryRules(),
);
