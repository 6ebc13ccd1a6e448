import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countFindingsOfSbom, countFindingsOfVersions } from '../../src/findings/reads/count-findings.ts'
import { countOwnFindings } from '../../src/findings/reads/count-own-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import type { SbomKey } from '../../src/findings/version-slot.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import {
  decideFindings,
  revokeDecisions,
  undoDecisions,
} from '../../src/findings/verdicts/decide-findings.ts'
import { refreshExpired } from '../../src/vex/decisions/end-decisions.ts'
import { listVulnerabilities } from '../../src/vulnerabilities/list-vulnerabilities.ts'
import { loadRecords } from '../matching/match-support.ts'
import { later, testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { addMember } from '../support/rows.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { record } from '../vulndata/support.ts'

/** Notices of distributions and their CVEs (USN, DSA, ALSA …). */

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
    deb('USN-3-1', 'nginx', { upstream: ['CVE-2026-3001', 'CVE-2026-3002'] }),
    deb('UBUNTU-CVE-2026-3001', 'nginx', { upstream: ['CVE-2026-3001'] }),
    deb('UBUNTU-CVE-2026-3002', 'nginx', { upstream: ['CVE-2026-3002'] }),
    deb('USN-4-1', 'bind', { upstream: ['CVE-2026-4001', 'CVE-2026-4002'] }),
    deb('USN-6-1', 'dhcp', { upstream: ['CVE-2026-6001', 'CVE-2026-6002'] }),
    deb('UBUNTU-CVE-2026-6001', 'dhcp', { upstream: ['CVE-2026-6001'] }),
    deb('UBUNTU-CVE-2026-6002', 'dhcp', { upstream: ['CVE-2026-6002'] }),
    deb('DSA-5-1', 'exim', { aliases: ['CVE-2026-5001'], upstream: ['CVE-2026-5002'] }),
    record('GHSA-aaaa-bbbb-cccc', 'npm/openvpn-client', { aliases: ['CVE-2026-1001'] }),
    record('GHSA-dddd-eeee-ffff', 'npm/openvpn-client', {}),
  )
})
afterAll(() => scene.close())

const purls = {
  openvpn: 'pkg:deb/ubuntu/openvpn@1.0-1?distro=ubuntu-24.04',
  curl: 'pkg:deb/ubuntu/curl@1.0-1?distro=ubuntu-24.04',
  nginx: 'pkg:deb/ubuntu/nginx@1.0-1?distro=ubuntu-24.04',
  bind: 'pkg:deb/ubuntu/bind@1.0-1?distro=ubuntu-24.04',
  dhcp: 'pkg:deb/ubuntu/dhcp@1.0-1?distro=ubuntu-24.04',
  exim: 'pkg:deb/ubuntu/exim@1.0-1?distro=ubuntu-24.04',
  client: 'pkg:npm/openvpn-client@1.0.0',
}

async function matched(...names: (keyof typeof purls)[]): Promise<SbomKey> {
  const components = names.map((name) => {
    const version = name === 'client' ? '1.0.0' : '1.0-1'
    return { type: 'library', name, version, purl: purls[name] }
  })
  const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: scene.serial(), components }
  return scene.matched(document)
}

async function familyOf({
  workspaceId,
  sbomId,
}: SbomKey): Promise<{ workspaceId: string; familyId: string }> {
  const { family_id: familyId } = await scene.database.db
    .selectFrom('sbom')
    .select('family_id')
    .where('id', '=', sbomId)
    .executeTakeFirstOrThrow()
  return { workspaceId, familyId }
}

/** Every page, result and file counts in one of these ways. */
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
  sbom: count,
  own: count,
  findings: count,
  family: count,
  version: count,
  list: count,
})

async function titles(key: SbomKey): Promise<string[]> {
  const { rows } = await listFindings(scene.database.db, key)
  return rows.map(({ title, component }) => `${title} ${component.name}`).sort()
}

async function act(key: SbomKey) {
  const id = await addMember(scene.database.db, key.workspaceId)
  return { workspaceId: key.workspaceId, actor: { kind: 'person' as const, id, name: 'Olga' }, now: testNow }
}

