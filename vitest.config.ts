import { defineConfig } from 'vitest/config'

/** Where CI wants a report of the run. */
const reportFile = process.env['TEST_REPORT']

export default defineConfig({
  test: {
    include: ['src', 'web', 'client/src', 'test', 'e2e'].map((folder) => `${folder}/**/*.test.ts`),
    globalSetup: ['test/support/global-setup.ts'],
    reporters: reportFile === undefined ? ['default'] : ['default', ['json', { outputFile: reportFile }]],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // A test that passes at its second try has failed.
    retry: 0,
    // A fifth of the time of two cores is spent waiting for a browser or a store.
    maxWorkers: 3,
  },
})
