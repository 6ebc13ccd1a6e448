import { stayReasons, type SbomRetention, type SbomRetentionCount } from '../../contract/sbom/retention.ts'
import type { Db } from '../../database/connection.ts'
import { selectProductFacts } from '../../products/families/facts/product-facts.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { reasonToStay, type ReplacedSbom } from './reason-to-stay.ts'
import { selectReplacedSboms } from './select-replaced.ts'

type Asked = FamilyKey & { setting: SbomRetention; now: Date }

/** What a setting would remove now, and why the rest stays. Nothing is removed. */
export async function countSbomRetention(db: Db, asked: Asked): Promise<SbomRetentionCount> {
  const { judged, supportEndsOn } = await judgeReplacedSboms(db, asked)
  return {
    replaced: amountOf(judged),
    goes: amountOf(judged.filter(({ why }) => why === null)),
    stays: stayReasons
      .map((why) => ({ why, ...amountOf(judged.filter((one) => one.why === why)) }))
      .filter(({ sboms }) => sboms > 0),
    supportEndsOn,
  }
}

/** Those that a setting would remove now, the oldest first. */
export async function selectSbomsToRemove(db: Db, asked: Asked): Promise<ReplacedSbom[]> {
  const { judged } = await judgeReplacedSboms(db, asked)
  return judged.filter(({ why }) => why === null)
}

async function judgeReplacedSboms(db: Db, { setting, now, ...family }: Asked) {
  const { supportEndsOn } = await selectProductFacts(db, family)
  const sboms = await selectReplacedSboms(db, family)
  const judged = sboms.map((sbom) => ({ ...sbom, why: reasonToStay(sbom, { setting, supportEndsOn, now }) }))
  return { judged, supportEndsOn }
}

function amountOf(sboms: readonly ReplacedSbom[]): { sboms: number; sizeBytes: number } {
  return { sboms: sboms.length, sizeBytes: sboms.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) }
}
