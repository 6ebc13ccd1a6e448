import { sql } from 'kysely'
import type { IncidentFlaw } from '../../contract/incidents/flaw.ts'
import { allIds } from '../../contract/public/public-id.ts'
import type { Db } from '../../database/connection.ts'
import { selectKnownFlaw } from '../drafts/known-facts.ts'
import { selectIncident } from '../record/lock-incident.ts'
import { selectEntries } from '../../vulndata/reads/exploited-entries.ts'
import type { IncidentKey } from './select-decisions.ts'

const shownFixes = 20
const shownListings = 20

/** What the vulnerability of an incident is, what fixes it, and what the catalogues that list it demand; null: it is about none. */
export async function selectFlaw(db: Db, key: IncidentKey): Promise<IncidentFlaw | null> {
  const incident = await selectIncident(db, key)
  if (incident === undefined || incident.vuln_key === null) return null
  const { vulnerability, components } = await selectKnownFlaw(db, incident)
  const names = allIds(incident.vuln_key, incident.aliases)
  const listings = await selectEntries(db, {
    named: sql`select distinct unnest(${names}::text[]) as id, true as is_direct`,
    order: sql`e.removed_at is not null, e.source desc, e.cve_id, e.euvd_id`,
  })
  return {
    summary: vulnerability?.summary ?? '',
    score: vulnerability?.score ?? null,
    vector: vulnerability?.vector ?? null,
    fixes: components.slice(0, shownFixes).map(({ name, isMalware = false, ...component }) => ({
      component: name,
      ...component,
      malware: isMalware,
    })),
    listings: listings.slice(0, shownListings),
  }
}
