import { sql } from 'kysely'
import {
  advisoryLimits,
  type AdvisoryContent,
  type DraftVulnerability,
} from '../../contract/advisories/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { cut } from './prefill-advisory.ts'

/** What an incident's drafts and submissions under the Cyber Resilience Act say of measures; null: nothing. */
export type Measures = { taken: string | null; forUsers: string | null; areAvailable: boolean }

/** Its fields on measures taken (16), on those users can take (17), and on the update or measure in detail (v23). */
const fields = ['16', '17', 'v23']

/** The newest text of each field. */
export async function selectMeasures(
  db: Db,
  { workspaceId, incidentId }: { workspaceId: string; incidentId: string },
): Promise<Measures> {
  const { rows } = await sql<{ field: string; text: string; areAvailable: boolean }>`
    select distinct on (t.field) t.field, t.text, i.measure_available_at is not null as "areAvailable"
    from incident i
    join regime_report r on r.workspace_id = i.workspace_id and r.incident_id = i.id and r.cycle = i.cycle and r.regime = 'cra'
    cross join lateral (
      select d.saved_at as at, v.key as field, btrim(v.value) as text
      from report_draft d, jsonb_each_text(d.field_values) v
      where d.report_id = r.id
      union all
      select s.recorded_at, v ->> 'id', btrim(v ->> 'value')
      from submission s, jsonb_array_elements(s.draft -> 'fields') v
      where s.report_id = r.id
    ) t
    where i.workspace_id = ${workspaceId} and i.id = ${incidentId} and t.field = any(${fields}::text[]) and t.text <> ''
    order by t.field, t.at desc`.execute(db)
  const textOf = (field: string) => rows.find((row) => row.field === field)?.text ?? null
  return {
    taken: textOf('v23') ?? textOf('16'),
    forUsers: textOf('17'),
    areAvailable: rows[0]?.areAvailable === true,
  }
}

/** The draft with what the incident knows, for the versions of its own families that may be affected. */
export function withMeasures(
  content: AdvisoryContent,
  { taken, forUsers, areAvailable }: Measures,
  familyIds: ReadonlySet<string>,
): AdvisoryContent {
  const ofIncident = new Set(
    content.products.filter(({ familyId }) => familyIds.has(familyId)).map(({ versionId }) => versionId),
  )
  const vulnerabilities = content.vulnerabilities.map((one): DraftVulnerability => {
    const versionIds = one.statuses
      .filter(({ status }) => status === 'affected' || status === 'under_investigation')
      .map(({ versionId }) => versionId)
      .filter((versionId) => ofIncident.has(versionId))
    if (versionIds.length === 0) return one
    const remedy = (category: 'vendor_fix' | 'mitigation', details: string | null) =>
      details === null
        ? []
        : [{ category, details: cut(details, advisoryLimits.textCharacters), url: '', versionIds }]
    const added = [
      ...remedy(areAvailable ? 'vendor_fix' : 'mitigation', taken),
      ...remedy('mitigation', forUsers),
    ]
    const isFixed = added.some(({ category }) => category === 'vendor_fix')
    const kept = isFixed ? withoutUnfixed(one.remediations, new Set(versionIds)) : one.remediations
    return { ...one, remediations: [...added, ...kept].slice(0, advisoryLimits.entries) }
  })
  return { ...content, vulnerabilities }
}

/** A fix and the statement that there is none exclude each other (CSAF 2.0, 3.2.3.12.1). */
function withoutUnfixed(
  remediations: DraftVulnerability['remediations'],
  fixed: ReadonlySet<string>,
): DraftVulnerability['remediations'] {
  return remediations.flatMap((one) => {
    if (one.category !== 'none_available') return [one]
    const versionIds = one.versionIds.filter((versionId) => !fixed.has(versionId))
    return versionIds.length === 0 ? [] : [{ ...one, versionIds }]
  })
}