/** A member's decision on one finding; returns its batch. */
async function decide(
  key: SbomKey,
  title: string,
  verdict: 'not_affected' | 'fixed' | 'affected',
  expiresAt: string | null = null,
): Promise<string> {
  const { rows } = await listFindings(scene.database.db, { ...key, verdict: 'all' })
  const findingIds = rows.filter((row) => row.title === title).map(({ id }) => id)
  const { batch } = await decideFindings(scene.database.db, await act(key), {
    findingIds,
    verdict,
    comment: 'It was looked at.',
    everyVersion: false,
    expiresAt,
  })
  return batch
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
    await decide(key, 'CVE-2026-1001', 'not_affected')
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

  it('is none of them, also where it calls one its alias', async () => {
    const key = await matched('exim')
    expect(await titles(key)).toEqual(['DSA-5-1 exim'])
    expect(await counted(key)).toEqual(all(2))
  })

  it('is settled when every one of them is, with the most cautious verdict, and no longer when one is taken back', async () => {
    const key = await matched('nginx')
    const verdictOf = async () => {
      const { rows } = await listFindings(scene.database.db, { ...key, verdict: 'all' })
      return rows.find(({ title }) => title === 'USN-3-1')?.verdict
    }
    await decide(key, 'CVE-2026-3001', 'not_affected')
    expect(await verdictOf()).toBeNull()
    expect(await counted(key)).toEqual(all(2))
    const second = await decide(key, 'CVE-2026-3002', 'fixed')
    expect(await verdictOf()).toBe('fixed')
    expect(await titles(key)).toEqual([])
    expect(await counted(key)).toEqual(all(0))
    await undoDecisions(scene.database.db, await act(key), second)
    expect(await verdictOf()).toBeNull()
    await decide(key, 'CVE-2026-3002', 'affected')
    expect(await verdictOf()).toBeNull()
    await decide(key, 'USN-3-1', 'not_affected')
    expect(await verdictOf()).toBe('not_affected')
  })

  it('is open again when a decision ends on one that is not found by itself any more', async () => {
    const { db } = scene.database
    const key = await matched('dhcp')
    const settle = async (expiresAt: string | null) => {
      const first = await decide(key, 'CVE-2026-6001', 'not_affected', expiresAt)
      await decide(key, 'CVE-2026-6002', 'fixed')
      await publish(testNow.toISOString())
      expect(await titles(key)).toEqual([])
      return first
    }
    const publish = async (withdrawn?: string) => {
      const upstream = ['CVE-2026-6001']
      await loadRecords(db, deb('UBUNTU-CVE-2026-6001', 'dhcp', { upstream, withdrawn }))
      await refreshFamilyFindings(db, { ...(await familyOf(key)), now: testNow })
    }
    await revokeDecisions(db, await act(key), { batchId: await settle(null) })
    expect(await titles(key)).toEqual(['USN-6-1 dhcp'])
    await publish()
    await settle(later(1).toISOString())
    await refreshExpired(db, later(1))
    await drain(db, later(1))
    expect(await titles(key)).toEqual(['USN-6-1 dhcp'])
  })

  it('is settled by what a document says of each of them', async () => {
    const key = await matched('bind')
    const says = async (...said: [name: string, status: 'fixed' | 'not_affected'][]) => {
      const statements = said.map(([name, status]) => {
        const why = status === 'fixed' ? {} : { justification: 'vulnerable_code_not_present' }
        return { vulnerability: { name }, products: [{ '@id': purls.bind }], status, ...why }
      })
      const document = {
        '@context': 'https://openvex.dev/ns/v0.2.0',
        '@id': `https://acme.example/${scene.serial()}`,
        author: 'Acme',
        timestamp: '2026-01-01T00:00:00Z',
        version: 1,
        statements,
      }
      await scene.uploadedVex(JSON.stringify(document))
      await refreshFamilyFindings(scene.database.db, { ...(await familyOf(key)), now: testNow })
    }
    await says(['CVE-2026-4001', 'fixed'])
    expect(await titles(key)).toEqual(['USN-4-1 bind'])
    await says(['CVE-2026-4001', 'fixed'], ['CVE-2026-4002', 'not_affected'])
    expect(await titles(key)).toEqual([])
    const { rows } = await listFindings(scene.database.db, { ...key, verdict: 'all' })
    expect(rows).toMatchObject([{ title: 'USN-4-1', verdict: 'fixed', verdictSource: 'document' }])
  })
})
