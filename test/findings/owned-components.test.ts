import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compareSboms } from '../../src/vulnerabilities/compare-sboms.ts'
import { selectLeftToDistribution } from '../../src/findings/reads/left-to-distribution.ts'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addRecord, type RecordFacts } from '../support/records.ts'
import { debian, packageKeyOf, type Part } from '../support/parts.ts'
import { addCopy, addFamily, addSbom, addWorkspace, openFindings, type Family } from '../support/rows.ts'
import { later, testNow } from '../support/clock.ts'

let database: TestDatabase
let workspaceId: string
let family: Family
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
  workspaceId = await addWorkspace(database.db, 'acme')
})
afterAll(() => database.drop())
beforeEach(async () => {
  count += 1
  family = await addFamily(database.db, workspaceId, `Image ${count}`)
})

const cve = () => `CVE-2024-${1000 + count}`
const inside = (): Part => ({
  ecosystem: 'PyPI',
  name: `requests-${count}`,
  version: '2.25.1',
  scheme: 'pep440',
})
const outside = (release: string | null = '11'): Part => debian(`requests-${count}`, '2.25.1+dfsg-2', release)

/** The registry says: fixed in 2.31. Debian keeps the version and patches it. */
async function addGhsa(more: Partial<RecordFacts> = {}): Promise<void> {
  await addRecord(database.db, {
    id: `GHSA-${count}`,
    group: cve(),
    aliases: [cve()],
    affected: [{ ecosystem: 'PyPI', name: `requests-${count}`, scheme: 'pep440', ranges: [['0', '2.31.0']] }],
    ...more,
  })
}

async function addDebian(
  fixed: string | null,
  { release = '11', ...more }: Partial<RecordFacts> & { release?: string } = {},
): Promise<void> {
  await addRecord(database.db, {
    id: `DEBIAN-CVE-2024-${1000 + count}`,
    upstream: [cve()],
    affected: [
      { ecosystem: 'Debian', name: `requests-${count}`, release, scheme: 'dpkg', ranges: [['0', fixed]] },
    ],
    ...more,
  })
}

const patched = '2.25.1+dfsg-2'
const patchedLater = '2.25.1+dfsg-2+deb11u1'

/** An image in which the Debian package installed the Python package. */
async function upload(
  parts: Part[] = [outside(), inside()],
  owners: [number, number][] = [[0, 1]],
): Promise<string> {
  const sbomId = await addSbom(database.db, family, { parts, owners })
  await matchSbom(database.db, { workspaceId, sbomId, now: testNow })
  return sbomId
}

const findings = async () => (await openFindings(database.db, family)).map(({ title }) => title)

