import pino from 'pino'
import { runParserChild } from '../../src/parser/child.ts'

/** The parser child of tests that start an HTTP server inside their own process. */
await runParserChild(pino({ level: 'silent' }))
