import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { VexTarget } from '../../src/contract/vex/shapes.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { listReported } from '../../src/views/vex/list-reported.ts'
import { countFindingsOfSbom } from '../../src/findings/reads/count-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { debian, npm } from '../support/parts.ts'
import { addFamily, addSbom, addVersion } from '../support/rows.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { applyDocument, left, sendDocument, verdictsOf, VerdictScene, type Said } from './verdict-scene.ts'
import { later } from '../support/clock.ts'

let scene: VerdictScene

beforeAll(async () => {
  scene = await VerdictScene.open()
})
beforeEach(() => scene.next())
afterAll(() => scene.close())

const product: VexTarget[] = [{ kind: 'product', purl: 'pkg:generic/pump' }]

describe('a statement', () => {
  it('counts for the component it names, by any id of the vulnerability', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    await applyDocument(scene.db, scene.family, {
      statements: [left('not_affected', { vulnerabilityIds: ['GHSA-aaaa-bbbb-cccc'] })],
    })
    expect(await verdictsOf(scene.db, scene.family)).toEqual([
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

  it('waits for an SBOM with the component', async () => {
    await sendDocument(scene.db, scene.family, { statements: [left('fixed')] })
    await scene.upload([npm('left', '1.0.0')])
    expect(await scene.verdicts()).toEqual(['fixed'])
  })

  it('names no other version of the component', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('left', '2.0.0')])
    await applyDocument(scene.db, scene.family, {
      statements: [left('not_affected', { targets: [{ kind: 'component', purl: 'pkg:npm/left@2.0.0' }] })],
    })
    expect(await scene.verdicts()).toEqual([null, 'not_affected'])
  })

  it('on the CVE counts for a distribution’s record of that CVE, and not for a notice of several', async () => {
    await scene.upload([debian('deep', '1.0', '12')])
    const targets: VexTarget[] = [{ kind: 'component', purl: 'pkg:debian/deep' }]
    await applyDocument(scene.db, scene.family, {
      statements: [
        { vulnerabilityIds: ['CVE-2024-3'], verdict: 'not_affected', targets },
        { vulnerabilityIds: ['CVE-2024-4'], verdict: 'not_affected', targets },
      ],
    })
    expect(await verdictsOf(scene.db, scene.family)).toMatchObject([
      { title: 'DEBIAN-CVE-2024-3', verdict: 'not_affected' },
      { title: 'DSA-1-1', verdict: null },
    ])
  })

  it('of another family or workspace counts nowhere else', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const sibling = await addFamily(scene.db, scene.workspaceId, `Sibling ${scene.count}`)
    const stranger = await addFamily(scene.db, scene.otherWorkspaceId, `Stranger ${scene.count}`)
    for (const other of [sibling, stranger]) {
      await applyDocument(scene.db, other, { statements: [left('not_affected')] })
    }
    await scene.refresh()
    expect(await scene.verdicts()).toEqual([null])
  })

  it('that reports without judging changes no verdict', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const { verdict: _verdict, ...finding } = left('affected')
    await applyDocument(scene.db, scene.family, { statements: [], findings: [finding] })
    expect(await scene.verdicts()).toEqual([null])
  })

  it('on the whole product counts for every component that has the vulnerability', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('left', '2.0.0')])
    await applyDocument(scene.db, scene.family, { statements: [left('not_affected', { targets: product })] })
    expect(await scene.verdicts()).toEqual(['not_affected', 'not_affected'])
  })

  it('on the main component of the active SBOM speaks of the whole product', async () => {
    const sbomId = await scene.upload([npm('left', '1.0.0')])
    const main = JSON.stringify({ name: 'pump', version: '1.0', purl: 'pkg:generic/pump@1.0', cpe: null })
    await scene.db.updateTable('sbom').set({ main_component: main }).where('id', '=', sbomId).execute()
    const target = (purl: string): VexTarget[] => [{ kind: 'component', purl }]
    await applyDocument(scene.db, scene.family, {
      statements: [left('not_affected', { targets: target('pkg:generic/pump@2.0') })],
    })
    expect(await scene.verdicts()).toEqual([null])
    await applyDocument(scene.db, scene.family, {
      statements: [left('not_affected', { targets: target('pkg:generic/pump@1.0') })],
    })
    expect(await scene.verdicts()).toEqual(['not_affected'])
  })

  it('narrowed to versions of the product counts for these', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const versions = (version: string): VexTarget[] => [
      { kind: 'product', purl: 'pkg:generic/pump', versions: [{ version, status: 'affected' }] },
    ]
    await applyDocument(scene.db, scene.family, { statements: [left('fixed', { targets: versions('2.0') })] })
    expect(await scene.verdicts()).toEqual([null])
    await applyDocument(scene.db, scene.family, { statements: [left('fixed', { targets: versions('1.0') })] })
    expect(await scene.verdicts()).toEqual(['fixed'])
  })
})