describe('a vulnerability of a package that a distribution installed', () => {
  it('is no finding where the distribution counts its version as fixed, and is listed as left to it', async () => {
    await addGhsa()
    await addDebian(patched)
    const sbomId = await upload()
    expect(await findings()).toEqual([])
    expect(await selectLeftToDistribution(database.db, { workspaceId, sbomId })).toEqual({
      total: 1,
      rows: [
        {
          title: cve(),
          component: { name: `requests-${count}`, version: '2.25.1' },
          package: { name: `requests-${count}`, version: '2.25.1+dfsg-2' },
        },
      ],
    })
    const stranger = await addWorkspace(database.db, `stranger-${count}`)
    expect(await selectLeftToDistribution(database.db, { workspaceId: stranger, sbomId })).toEqual({
      total: 0,
      rows: [],
    })
  })

  it('counts where nobody owns the component', async () => {
    await addGhsa()
    await addDebian(patched)
    const sbomId = await upload([outside(), inside()], [])
    expect(await findings()).toEqual([cve()])
    expect((await selectLeftToDistribution(database.db, { workspaceId, sbomId })).total).toBe(0)
  })

  it('is no finding in a comparison of SBOMs either', async () => {
    await addGhsa()
    await addDebian(patched)
    const [owning, bare] = [await upload(), await upload([outside(), inside()], [])]
    const { findings: between } = await compareSboms(database.db, {
      workspaceId,
      before: owning,
      after: bare,
    })
    expect(between.rows).toMatchObject([{ change: 'added', title: cve() }])
  })

  it('counts for both where the distribution has yet to fix it', async () => {
    await addGhsa()
    await addDebian(patchedLater)
    const sbomId = await upload()
    expect(await findings()).toEqual([cve(), `DEBIAN-CVE-2024-${1000 + count}`])
    expect((await selectLeftToDistribution(database.db, { workspaceId, sbomId })).total).toBe(0)
  })

  it.each<[string, () => Promise<unknown>, (() => Part)?]>([
    ['the distribution has no record', () => Promise.resolve()],
    ['its record is on another vulnerability', () => addDebian(patched, { upstream: ['CVE-1999-1'] })],
    ['its record is on another release', () => addDebian(patched, { release: '12' })],
    ['its record is withdrawn', () => addDebian(patched, { withdrawn: true })],
    ['the record is not of the distribution', () => addDebian(patched, { id: `OTHER-${count}` })],
    ['the release of the package is unknown', () => addDebian(patched), () => outside(null)],
  ])('counts where %s', async (_, add, owner = outside) => {
    await addGhsa()
    await add()
    await upload([owner(), inside()])
    expect(await findings()).toEqual([cve()])
  })

  it('counts while the distribution speaks of only one of the CVEs that the record names', async () => {
    const second = `CVE-2023-${count}`
    await addGhsa({ aliases: [], bundles: [cve(), second] })
    await addDebian(patched)
    await upload()
    expect(await findings()).toEqual([cve()])
    await addDebian(patched, { upstream: [cve(), second] })
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
    expect(await findings()).toEqual([])
  })

  it('counts while a copy of the component is there that nobody owns', async () => {
    await addGhsa()
    await addDebian(patched)
    const sbomId = await upload()
    expect(await findings()).toEqual([])
    await addCopy(database.db, family, { sbomId, number: 2, copy: 77 })
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
    expect(await findings()).toEqual([cve()])
  })

  it('is no finding where another of its owners has fixed it', async () => {
    const other = debian(`other-${count}`, '1', '11')
    await addGhsa()
    await addDebian(patched)
    await upload(
      [other, outside(), inside()],
      [
        [0, 2],
        [1, 2],
      ],
    )
    expect(await findings()).toEqual([])
  })
})

describe('a change of the distribution’s record', () => {
  const changed = async (ecosystem: string): Promise<unknown[]> => {
    const { db } = database
    await db.deleteFrom('job').execute()
    const packageKeys = [packageKeyOf(ecosystem, `requests-${count}`)]
    await matchPackages(db, { packageKeys, now: later(1) })
    const jobs = await db.selectFrom('job').select('key').execute()
    if (jobs.length > 0) await refreshFamilyFindings(db, { ...family, now: later(1) })
    return jobs.map(({ key }) => key)
  }

  it('reaches what the package owns, once', async () => {
    await addGhsa()
    await addDebian(patchedLater)
    await upload()
    await addDebian(patched)
    expect(await changed('Debian')).toEqual([family.familyId])
    expect(await findings()).toEqual([])
    expect(await changed('Debian')).toEqual([])
    expect(await changed('PyPI')).toEqual([])
    await addDebian(patched, { withdrawn: true })
    expect(await changed('Debian')).toEqual([family.familyId])
    expect(await findings()).toEqual([cve()])
  })

  it('reaches a component whose copies have different owners', async () => {
    const other = debian(`other-${count}`, '1', '11')
    await addGhsa()
    await addRecord(database.db, {
      id: `DSA-${count}`,
      upstream: [cve()],
      affected: [
        { ecosystem: 'Debian', name: `other-${count}`, release: '11', scheme: 'dpkg', ranges: [['0', '1']] },
      ],
    })
    await addDebian(patchedLater)
    const sbomId = await upload([other, outside(), inside()], [[0, 2]])
    await addCopy(database.db, family, { sbomId, number: 3, copy: 77 })
    await sql`
      update sbom set owner_numbers = owner_numbers || 2, owned_numbers = owned_numbers || 77
      where id = ${sbomId}`.execute(database.db)
    await refreshFamilyFindings(database.db, { ...family, now: later(1) })
    expect(await findings()).toContain(cve())
    await addDebian(patched)
    expect(await changed('Debian')).toEqual([family.familyId])
    expect(await findings()).toEqual([])
  })

  it('reaches no family whose own SBOM does not say who owns the component', async () => {
    await addGhsa()
    await addDebian(patchedLater)
    await upload([inside()], [])
    await addDebian(patched)
    expect(await changed('Debian')).toEqual([])
    expect(await findings()).toEqual([cve()])
  })
})
