import { sql, type RawBuilder } from 'kysely'
import { cpeGuessers } from '../../identities/cpe-authors.ts'

/**
 * Whether the CPEs of an SBOM with these tools (text[]) are one tool's guesses. Decided for each SBOM, never part of an
 * identity: the same CPE from another tool is the same component, with another grade.
 */
export function areCpesGuessed(tools: RawBuilder<unknown>): RawBuilder<boolean> {
  const patterns = cpeGuessers.map((guesser) => sql`${sql.lit(`%${guesser}%`)}`)
  return sql<boolean>`exists (select from unnest(${tools}) as tool where tool ilike any (array[${sql.join(patterns)}]))`
}

/** The same of the active SBOM of an open finding's version (index sbom_active). */
export function areCpesGuessedFor(finding: string): RawBuilder<boolean> {
  const f = sql.ref(finding)
  return sql<boolean>`exists (
    select from sbom s
    where s.family_id = ${f}.family_id and s.version_id is not distinct from ${f}.version_id and s.active
      and ${areCpesGuessed(sql.ref('s.tools'))}
  )`
}

type Graded = { grade: RawBuilder<unknown>; basis: RawBuilder<unknown>; cpesGuessed: RawBuilder<unknown> }

/** A grade as it counts in one SBOM: a CPE that a tool guessed makes nothing exact. */
export function gradeInSbom({ grade, basis, cpesGuessed }: Graded): RawBuilder<unknown> {
  return sql`case when ${basis} = 'cpe' and ${cpesGuessed} then 'possible' else ${grade} end`
}
