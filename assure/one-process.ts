import { runBombs } from '../test/reliability/scenarios/bombs.ts'
import { runIdenticalUploads } from '../test/reliability/scenarios/identical-uploads.ts'
import { runParserKilled } from '../test/reliability/scenarios/parser-killed.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { startRealService, type RealService } from '../test/support/real-service.ts'

/** A service of one scenario, with this many upload tokens; its log names its parser. */
async function withService(families: number, run: (real: RealService) => Promise<Outcome>): Promise<Outcome> {
  const real = await startRealService({ families, env: { LOG_LEVEL: 'info' }, role: 'serve' })
  try {
    return await run(real)
  } finally {
    await real.close()
  }
}

export function bombs(): Promise<Outcome> {
  return withService(4, ({ service, tokens }) => runBombs({ service, tokens }))
}

export function parserKilled(): Promise<Outcome> {
  return withService(4, ({ service, tokens }) => runParserKilled({ service, tokens }))
}

export function identicalUploads(): Promise<Outcome> {
  return withService(60, ({ service, tokens }) =>
    runIdenticalUploads({ baseUrls: [service.baseUrl], tokens }),
  )
}