describe('a BOM-Link', () => {
  const serialNumber = '3e671687-395b-41f5-a30f-a58921a69b79'
  const link = (ref: string): VexTarget[] => [
    { kind: 'bom_link', bomLink: { serialNumber, version: 2, ref } },
  ]

  /** Adds the references that documents point to. */
  async function describeSbom(sbomId: string): Promise<void> {
    const raw = cyclonedx({
      metadata: { component: { type: 'application', name: 'pump', 'bom-ref': 'pump' } },
      components: [
        { type: 'library', name: 'left', 'bom-ref': 'l1', purl: 'pkg:npm/left@1.0.0' },
        { type: 'library', name: 'left', 'bom-ref': 'l2', purl: 'pkg:npm/left@2.0.0' },
      ],
    })
    await scene.db
      .updateTable('sbom')
      .set({ document_id: `urn:cdx:${serialNumber}/2`, raw: Buffer.from(raw) })
      .where('id', '=', sbomId)
      .execute()
  }

  it('to a component of a stored SBOM counts for that component', async () => {
    await describeSbom(await scene.upload([npm('left', '1.0.0'), npm('left', '2.0.0')]))
    await applyDocument(scene.db, scene.family, {
      statements: [left('not_affected', { targets: link('l2'), unboundReason: 'unknown_reference' })],
    })
    expect(await scene.verdicts()).toEqual([null, 'not_affected'])
  })

  it('waits for the SBOM, and counts in other versions as soon as it comes', async () => {
    const second = await addVersion(scene.db, scene.family, '2.0')
    await scene.upload([npm('left', '2.0.0')], second)
    await applyDocument(scene.db, scene.family, { statements: [left('fixed', { targets: link('l2') })] })
    expect(await scene.verdicts()).toEqual([null])
    const sbomId = await addSbom(scene.db, scene.family, {
      versionId: scene.versionId,
      parts: [npm('left', '1.0.0')],
    })
    await describeSbom(sbomId)
    await matchSbom(scene.db, { workspaceId: scene.workspaceId, sbomId, now: later(1) })
    const orders = await scene.db
      .selectFrom('job')
      .select('kind')
      .where('key', '=', scene.family.familyId)
      .execute()
    expect(orders).toEqual([{ kind: 'refresh_findings' }])
    await scene.refresh()
    expect(await scene.verdicts()).toEqual([null, 'fixed'])
  })

  it('to the main component speaks of that version as a whole', async () => {
    const second = await addVersion(scene.db, scene.family, '2.0')
    await describeSbom(await scene.upload([npm('left', '1.0.0')]))
    await scene.upload([npm('left', '1.0.0')], second)
    await applyDocument(scene.db, scene.family, { statements: [left('affected', { targets: link('pump') })] })
    expect(await scene.verdicts()).toEqual(['affected', null])
  })

  it('to what the SBOM does not have binds nothing', async () => {
    await describeSbom(await scene.upload([npm('left', '1.0.0')]))
    await applyDocument(scene.db, scene.family, {
      statements: [left('affected', { targets: link('nothing') })],
    })
    expect(await scene.verdicts()).toEqual([null])
  })
})

describe('a document', () => {
  it('for a version counts for that version', async () => {
    const second = await addVersion(scene.db, scene.family, '2.0')
    await scene.upload([npm('left', '1.0.0')])
    await scene.upload([npm('left', '1.0.0')], second)
    await scene.upload([npm('left', '1.0.0')], null)
    await applyDocument(scene.db, scene.family, { versionId: second, statements: [left('fixed')] })
    expect(await scene.verdicts()).toEqual([null, null, 'fixed'])
    await applyDocument(scene.db, scene.family, { statements: [left('affected')] })
    expect(await scene.verdicts()).toEqual(['affected', 'affected', 'fixed'])
  })

  it('that is replaced no longer counts', async () => {
    await scene.upload([npm('left', '1.0.0')])
    await applyDocument(scene.db, scene.family, { statements: [left('not_affected')] })
    await applyDocument(scene.db, scene.family, {
      statements: [left('affected', { vulnerabilityIds: ['CVE-1999-1'] })],
    })
    expect(await scene.verdicts()).toEqual([null])
  })

  it('of an SBOM counts while the SBOM is the active one', async () => {
    const sbomId = await scene.upload([npm('left', '1.0.0')])
    await applyDocument(scene.db, scene.family, {
      sbomId,
      versionId: scene.versionId,
      statements: [left('not_affected')],
    })
    expect(await scene.verdicts()).toEqual(['not_affected'])
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    expect(await scene.verdicts()).toEqual([null, null])
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
    await scene.upload([npm('left', '1.0.0')])
    const sources = ['hosted_ci', 'sbom_hub'] as const
    for (const [index, { said, forVersion, minute = 0 }] of [winner, loser].entries()) {
      await sendDocument(scene.db, scene.family, {
        statements: [said],
        source: sources[index] ?? 'api',
        versionId: forVersion === true ? scene.versionId : null,
        now: later(minute),
      })
    }
    await scene.refresh(later(9))
    expect(await scene.verdicts()).toEqual([winner.said.verdict])
  })
})

