import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { createCompany } from '../support/company.ts'
import { later } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { createSampleDatabase } from '../support/sample-database.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { folderOf, importDeps } from '../vulndata/support.ts'

const samples = resolve('../shared/data')
const containers = join(samples, 'sbom', 'containers')
const kevFile = join(samples, 'kev', 'known_exploited_vulnerabilities.json')
const isHere = existsSync(containers) && existsSync(kevFile) && existsSync(join(samples, 'osv'))

type Kev = { vulnerabilities: { cveID: string }[]; count: number; catalogVersion: string }
const kev = (): Kev => JSON.parse(readFileSync(kevFile, 'utf8')) as Kev

let scene: UploadScene
let db: Db
let minute = 0
beforeAll(async () => {
  scene = await UploadScene.open({ database: await createSampleDatabase() })
  ;({ db } = scene.database)
})
afterAll(() => scene.close())

const tick = () => later((minute += 1))
const load = (from: string) => importVulnerabilityData(importDeps(db), { from, now: tick() })

async function sendContainers(): Promise<void> {
  for (const [index, file] of readdirSync(containers).sort().entries()) {
    const slug = `container-${index}`
    const known = await db.selectFrom('workspace').select('id').where('slug', '=', slug).executeTakeFirst()
    if (known === undefined) {
      const company = await createCompany(db, slug)
      await scene.uploaded(readFileSync(join(containers, file)), { token: await scene.token(company) })
    }
  }
}

/** A product of packages for which sample records have a listed CVE as alias, each in an affected version. */
async function sendListedPackages(): Promise<string[]> {
  // Few records have a listed CVE: join from them to their ranges, not from every range to its record.
  const { rows } = await sql<{ type: string; name: string; version: string; cve: string }>`
    with listed as materialized (
      select v.id, a.other_id
      from alias_assertion a
      join vulnerability v on v.id = a.vulnerability_id and v.withdrawn_at is null and v.class = 'vulnerability'
      where a.relation = 'alias' and a.bridges
        and a.other_id = any(${kev().vulnerabilities.map(({ cveID }) => cveID)}::text[])
    )
    select distinct on (r.package_key) t.type, split_part(r.package_key, chr(31), 2) as name, r.introduced as version, a.other_id as cve
    from listed a
    join affected_range r on r.vulnerability_id = a.id
    join (values ('PyPI', 'pypi'), ('Bitnami', 'bitnami'), ('crates.io', 'cargo')) t (ecosystem, type)
      on t.ecosystem = split_part(r.package_key, chr(31), 1)
    where r.introduced ~ '^[1-9][0-9.]*$'
    order by r.package_key, r.introduced, a.other_id
    limit 20`.execute(db)
  const components = rows.map(({ type, name, version }, index) => ({
    type: 'library',
    'bom-ref': `package-${index}`,
    name,
    version,
    purl: `pkg:${type}/${name}@${encodeURIComponent(version)}`,
  }))
  const company = await createCompany(db, 'listed-packages')
  await scene.uploaded(cyclonedx({ components }), { token: await scene.token(company) })
  return [...new Set(rows.map(({ cve }) => cve))].sort()
}

type Opened = { id: string; vulnKey: string; status: string; listedBy: string[] }
const incidents = async (): Promise<Opened[]> => {
  const { rows } = await sql<Opened>`
    select id, vuln_key as "vulnKey", status, listed_by as "listedBy" from incident order by vuln_key, id`.execute(
    db,
  )
  return rows
}

/** Incident subjects without an open exact finding on a live record that names the vulnerability. */
async function unexplained(): Promise<unknown[]> {
  const { rows } = await sql`
    select a.vuln_key, a.component, a.component_version
    from incident_affected a
    where not exists (
      select
      from finding f
      join identity_match m on m.identity_id = f.identity_id and m.grade = 'exact'
      join vulnerability v on v.id = m.vulnerability_id and v.group_id = f.group_id and v.withdrawn_at is null
      join alias_assertion n on n.vulnerability_id = v.id and n.other_id = a.vuln_key
      where f.family_id = a.family_id and f.version_id is not distinct from a.version_id and f.identity_id = a.identity_id
        and f.grade = 'exact' and f.closed_at is null and 'kev' = any(f.exploited_by)
    )`.execute(db)
  return rows
}

test.skipIf(!isHere)(
  'the sample SBOMs have the incidents that the KEV catalogue and the records explain, once (needs the sample data)',
  async () => {
    await sendContainers()
    const expected = await sendListedPackages()
    await drain(db, tick())
    expect(await incidents()).toEqual([])
    await load(kevFile)
    await drain(db, tick())
    const opened = await incidents()
    expect(expected.length).toBeGreaterThan(3)
    expect(opened.map(({ vulnKey }) => vulnKey)).toEqual(expect.arrayContaining(expected))
    const listed = new Set(kev().vulnerabilities.map(({ cveID }) => cveID))
    expect(opened.filter(({ vulnKey }) => !listed.has(vulnKey))).toEqual([])
    expect(await unexplained()).toEqual([])
    console.log(`incidents: ${opened.map(({ vulnKey }) => vulnKey).join(', ')}`)

    await load(kevFile)
    await load(join(samples, 'osv', 'Bitnami'))
    await sendContainers()
    await drain(db, tick())
    expect(await incidents()).toEqual(opened)

    const gone = opened[0]?.vulnKey ?? ''
    const { vulnerabilities, ...rest } = kev()
    const kept = vulnerabilities.filter(({ cveID }) => cveID !== gone)
    const shorter = { ...rest, catalogVersion: '2099.01.01', count: kept.length, vulnerabilities: kept }
    await load(join(folderOf({ 'kev.json': JSON.stringify(shorter) }), 'kev.json'))
    await drain(db, tick())
    const after = await incidents()
    expect(after).toEqual(
      opened.map((incident) => (incident.vulnKey === gone ? { ...incident, listedBy: [] } : incident)),
    )
    const { rows } = await sql<{ vuln_key: string }>`
      select distinct i.vuln_key from incident_entry e join incident i on i.id = e.incident_id
      where e.kind = 'unlisted'`.execute(db)
    expect(rows).toEqual([{ vuln_key: gone }])
  },
  900_000,
)
