import { ServiceError } from '../../contract/errors.ts'
import type { Regime } from '../../contract/alerts/events.ts'
import type { DraftValue, DraftValues } from '../../contract/incidents/report-drafts.ts'
import type { Tx } from '../../database/connection.ts'
import { isId } from '../../platform/random.ts'
import { isOnSameVulnerability } from '../record/linked.ts'
import { selectIncident, type Incident } from '../record/lock-incident.ts'
import type { Report } from '../submissions/select-report.ts'
import { fieldsOf, type DraftStage } from '../../report-forms/forms.ts'
import { selectDraftFacts } from './known-facts.ts'
import { prefillDraft } from './prefill-draft.ts'
import type { Draft } from './read-draft.ts'
import { storedDraft } from './stored-draft.ts'

/** Fields that say which products and when: they are an incident's own. */
const ownFields: Record<Regime, readonly string[]> = {
  cra: ['1', '4', '5', '6', '7', '8', '9', '10', '11', '12', 'v22', 'v26', 'v26a', 'i37', 'i38'],
  digitalsikkerhetsloven: [],
  gdpr: ['aware_at', 'delay_reasons'],
  dora: ['reference', 'authority_reference', 'aware_at', 'classified_at', 'member_states', 'occurred_at'],
}

type Copying = { incident: Incident; report: Report; draft: Draft; from: string }

/**
 * A draft with what was saved for the same report of another incident on the vulnerability. What that draft began with and is unchanged, such as
 * its title and the sentence on the affected products, is this incident's own. Codes: `invalid_request`.
 */
export async function copiedDraft(tx: Tx, { incident, report, draft, from }: Copying): Promise<DraftValues> {
  const saved = await selectOfSibling(tx, { incident, report, from })
  if (saved === undefined) {
    throw new ServiceError('invalid_request', {
      fields: {
        from: 'Choose another incident on this vulnerability that has a saved draft of this report.',
      },
    })
  }
  const { values } = storedDraft(saved, draft.stage)
  const sibling = await selectIncident(tx, { workspaceId: incident.workspace_id, incidentId: from })
  if (sibling === undefined) throw new Error('a saved draft is of an incident')
  const theirs = await selectKnown(tx, sibling, draft.stage)
  const own = await selectKnown(tx, incident, draft.stage)
  const copied = fieldsOf(draft.stage).flatMap(({ id }) => {
    const value = ownFields[report.regime].includes(id) ? undefined : values[id]
    if (value === undefined || value === theirs[id]) return []
    return [[id, withOwnLines(value, { theirs: theirs[id], own: own[id] })] as const]
  })
  return { ...draft.values, ...Object.fromEntries(copied) }
}

/** What a draft of the incident begins with now, but for the stages before. */
async function selectKnown(tx: Tx, incident: Incident, stage: DraftStage): Promise<DraftValues> {
  return prefillDraft(await selectDraftFacts(tx, incident, stage.regime), stage)
}

type Known = { theirs: DraftValue | undefined; own: DraftValue | undefined }

/** A text of several sentences is begun with the same ones, in the same order, for every incident on the vulnerability. */
function withOwnLines(value: DraftValue, { theirs, own }: Known): DraftValue {
  if (typeof value !== 'string' || typeof theirs !== 'string' || typeof own !== 'string') return value
  const [known, replacing] = [theirs.split('\n'), own.split('\n')]
  if (known.length !== replacing.length) return value
  return value
    .split('\n')
    .map((line) => replacing[known.indexOf(line)] ?? line)
    .join('\n')
}

async function selectOfSibling(
  tx: Tx,
  { incident, report, from }: Pick<Copying, 'incident' | 'report' | 'from'>,
) {
  if (incident.vuln_key === null || !isId(from)) return undefined
  return tx
    .selectFrom('incident as i')
    .innerJoin('regime_report as r', (join) =>
      join.onRef('r.incident_id', '=', 'i.id').onRef('r.cycle', '=', 'i.cycle'),
    )
    .innerJoin('report_draft as d', 'd.report_id', 'r.id')
    .select(['d.fields_version', 'd.field_values'])
    .where('i.workspace_id', '=', incident.workspace_id)
    .where(isOnSameVulnerability({ id: incident.id, vulnKey: incident.vuln_key }))
    .where('i.kind', '=', incident.kind)
    .where('i.id', '<>', incident.id)
    .where('i.id', '=', from)
    .where('r.regime', '=', report.regime)
    .where('r.report', '=', report.report)
    .executeTakeFirst()
}