describe('lists and counts', () => {
  it('leave out what is declared not affected or fixed, and say how many', async () => {
    const sbomId = await scene.upload([
      npm('left', '1.0.0'),
      npm('right', '1.0.0'),
      debian('deep', '1.0', '12'),
    ])
    await applyDocument(scene.db, scene.family, {
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
      const page = await listFindings(scene.db, {
        workspaceId: scene.workspaceId,
        sbomId,
        sort: 'title',
        verdict,
      })
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
    expect(await list('fixed')).toEqual([[['CVE-2024-3', 'fixed']], 1, 3])
    expect((await list('all')).slice(1)).toEqual([4, 0])
    const { rows } = await listComponents(scene.db, {
      workspaceId: scene.workspaceId,
      sbomId,
      search: undefined,
      sort: 'name',
      cursor: undefined,
    })
    expect(rows.map(({ name, findings }) => [name, findings])).toEqual([
      ['deep', 1],
      ['left', 0],
      ['right', 1],
    ])
    const counts = await countFindingsOfSbom(scene.db, { workspaceId: scene.workspaceId, sbomId })
    expect(counts).toMatchObject({
      total: 2,
      notAffected: 1,
      fixed: 1,
      bySeverity: { high: 2 },
      grades: { exact: 2, possible: 0 },
    })
  })
})

describe('what scanners report', () => {
  const reported = (ids: string[], purl: string | null): Said => ({
    vulnerabilityIds: ids,
    targets: purl === null ? [] : [{ kind: 'component', purl }],
  })
  const list = async (versionId?: string | null) => {
    const page = await listReported(scene.db, { ...scene.family, versionId })
    expect(page.total).toBe(page.rows.length)
    return page.rows.map(({ vulnerabilityIds, title, component }) => [
      vulnerabilityIds[0],
      title,
      component?.name,
    ])
  }

  it('is listed where our own matching has not found it on that component', async () => {
    const sbomId = await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    await sendDocument(scene.db, scene.family, {
      sbomId,
      versionId: scene.versionId,
      statements: [],
      findings: [
        reported(['GHSA-aaaa-bbbb-cccc'], 'pkg:npm/left@1.0.0?x=1'),
        reported(['CVE-2024-1'], 'pkg:npm/left'),
        reported(['CVE-2024-1'], null),
        reported(['CVE-2024-1'], 'pkg:npm/left@2.0.0'),
        reported(['CVE-2024-1'], 'pkg:npm/right@1.0.0'),
        reported(['CVE-1999-1'], 'pkg:npm/%40a/left@1.0.0'),
        reported(['CVE-1999-2'], null),
      ],
    })
    const expected = [
      ['CVE-2024-1', 'CVE-2024-1', 'left'],
      ['CVE-2024-1', 'CVE-2024-1', 'right'],
      ['CVE-1999-1', null, '@a/left'],
      ['CVE-1999-2', null, undefined],
    ]
    expect(await list()).toEqual(expected)
    expect(await list(scene.versionId)).toEqual(expected)
    expect(await list(null)).toEqual([])
  })

  it('is gone with the SBOM or document that reports it', async () => {
    const sbomId = await scene.upload([npm('left', '1.0.0')])
    const findings = [reported(['CVE-1999-1'], 'pkg:npm/left')]
    await sendDocument(scene.db, scene.family, {
      sbomId,
      versionId: scene.versionId,
      statements: [],
      findings,
    })
    expect(await list()).toHaveLength(1)
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    expect(await list()).toEqual([])
    await sendDocument(scene.db, scene.family, { statements: [], findings })
    expect(await list(null)).toHaveLength(1)
    await sendDocument(scene.db, scene.family, { statements: [left('fixed')] })
    expect(await list()).toEqual([])
  })
})
