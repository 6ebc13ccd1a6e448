import { describe, expect, it } from 'vitest'
import { hasPooler, poolerNote } from '../support/pooler.ts'
import { runBehindPooler } from './scenarios/behind-pooler.ts'
import { canReplicate } from './scenarios/server-group.ts'

const isPossible = hasPooler && canReplicate
describe.runIf(isPossible)(
  `many processes behind PgBouncer${canReplicate ? poolerNote : ' (skipped: there is no PostgreSQL 15)'}`,
  () => {
    it('share its sessions, and lose nothing acknowledged when it drops them all', async () => {
      const order = { drops: 2, uploadsBetween: 20, pauseMs: 100 }
      const { badAnswers, ...figures } = await runBehindPooler(order)
      console.info(figures)
      expect(badAnswers).toEqual([])
      expect(figures.acknowledged).toBeGreaterThanOrEqual(60)
      expect(figures).toMatchObject({ missing: 0, duplicateRows: 0, severalIds: 0, unmatched: 0 })
      expect(figures.sessions).toBeLessThanOrEqual(25)
    }, 600_000)
  },
)
