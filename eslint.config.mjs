import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** The wall clock, chance and the environment enter only through main.ts, parse.ts, program.ts and platform/. */
const ambient = [
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take `now` as an argument.',
  },
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Take `now` as an argument.',
  },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Take random bytes from Deps.',
  },
  {
    selector: "MemberExpression[object.name='process'][property.name='env']",
    message: 'The environment is read in program.ts and platform/ only.',
  },
]

const spread = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression, JSXSpreadAttribute > ObjectExpression',
  message: 'Write the properties themselves.',
}

export default tseslint.config(
  { ignores: ['node_modules/', 'web/dist/', 'web/.dist-*/', '.data/', 'client/dist/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'max-depth': ['error', 3],
      complexity: ['error', 12],
      'no-restricted-syntax': [
        'error',
        ...ambient,
        spread,
        { selector: 'ExportDefaultDeclaration', message: 'Name the export.' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // characters in our limits are Unicode code points, which is what spreading a string gives
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
    },
  },
  {
    files: [
      'src/main.ts',
      'src/parse.ts',
      'src/program.ts',
      'client/src/main.ts',
      'src/platform/**',
      'src/html/**',
      'src/originals/**',
      'bench/**',
      'assure/**',
      'test/**',
      'e2e/**',
      '**/*.test.ts',
      'vitest.config.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', spread] },
  },
  {
    files: ['**/*.test.ts', 'test/**', 'e2e/**', 'bench/**', 'assure/**'],
    rules: { 'max-lines-per-function': 'off', complexity: 'off', 'max-depth': 'off', 'max-params': 'off' },
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      'no-restricted-syntax': ['error', spread],
    },
  },
  {
    files: ['web/**/*.{ts,tsx}'],
    ignores: ['web/kit/api/use-send.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@tanstack/react-query',
              importNames: ['useMutation'],
              message: 'Take useSend or useAct: they send once.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/vite.config.ts'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: { process: 'readonly', console: 'readonly' },
    },
  },
  {
    // sent to browsers as it is
    files: ['src/docs-site/browser/*.mjs'],
    languageOptions: { globals: { document: 'readonly', fetch: 'readonly' } },
  },
  { files: ['**/*.mjs', '**/vite.config.ts', 'vitest.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
)
