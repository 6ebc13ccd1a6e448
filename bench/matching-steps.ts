import type { Laboratory } from './laboratory.ts'

/** Milliseconds until each step of matching was done, and how many findings the SBOM's version then has. */
export type MatchingSteps = { identitiesMs: number; findingsMs: number; matchedMs: number; findings: number }

/** Of the newest components of the family so many, so far apart, show whether its identities are matched. */
const looked = 16
const apart = 150

const state = `
  select s.status,
    (select count(*)
      from component c
      join component_identity i on i.id = c.identity_id and i.matched_at is not null
      where c.family_id = s.family_id
        and c.number in (select f.next_component_number - 1 - n * ${apart} from generate_series(0, ${looked - 1}) n)
    )::int as matched,
    exists (select from finding where family_id = s.family_id and version_id = s.version_id) as "hasFindings"
  from sbom s
  join family f on f.id = s.family_id
  where s.id = $1`

type State = { status: string; matched: number; hasFindings: boolean }

/** Watches a large SBOM with new components until its matching has finished. */
export async function followMatching(
  { sql }: Laboratory,
  id: string,
  startedAt: number,
): Promise<MatchingSteps> {
  let identitiesMs: number | undefined
  let findingsMs: number | undefined
  for (;;) {
    const { rows } = await sql.query<State>(state, [id])
    const ms = performance.now() - startedAt
    const [now] = rows
    if (now?.matched === looked) identitiesMs ??= ms
    if (now?.hasFindings === true) findingsMs ??= ms
    if (now?.status === 'failed') throw new Error(`matching of ${id} failed`)
    if (now?.status === 'matched') {
      const findings = await countFindings(sql, id)
      return { identitiesMs: identitiesMs ?? ms, findingsMs: findingsMs ?? ms, matchedMs: ms, findings }
    }
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** The open findings of the SBOM's version. */
async function countFindings(sql: Laboratory['sql'], id: string): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int as count
     from sbom s join finding f on f.family_id = s.family_id and f.version_id = s.version_id and f.closed_at is null
     where s.id = $1`,
    [id],
  )
  return rows[0]?.count ?? 0
}
