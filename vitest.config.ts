import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where CI wants a report of the run. */
const reportFile = process.env['TEST_REPORT']

const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.ts`)

/**
 * By their size, the longest first, and those of the second tier before all others: a short browser test takes as long as a long table of
 * units, and at the end would run alone. Between them, one after the other, those that kill processes and wait for others: at the end one
 * of them would have a core idle for a minute, and three at once both. One in four is as often as one of them ends.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    const isLarge = ({ moduleId }: TestSpecification) => moduleId.includes('.large.test.')
    const sorted = [...bySize.filter(isLarge), ...bySize.filter((file) => !isLarge(file))]
    const waits = ({ moduleId }: TestSpecification) => moduleId.includes('/test/reliability/')
    const busy = sorted.filter((file) => !waits(file))
    return [...sorted.filter(waits).flatMap((file) => [file, ...busy.splice(0, 3)]), ...busy]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: ['test/support/global-setup.ts'],
    reporters: reportFile === undefined ? ['default'] : ['default', ['json', { outputFile: reportFile }]],
    // A fifth of the time of two cores is spent waiting for a browser or a store. `npm run test:all` has a fourth one: a file of the second
    // tier works for three fifths of its time, and waits for processes, clocks and browsers else.
    maxWorkers: 3,
    // A worker keeps the modules of all its files: a collector as thrifty as a service's goes through them after every few tests, and after every
    // 64 MB of file content, which lies outside of the heap. With these it takes a fifth less of the processor.
    execArgv: [
      '--initial-old-space-size=512',
      '--min-semi-space-size=16',
      '--max-semi-space-size=32',
      '--external-memory-accounted-in-global-limit',
    ],
    // Of one file, those that are said to be concurrent: they wait, and do not work.
    maxConcurrency: 12,
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
