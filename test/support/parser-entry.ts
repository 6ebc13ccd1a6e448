import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Most test files start two of these children, and most of a start is loading the program: uses the same compile cache as `main.ts`.
enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/sbom-monitor'))

const { default: pino } = await import('pino')
const { runParserChild } = await import('../../src/parser/child.ts')
const { laneNamed } = await import('../../src/parser/lanes.ts')

/** The parser child for tests with an HTTP server in their own process. */
const running = runParserChild(laneNamed(process.argv[2]), pino({ level: 'silent' }))
flushCompileCache()
await running
