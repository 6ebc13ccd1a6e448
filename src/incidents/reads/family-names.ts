import { sql, type RawBuilder } from 'kysely'

/** The names of the families of an incident, in their order; `incidentId` is a column of the statement. */
export function familyNames(incidentId: string): RawBuilder<string[]> {
  return sql<string[]>`array(
        select y.name from incident_family f join family y on y.id = f.family_id
        where f.incident_id = ${sql.ref(incidentId)} order by lower(y.name), y.id
      )`
}
