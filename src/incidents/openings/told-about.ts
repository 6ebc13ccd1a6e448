import type { IncidentAbout } from '../../contract/alerts/events.ts'
import type { Severity } from '../../contract/severities.ts'
import type { Tx } from '../../database/connection.ts'
import { selectFixedVersions, selectMalware } from '../../findings/fixed-versions.ts'
import { joinItems } from '../../report-forms/fit-text.ts'
import type { Candidate } from '../../vulnerabilities/openings/select-candidates.ts'

type Opened = { incident: { id: string; severity: Severity }; matches: readonly Candidate[] }

const listCharacters = 200

/** What messages say about opened incidents, by their ids: what is affected, what fixes it, and when the first report is due. */
export async function selectToldAbout(
  tx: Tx,
  opened: readonly Opened[],
): Promise<ReadonlyMap<string, IncidentAbout>> {
  const fixedIn = await selectFixedVersions(
    tx,
    opened.flatMap(({ matches }) => matches),
  )
  const malware = await selectMalware(
    tx,
    opened.flatMap(({ matches }) => matches.map(({ groupId }) => groupId)),
  )
  const warnings = await tx
    .selectFrom('regime_report')
    .select(['incident_id', 'due_at'])
    .where('regime', '=', 'cra')
    .where('report', '=', 'early_warning')
    .where('state', '=', 'open')
    .where(
      'incident_id',
      'in',
      opened.map(({ incident }) => incident.id),
    )
    .execute()
  return new Map(
    opened.map(({ incident, matches }) => {
      const due = warnings.find(({ incident_id: id }) => id === incident.id)?.due_at
      const malicious = listed(matches.filter(({ groupId }) => malware.has(groupId)).map(named))
      return [
        incident.id,
        {
          components: listed(matches.map(named)),
          versions: listed(matches.map(({ version }) => version ?? '')),
          severity: incident.severity,
          fixedIn: listed(
            matches.map((match) => {
              const fixed = fixedIn(match)
              return fixed === null ? '' : `${match.component} ${fixed}`
            }),
          ),
          ...(malicious === null ? {} : { malware: malicious }),
          earlyWarningDueAt: due?.toISOString() ?? null,
        },
      ] as const
    }),
  )
}

function named({ component, componentVersion }: Candidate): string {
  return componentVersion === null ? component : `${component} ${componentVersion}`
}

function listed(names: readonly string[]): string | null {
  return joinItems(names, listCharacters) || null
}
