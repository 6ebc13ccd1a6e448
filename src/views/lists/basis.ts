import type { DataBehind } from '../../contract/sbom/result.ts'
import { coverageTotal } from '../../contract/sbom/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { selectCoverage } from '../../inventory/coverage/coverage.ts'
import { selectDataBehind, selectDataBehindFamilies } from '../../inventory/coverage/data-behind.ts'
import { selectJudgedSlots, sumJudged } from '../../inventory/coverage/judged-slots.ts'
import { selectFamilyNames } from '../../products/families/select-families.ts'
import type { Basis } from './with-coverage.ts'

type Asking = { workspaceId: string; now: Date; deps: { switchedOff: readonly string[] } }

/** Of one SBOM. */
export async function basisInSbom(tx: Tx, sbomId: string, asking: Asking): Promise<Required<Basis>> {
  const coverage = await selectCoverage(tx, { workspaceId: asking.workspaceId, sbomId })
  return {
    coverage: { covered: coverage.covered, components: coverageTotal(coverage) },
    data: await dataInSbom(tx, sbomId, asking),
  }
}

export function dataInSbom(tx: Tx, sbomId: string, asking: Asking): Promise<DataBehind> {
  return selectDataBehind(tx, { workspaceId: asking.workspaceId, sbomId }, momentOf(asking))
}

/** Of a family, or of all that are in use. */
export async function basisIn(tx: Tx, family: string | undefined, asking: Asking): Promise<Required<Basis>> {
  const { workspaceId } = asking
  const familyIds = family === undefined ? await idsInUse(tx, workspaceId) : [family]
  return {
    coverage: sumJudged(await selectJudgedSlots(tx, { workspaceId, familyIds })),
    data: await selectDataBehindFamilies(tx, { workspaceId, familyIds }, momentOf(asking)),
  }
}

export async function dataInUse(tx: Tx, asking: Asking): Promise<DataBehind> {
  const { workspaceId } = asking
  const familyIds = await idsInUse(tx, workspaceId)
  return selectDataBehindFamilies(tx, { workspaceId, familyIds }, momentOf(asking))
}

async function idsInUse(tx: Tx, workspaceId: string): Promise<string[]> {
  return (await selectFamilyNames(tx, workspaceId)).map(({ id }) => id)
}

function momentOf({ now, deps: { switchedOff } }: Asking): { switchedOff: readonly string[]; now: Date } {
  return { switchedOff, now }
}
