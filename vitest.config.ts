import { defineConfig } from 'vitest/config'

/** Where CI wants a report of the run. */
const reportFile = process.env['TEST_REPORT']

export default defineConfig({
  test: {
    include: ['src', 'web', 'client/src', 'test', 'e2e'].map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: ['test/support/global-setup.ts'],
    reporters: reportFile === undefined ? ['default'] : ['default', ['json', { outputFile: reportFile }]],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // CI names the tests that needed their second try, and goes on.
    retry: reportFile === undefined ? 0 : 1,
    maxWorkers: 2,
  },
})
