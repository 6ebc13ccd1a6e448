import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Most test files start two of these children, and reading the program is most of a start: its compiled form is kept where `main.ts` has it.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/sbom-monitor'))

const { default: pino } = await import('pino')
const { runParserChild } = await import('../../src/parser/child.ts')
const { laneNamed } = await import('../../src/parser/lanes.ts')

/** The parser child of tests that start an HTTP server inside their own process. */
const running = runParserChild(laneNamed(process.argv[2]), pino({ level: 'silent' }))
flushCompileCache()
await running
