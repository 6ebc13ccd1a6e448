import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Verdict, VexTarget } from '../../src/contract/vex.ts'
import { decideFindings, revokeDecision, selectDecisionHistory } from '../../src/matching/decide-findings.ts'
import { describeVerdict } from '../../src/matching/describe-verdict.ts'
import { matchSbom } from '../../src/matching/match-sbom.ts'
import { refreshFamilyFindings } from '../../src/matching/refresh-findings.ts'
import { countFindingsOfSbom, listFindings } from '../../src/matching/select-findings.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addRecord } from '../matching/records.ts'
import {
  addFamily,
  addSbom,
  addVersion,
  addWorkspace,
  debian,
  later,
  npm,
  start,
  type Family,
  type Part,
} from '../matching/scene.ts'
import { addMember, applyDocument, sendDocument, verdictsOf, type Said } from './verdict-scene.ts'

let database: TestDatabase
let workspaceId: string
let otherWorkspaceId: string
let personId: string
let family: Family
let versionId: string
let count = 0

beforeAll(async () => {
  database = await createTestDatabase()
  workspaceId = await addWorkspace(database.db, 'acme')
  otherWorkspaceId = await addWorkspace(database.db, 'other')
  personId = await addMember(database.db, workspaceId)
  const affected = { ecosystem: 'npm', scheme: 'semver', ranges: [['0', null]] } as const
  await addRecord(database.db, {
    id: 'GHSA-aaaa-bbbb-cccc',
    group: 'CVE-2024-1',
    aliases: ['CVE-2024-1'],
    affected: [{ ...affected, name: 'left' }],
  })
  await addRecord(database.db, { id: 'GHSA-dddd-eeee-ffff', affected: [{ ...affected, name: 'right' }] })
  await addRecord(database.db, {
    id: 'DEBIAN-CVE-2024-3',
    upstream: ['CVE-2024-3'],
    affected: [{ ecosystem: 'Debian', release: '12', name: 'deep', scheme: 'dpkg', ranges: [['0', null]] }],
  })
  await addRecord(database.db, {
    id: 'DSA-1-1',
    upstream: ['CVE-2024-4', 'CVE-2024-5'],
    affected: [{ ecosystem: 'Debian', release: '12', name: 'deep', scheme: 'dpkg', ranges: [['0', null]] }],
  })
})
afterAll(() => database.drop())

beforeEach(async () => {
  count += 1
  family = await addFamily(database.db, workspaceId, `Family ${count}`)
  versionId = await addVersion(database.db, family, '1.0')
})

async function upload(parts: readonly Part[], slot: string | null = versionId): Promise<string> {
  const sbomId = await addSbom(database.db, family, { versionId: slot, parts })
  await matchSbom(database.db, { workspaceId, sbomId, now: start })
  return sbomId
}

const left = (verdict: Verdict, more: Said = {}): Said => ({
  vulnerabilityIds: ['CVE-2024-1'],
  verdict,
  targets: [{ kind: 'component', purl: 'pkg:npm/left' }],
  ...more,
})
const product: VexTarget[] = [{ kind: 'product', purl: 'pkg:generic/pump' }]

const verdicts = async () => (await verdictsOf(database.db, family)).map(({ verdict }) => verdict)

