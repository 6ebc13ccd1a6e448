import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { countFindingsOfSbom, countFindingsOfVersions } from '../../src/findings/reads/count-findings.ts'
import { countOwnFindings } from '../../src/findings/reads/count-own-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import type { SbomKey } from '../../src/findings/version-slot.ts'
import { decideFindings } from '../../src/findings/verdicts/decide-findings.ts'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { loadRecords } from '../matching/match-support.ts'
import { testNow } from '../support/clock.ts'
import { addMember } from '../support/rows.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { record } from '../vulndata/support.ts'

/** Notices of distributions and the CVEs that they are about (USN, DSA, ALSA …). */

let scene: UploadScene

const deb = (id: string, name: string, parts: Record<string, unknown>) =>
  record(id, '-', {
    affected: [
      {
        package: { ecosystem: 'Ubuntu:24.04:LTS', name },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0-1' }] }],
      },
    ],
    ...parts,
  })

beforeAll(async () => {
  scene = await UploadScene.open()
  await loadRecords(
    scene.database.db,
    deb('UBUNTU-CVE-2026-1001', 'openvpn', { upstream: ['CVE-2026-1001'] }),
    deb('USN-1-1', 'openvpn', { upstream: ['CVE-2026-1001', 'UBUNTU-CVE-2026-1001'] }),
    deb('USN-2-1', 'curl', { upstream: ['CVE-2026-2001', 'CVE-2026-2002', 'CVE-2026-2003'] }),
    deb('UBUNTU-CVE-2026-2001', 'curl', { upstream: ['CVE-2026-2001'] }),
    deb('UBUNTU-CVE-2026-2002', 'curl', { upstream: ['CVE-2026-2002'] }),
    record('GHSA-aaaa-bbbb-cccc', 'npm/openvpn-client', { aliases: ['CVE-2026-1001'] }),
    record('GHSA-dddd-eeee-ffff', 'npm/openvpn-client', {}),
  )
})
afterAll(() => scene.close())

const purls = {
  openvpn: 'pkg:deb/ubuntu/openvpn@1.0-1?distro=ubuntu-24.04',
  curl: 'pkg:deb/ubuntu/curl@1.0-1?distro=ubuntu-24.04',
  client: 'pkg:npm/openvpn-client@1.0.0',
}

async function matched(...names: (keyof typeof purls)[]): Promise<SbomKey> {
  const components = names.map((name) => {
    const version = name === 'client' ? '1.0.0' : '1.0-1'
    return { type: 'library', name, version, purl: purls[name] }
  })
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: scene.serial(), components }
  const { id: sbomId } = await scene.uploaded(Buffer.from(JSON.stringify(document)))
  const { workspaceId } = scene.company
  await matchSbom(scene.database.db, { workspaceId, sbomId, now: testNow })
  return { workspaceId, sbomId }
}

/** Every page, result and file counts by one of these. */
async function counted(key: SbomKey): Promise<Record<string, number>> {
  const { db } = scene.database
  const { workspaceId } = key
  const { family_id: familyId, version_id } = await db
    .selectFrom('sbom')
    .select(['family_id', 'version_id'])
    .where('id', '=', key.sbomId)
    .executeTakeFirstOrThrow()
  const versions = await countFindingsOfVersions(db, { workspaceId, familyIds: [familyId] })
  const list = await listVulnerabilities(db, { workspaceId, familyId, verdict: 'open', sort: 'urgency' })
  return {
    sbom: (await countFindingsOfSbom(db, key)).vulnerabilities,
    own: (await countOwnFindings(db, key, testNow)).vulnerabilities,
    findings: (await listFindings(db, key)).vulnerabilities,
    family: versions.vulnerabilitiesOf(familyId),
    version:
      versions.versions.find(({ versionId }) => versionId === version_id)?.findings.vulnerabilities ?? 0,
    list: list.total,
  }
}

const all = (count: number) => ({
  ...{ sbom: count, own: count, findings: count, family: count, version: count, list: count },
})

async function titles(key: SbomKey): Promise<string[]> {
  const { rows } = await listFindings(scene.database.db, key)
  return rows.map(({ title, component }) => `${title} ${component.name}`).sort()
}

describe('a notice of one CVE is that CVE', () => {
  it('and one finding of a component, counted once everywhere', async () => {
    const key = await matched('openvpn')
    expect(await titles(key)).toEqual(['CVE-2026-1001 openvpn'])
    expect(await counted(key)).toEqual(all(1))
  })

  it('also beside a package of another ecosystem that has it', async () => {
    const key = await matched('openvpn', 'client')
    expect(await titles(key)).toEqual([
      'CVE-2026-1001 client',
      'CVE-2026-1001 openvpn',
      'GHSA-dddd-eeee-ffff client',
    ])
    expect(await counted(key)).toEqual(all(2))
  })

  it('and one verdict settles it', async () => {
    const key = await matched('openvpn')
    const { db } = scene.database
    const { rows } = await listFindings(db, key)
    const actor = { kind: 'person' as const, id: await addMember(db, key.workspaceId), name: 'Olga' }
    await decideFindings(
      db,
      { workspaceId: key.workspaceId, actor, now: testNow },
      {
        findingIds: rows.map(({ id }) => id),
        verdict: 'not_affected',
        justification: 'vulnerable_code_not_present',
        comment: '',
        everyVersion: false,
        expiresAt: null,
      },
    )
    expect(await titles(key)).toEqual([])
    expect(await counted(key)).toEqual(all(0))
  })
})

describe('a notice of several CVEs', () => {
  it('adds those alone that nothing else names', async () => {
    const key = await matched('curl')
    expect(await titles(key)).toEqual(['CVE-2026-2001 curl', 'CVE-2026-2002 curl', 'USN-2-1 curl'])
    expect(await counted(key)).toEqual(all(3))
  })
})
