import { afterAll, beforeAll, expect, it } from 'vitest'
import { bombs } from '../support/bombs.ts'
import { startRealService, type RealService } from '../support/real-service.ts'
import { runBombs } from './scenarios/bombs.ts'
import { runIdenticalUploads } from './scenarios/identical-uploads.ts'
import { runParserKilled } from './scenarios/parser-killed.ts'

let real: RealService

beforeAll(async () => {
  real = await startRealService({ families: 6, env: { LOG_LEVEL: 'info' }, role: 'serve' })
}, 240_000)

afterAll(() => real.close(), 60_000)

const patience = { timeout: 300_000 }

it('files that are bombs are answered by the contract and end nothing', patience, async () => {
  const { service, tokens } = real
  // one of each kind
  const files = [...new Map(bombs.map((bomb) => [bomb.kind, bomb])).values()]
  expect(await runBombs({ service, tokens: tokens.slice(0, 1), files })).toMatchObject({
    figures: { files: 7 },
    failures: [],
  })
})

it('a parser that is killed takes no upload with it that follows', patience, async () => {
  const { service, tokens } = real
  const outcome = await runParserKilled({ service, tokens: tokens.slice(1, 2), kills: 5 })
  expect(outcome).toEqual({ figures: { kills: 5, stored: 5 }, failures: [] })
})

it(
  'identical files at once are new once, and reversed ones do not lock each other out',
  patience,
  async () => {
    const { service, tokens } = real
    const outcome = await runIdenticalUploads({
      baseUrls: [service.baseUrl],
      tokens: tokens.slice(2),
      rounds: 3,
    })
    expect(outcome).toEqual({ figures: { rounds: 3, onceNew: 3, serverErrors: 0 }, failures: [] })
  },
)
