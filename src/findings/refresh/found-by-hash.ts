import { sql, type RawBuilder } from 'kysely'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { recordsOfHashes } from '../../vulndata/malware-digests.ts'

/** The components of an SBOM `s` that a malware record states a digest of, and these records `(identity_id, name, version, vulnerability_id, group_id)`. */
export function foundByHash(isSbom: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select c.identity_id, c.name, c.version, d.vulnerability_id, d.group_id
    from sbom s
    cross join ${componentsOfSbom('s')}
    cross join ${recordsOfHashes('c')} d
    where ${isSbom} and c.hashes <> '{}' and exists (select from malware_digest)`
}
