import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')

/** A session created elsewhere would lack the listener that keeps a lost connection from ending the process. */
it('sessions with the store are made in one place each', () => {
  const makers = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => {
      const text = readFileSync(join(src, name), 'utf8')
      return /from 'pg'/.test(text) && /\b(?:new|extends) (?:pg\.)?(?:Client|Pool|Connection)\b/.test(text)
    })
  expect(makers.sort()).toEqual(['platform/postgres/pool.ts', 'platform/postgres/silence/bounded-client.ts'])
})