async function findingId(component: string, version: string | null = '1.0'): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select f.id from finding f join component_identity i on i.id = f.identity_id
     left join product_version p on p.id = f.version_id
     where f.family_id = $1 and i.subject = $2 and p.name is not distinct from $3 and f.closed_at is null`,
    [family.familyId, component, version],
  )
  return rows[0]?.id ?? ''
}

type Word = Parameters<typeof decideFindings>[2]

async function decide(findingIds: string[], word: Partial<Word> = {}, now = later(1)): Promise<number> {
  const act = { workspaceId, actor: { kind: 'person', id: personId, name: 'Olga' } as const, now }
  return decideFindings(database.db, act, {
    findingIds,
    verdict: 'not_affected',
    comment: 'We never call it.',
    everyVersion: false,
    ...word,
  })
}

const refresh = (now: Date = later(2)) => refreshFamilyFindings(database.db, { ...family, now })

describe('a statement', () => {
  it('counts for the component it names, by any id of the vulnerability', async () => {
    await upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    await applyDocument(database.db, family, {
      statements: [left('not_affected', { vulnerabilityIds: ['GHSA-aaaa-bbbb-cccc'] })],
    })
    expect(await verdictsOf(database.db, family)).toEqual([
      {
        version: '1.0',
        component: 'left 1.0.0',
        title: 'CVE-2024-1',
        verdict: 'not_affected',
        source: 'document',
      },
      { version: '1.0', component: 'right 1.0.0', title: 'GHSA-dddd-eeee-ffff', verdict: null, source: null },
    ])
  })

  it('waits for an SBOM that brings the component', async () => {
    await sendDocument(database.db, family, { statements: [left('fixed')] })
    await upload([npm('left', '1.0.0')])
    expect(await verdicts()).toEqual(['fixed'])
  })

  it('names no other version of the component', async () => {
    await upload([npm('left', '1.0.0'), npm('left', '2.0.0')])
    await applyDocument(database.db, family, {
      statements: [left('not_affected', { targets: [{ kind: 'component', purl: 'pkg:npm/left@2.0.0' }] })],
    })
    expect(await verdicts()).toEqual([null, 'not_affected'])
  })

  it('on the CVE counts for a distribution’s record of that CVE, and not for a notice of several', async () => {
    await upload([debian('deep', '1.0', '12')])
    const targets: VexTarget[] = [{ kind: 'component', purl: 'pkg:debian/deep' }]
    await applyDocument(database.db, family, {
      statements: [
        { vulnerabilityIds: ['CVE-2024-3'], verdict: 'not_affected', targets },
        { vulnerabilityIds: ['CVE-2024-4'], verdict: 'not_affected', targets },
      ],
    })
    expect(await verdictsOf(database.db, family)).toMatchObject([
      { title: 'DEBIAN-CVE-2024-3', verdict: 'not_affected' },
      { title: 'DSA-1-1', verdict: null },
    ])
  })

  it('of another family or workspace counts nowhere else', async () => {
    await upload([npm('left', '1.0.0')])
    const sibling = await addFamily(database.db, workspaceId, `Sibling ${count}`)
    const stranger = await addFamily(database.db, otherWorkspaceId, `Stranger ${count}`)
    for (const other of [sibling, stranger]) {
      await applyDocument(database.db, other, { statements: [left('not_affected')] })
    }
    await refresh()
    expect(await verdicts()).toEqual([null])
  })

  it('that reports without judging changes no verdict', async () => {
    await upload([npm('left', '1.0.0')])
    const { verdict: _verdict, ...finding } = left('affected')
    await applyDocument(database.db, family, { statements: [], findings: [finding] })
    expect(await verdicts()).toEqual([null])
  })

  it('on the whole product counts for every component that has the vulnerability', async () => {
    await upload([npm('left', '1.0.0'), npm('left', '2.0.0')])
    await applyDocument(database.db, family, { statements: [left('not_affected', { targets: product })] })
    expect(await verdicts()).toEqual(['not_affected', 'not_affected'])
  })

  it('on the main component of the active SBOM speaks of the whole product', async () => {
    const sbomId = await upload([npm('left', '1.0.0')])
    const main = JSON.stringify({ name: 'pump', version: '1.0', purl: 'pkg:generic/pump@1.0', cpe: null })
    await database.db.updateTable('sbom').set({ main_component: main }).where('id', '=', sbomId).execute()
    const target = (purl: string): VexTarget[] => [{ kind: 'component', purl }]
    await applyDocument(database.db, family, {
      statements: [left('not_affected', { targets: target('pkg:generic/pump@2.0') })],
    })
    expect(await verdicts()).toEqual([null])
    await applyDocument(database.db, family, {
      statements: [left('not_affected', { targets: target('pkg:generic/pump@1.0') })],
    })
    expect(await verdicts()).toEqual(['not_affected'])
  })

  it('narrowed to versions of the product counts for these', async () => {
    await upload([npm('left', '1.0.0')])
    const versions = (version: string): VexTarget[] => [
      { kind: 'product', purl: 'pkg:generic/pump', versions: [{ version, status: 'affected' }] },
    ]
    await applyDocument(database.db, family, { statements: [left('fixed', { targets: versions('2.0') })] })
    expect(await verdicts()).toEqual([null])
    await applyDocument(database.db, family, { statements: [left('fixed', { targets: versions('1.0') })] })
    expect(await verdicts()).toEqual(['fixed'])
  })
})

describe('a document', () => {
  it('for a version counts for that version', async () => {
    const second = await addVersion(database.db, family, '2.0')
    await upload([npm('left', '1.0.0')])
    await upload([npm('left', '1.0.0')], second)
    await upload([npm('left', '1.0.0')], null)
    await applyDocument(database.db, family, { versionId: second, statements: [left('fixed')] })
    expect(await verdicts()).toEqual([null, null, 'fixed'])
    await applyDocument(database.db, family, { statements: [left('affected')] })
    expect(await verdicts()).toEqual(['affected', 'affected', 'fixed'])
  })

  it('that is replaced counts no more', async () => {
    await upload([npm('left', '1.0.0')])
    await applyDocument(database.db, family, { statements: [left('not_affected')] })
    await applyDocument(database.db, family, {
      statements: [left('affected', { vulnerabilityIds: ['CVE-1999-1'] })],
    })
    expect(await verdicts()).toEqual([null])
  })

  it('of an SBOM counts while the SBOM is the active one', async () => {
    const sbomId = await upload([npm('left', '1.0.0')])
    await applyDocument(database.db, family, { sbomId, versionId, statements: [left('not_affected')] })
    expect(await verdicts()).toEqual(['not_affected'])
    await upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    expect(await verdicts()).toEqual([null, null])
  })
})

describe('of two documents', () => {
  const times = (day: number) => ({ time: `2025-01-0${day}T00:00:00.000Z` })
  it.each<
    [
      string,
      { said: Said; forVersion?: boolean; minute?: number },
      { said: Said; forVersion?: boolean; minute?: number },
    ]
  >([
    [
      'the one for the version counts',
      { said: left('not_affected', { ...times(1), targets: product }), forVersion: true },
      { said: left('affected', times(2)), minute: 5 },
    ],
    [
      'the one on the component counts',
      { said: left('not_affected', times(1)) },
      { said: left('affected', { ...times(2), targets: product }), minute: 5 },
    ],
    [
      'the one stated later counts',
      { said: left('not_affected', times(2)) },
      { said: left('affected', times(1)), minute: 5 },
    ],
    [
      'the one that arrived later counts',
      { said: left('not_affected'), minute: 5 },
      { said: left('affected') },
    ],
    ['the more cautious counts', { said: left('under_investigation') }, { said: left('fixed') }],
  ])('%s', async (_rule, winner, loser) => {
    await upload([npm('left', '1.0.0')])
    const sources = ['hosted_ci', 'sbom_hub'] as const
    for (const [index, { said, forVersion, minute = 0 }] of [winner, loser].entries()) {
      await sendDocument(database.db, family, {
        statements: [said],
        source: sources[index] ?? 'api',
        versionId: forVersion === true ? versionId : null,
        now: later(minute),
      })
    }
    await refresh(later(9))
    expect(await verdicts()).toEqual([winner.said.verdict])
  })
})

describe('a decision', () => {
  it('comes before every statement, and both are shown', async () => {
    await upload([npm('left', '1.0.0')])
    const documentId = await applyDocument(database.db, family, {
      versionId,
      statements: [left('affected')],
      now: later(5),
    })
    const id = await findingId('left')
    await decide([id], { justification: 'vulnerable_code_not_in_execute_path' })
    const detail = await describeVerdict(database.db, { workspaceId, findingId: id, now: later(6) })
    expect(detail).toMatchObject({
      verdict: {
        verdict: 'not_affected',
        source: 'decision',
        justification: 'vulnerable_code_not_in_execute_path',
      },
      decisions: [
        { verdict: 'not_affected', state: 'in_force', decidedBy: 'Olga', comment: 'We never call it.' },
      ],
      statements: [{ documentId, number: 1, verdict: 'affected', decides: false, wholeProduct: false }],
    })
  })

  it('taken back lets the statement count again', async () => {
    await upload([npm('left', '1.0.0')])
    await applyDocument(database.db, family, { statements: [left('affected')] })
    const id = await findingId('left')
    await decide([id])
    expect(await verdicts()).toEqual(['not_affected'])
    const [decision] = await selectDecisionHistory(database.db, { workspaceId, findingId: id, now: later(2) })
    const act = { workspaceId, actor: { kind: 'person', id: personId, name: 'Olga' } as const, now: later(3) }
    await revokeDecision(database.db, { ...act, decisionId: decision?.id ?? '' })
    expect(await verdicts()).toEqual(['affected'])
    await expect(
      revokeDecision(database.db, { ...act, decisionId: decision?.id ?? '' }),
    ).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(
      revokeDecision(database.db, { ...act, workspaceId: otherWorkspaceId, decisionId: decision?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'not_found' })
    const history = await selectDecisionHistory(database.db, { workspaceId, findingId: id, now: later(4) })
    expect(history).toMatchObject([{ state: 'revoked', endedBy: 'Olga', endedAt: later(3).toISOString() }])
  })

  it('follows the package into later SBOMs of its version, whatever the component’s version', async () => {
    await upload([npm('left', '1.0.0')])
    await decide([await findingId('left')])
    await upload([npm('left', '2.0.0'), npm('right', '1.0.0')])
    expect(await verdicts()).toEqual(['not_affected', null])
  })

  it('holds for its version only, or for every version and later ones', async () => {
    const [second, third] = [
      await addVersion(database.db, family, '2.0'),
      await addVersion(database.db, family, '3.0'),
    ]
    await upload([npm('left', '1.0.0')])
    await upload([npm('left', '1.0.0')], second)
    await decide([await findingId('left')])
    await refresh()
    expect(await verdicts()).toEqual(['not_affected', null])
    await decide([await findingId('left', '2.0')], { verdict: 'affected', everyVersion: true }, later(2))
    await refresh(later(3))
    expect(await verdicts()).toEqual(['not_affected', 'affected'])
    await upload([npm('left', '1.1.0')], third)
    expect(await verdicts()).toEqual(['not_affected', 'affected', 'affected'])
  })

  it('is replaced by a later one on the same, which the history keeps', async () => {
    await upload([npm('left', '1.0.0')])
    const id = await findingId('left')
    await decide([id])
    await decide([id], { verdict: 'affected' }, later(2))
    expect(await verdicts()).toEqual(['affected'])
    const history = await selectDecisionHistory(database.db, { workspaceId, findingId: id, now: later(4) })
    expect(history.map(({ verdict, state }) => [verdict, state])).toEqual([
      ['affected', 'in_force'],
      ['not_affected', 'replaced'],
    ])
  })

  it('ends by itself at its date', async () => {
    await upload([npm('left', '1.0.0')])
    await applyDocument(database.db, family, { statements: [left('under_investigation')] })
    const id = await findingId('left')
    await decide([id], { expiresAt: later(60).toISOString() })
    await refresh(later(59))
    expect(await verdicts()).toEqual(['not_affected'])
    await refresh(later(60))
    expect(await verdicts()).toEqual(['under_investigation'])
    const history = await selectDecisionHistory(database.db, { workspaceId, findingId: id, now: later(61) })
    expect(history).toMatchObject([{ state: 'expired', endedAt: later(60).toISOString(), endedBy: null }])
  })

  it('is made on many findings at once, each package and vulnerability once', async () => {
    await upload([npm('left', '1.0.0'), npm('left', '2.0.0'), npm('right', '1.0.0')])
    const { rows } = await database.pool.query<{ id: string }>(
      'select id from finding where family_id = $1',
      [family.familyId],
    )
    expect(await decide(rows.map(({ id }) => id))).toBe(2)
    expect(await verdicts()).toEqual(['not_affected', 'not_affected', 'not_affected'])
    const events = await database.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name', 'object_name'])
      .where('workspace_id', '=', workspaceId)
      .where('action', '=', 'verdict.decided')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(events.map((event) => event.object_name).sort()).toEqual(['CVE-2024-1', 'GHSA-dddd-eeee-ffff'])
  })

  it.each<[string, Partial<Word>, string]>([
    ['no reason for not affected', { comment: ' \u0007' }, 'justification'],
    [
      'a justification of another verdict',
      { verdict: 'fixed', justification: 'component_not_present' },
      'justification',
    ],
    ['an end in the past', { expiresAt: start.toISOString() }, 'expiresAt'],
    ['an end no calendar has', { expiresAt: '2026-02-31T99:00:00Z' }, 'expiresAt'],
    ['a comment of too many characters', { comment: '😀'.repeat(4001) }, 'comment'],
  ])('is refused with %s', async (_name, word, field) => {
    await upload([npm('left', '1.0.0')])
    const refused = decide([await findingId('left')], word)
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { [field]: expect.any(String) as string },
    })
    expect(await verdicts()).toEqual([null])
  })

  it('needs no comment beside a justification, and neither for other verdicts', async () => {
    await upload([npm('left', '1.0.0')])
    const id = await findingId('left')
    await decide([id], { comment: '', justification: 'component_not_present' })
    await decide([id], { comment: '', verdict: 'affected' }, later(2))
    await decide([id], { comment: '😀'.repeat(4000) }, later(3))
    expect(await verdicts()).toEqual(['not_affected'])
  })

  it('is refused on findings of another workspace and of archived families', async () => {
    await upload([npm('left', '1.0.0')])
    const id = await findingId('left')
    const stranger = {
      workspaceId: otherWorkspaceId,
      actor: { kind: 'person', id: personId, name: 'Eve' } as const,
      now: start,
    }
    const word = { findingIds: [id], verdict: 'affected', everyVersion: false } as const
    await expect(decideFindings(database.db, stranger, { ...word, findingIds: [id] })).rejects.toMatchObject({
      code: 'not_found',
    })
    await database.db
      .updateTable('family')
      .set({ archived_at: start })
      .where('id', '=', family.familyId)
      .execute()
    await expect(decide([id])).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('lists and counts', () => {
  it('leave out what is declared not affected or fixed, and say how many', async () => {
    const sbomId = await upload([npm('left', '1.0.0'), npm('right', '1.0.0'), debian('deep', '1.0', '12')])
    await applyDocument(database.db, family, {
      statements: [
        left('not_affected'),
        {
          vulnerabilityIds: ['CVE-2024-3'],
          verdict: 'fixed',
          targets: [{ kind: 'component', purl: 'pkg:debian/deep' }],
        },
        {
          vulnerabilityIds: ['GHSA-dddd-eeee-ffff'],
          verdict: 'affected',
          targets: [{ kind: 'component', purl: 'pkg:npm/right' }],
        },
      ],
    })
    const list = async (verdict?: Parameters<typeof listFindings>[1]['verdict']) => {
      const page = await listFindings(database.db, { workspaceId, sbomId, sort: 'title', verdict })
      return [page.rows.map((row) => [row.title, row.verdict]), page.total, page.hidden]
    }
    const open = [
      ['DSA-1-1', null],
      ['GHSA-dddd-eeee-ffff', 'affected'],
    ]
    expect(await list()).toEqual([open, 2, 2])
    expect(await list('open')).toEqual([open, 2, 2])
    expect(await list('undecided')).toEqual([[['DSA-1-1', null]], 1, 3])
    expect(await list('not_affected')).toEqual([[['CVE-2024-1', 'not_affected']], 1, 3])
    expect(await list('fixed')).toEqual([[['DEBIAN-CVE-2024-3', 'fixed']], 1, 3])
    expect((await list('all')).slice(1)).toEqual([4, 0])
    const counts = await countFindingsOfSbom(database.db, { workspaceId, sbomId })
    expect(counts).toMatchObject({
      total: 2,
      notAffected: 1,
      fixed: 1,
      bySeverity: { high: 2 },
      grades: { exact: 2, possible: 0 },
    })
  })
})
