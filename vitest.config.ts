import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where CI wants a report of the run. */
const reportFile = process.env['TEST_REPORT']

const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.ts`)

/** By their size, but first those that kill processes and wait for others: a minute of one of them at the end would have one core idle. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes('/test/reliability/')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/global-setup.ts'],
    reporters: reportFile === undefined ? ['default'] : ['default', ['json', { outputFile: reportFile }]],
    // A fifth of the time of two cores is spent waiting for a browser or a store.
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        test: {
          name: 'service',
          include: testsIn('src', 'client/src', 'test', 'e2e'),
          setupFiles: ['test/support/row-types/check-rows.ts'],
          isolate: false,
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      { extends: true, test: { name: 'web', include: testsIn('web'), isolate: false } },
    ],
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // A test that passes at its second try has failed.
    retry: 0,
  },
})
