import { describe, expect, it } from 'vitest'
import { runPromotion } from './scenarios/promotion.ts'
import { canReplicate } from './scenarios/server-group.ts'

describe.runIf(canReplicate)(
  `a server that moves${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    it('is followed by the service, when it was killed and when it fell silent; nothing acknowledged is lost', async () => {
      const { badAnswers, ...figures } = await runPromotion({ pauseMs: 200 })
      console.info(figures)
      expect(badAnswers).toEqual([])
      expect(figures.acknowledged).toBeGreaterThan(10)
      expect(figures).toMatchObject({ missing: 0, duplicateRows: 0, severalIds: 0, unmatched: 0 })
    }, 600_000)
  },
)
