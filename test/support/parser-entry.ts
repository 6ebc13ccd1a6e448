import pino from 'pino'
import { runParserChild } from '../../src/parser/child.ts'
import { laneNamed } from '../../src/parser/lanes.ts'

/** The parser child of tests that start an HTTP server inside their own process. */
await runParserChild(laneNamed(process.argv[2]), pino({ level: 'silent' }))
