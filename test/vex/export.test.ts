import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verdicts, vexFormats, type Verdict, type VexFormat } from '../../src/contract/vex/shapes.ts'
import { readVex } from '../../src/formats/vex/read-vex.ts'
import { writeVex } from '../../src/formats/vex/write/write-vex.ts'
import { selectVexEntries } from '../../src/views/vex/export-verdicts.ts'
import { debian, npm, type Part } from '../support/parts.ts'
import { addVersion } from '../support/rows.ts'
import { applyDocument, left, verdictsOf, VerdictScene } from './verdict-scene.ts'
import { later } from '../support/clock.ts'

let scene: VerdictScene

beforeAll(async () => {
  scene = await VerdictScene.open()
})
afterAll(() => scene.close())

async function exported(format: VexFormat, version: string | null): Promise<unknown> {
  const { product, entries } = await selectVexEntries(scene.db, { ...scene.family, version })
  const text = writeVex(format, {
    revision: { documentId: randomUUID(), number: 1, firstAt: later(60), at: later(60) },
    author: 'Acme',
    namespace: 'https://acme.example',
    address: 'https://acme.example/vex.json',
    product,
    entries,
  })
  return JSON.parse(text)
}

/** Sends an exported document to the family of the scene. */
async function receive(document: unknown, versionId: string | null): Promise<void> {
  const { statements } = readVex(document)
  await applyDocument(scene.db, scene.family, { statements, versionId, now: later(61) })
}

const found = async () =>
  (await verdictsOf(scene.db, scene.family)).map(({ version, component, title, verdict }) =>
    [version, component, title, verdict].join(' '),
  )

const parts: Part[] = [
  npm('left', '1.0.0'),
  npm('left', '2.0.0'),
  npm('right', '1.0.0'),
  debian('deep', '1.0', '12'),
]

/** Every finding of one version is decided, or left open. */
const judged = fc.array(fc.option(fc.constantFrom(...verdicts)), { minLength: 4, maxLength: 4 })

describe.each(vexFormats)('%s', (format) => {
  it('of a version reads back to the same verdicts', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(judged, fc.boolean(), async (wanted, byMember) => {
        fc.pre(wanted.some((verdict) => verdict !== null))
        await scene.next()
        await scene.upload(parts)
        await judge(wanted, byMember)
        const document = await exported(format, '1.0')
        const before = await found()
        await scene.next()
        await scene.upload(parts)
        await receive(document, scene.versionId)
        expect(await found()).toEqual(before)
      }),
      { numRuns: 8 },
    )
  })

  it('carries justification, reason and action', async () => {
    await scene.next()
    await scene.upload(parts.slice(0, 3))
    await applyDocument(scene.db, scene.family, {
      statements: [
        left('affected', {
          action: 'Update to 3.',
          targets: [{ kind: 'component', purl: 'pkg:npm/left@2.0.0' }],
        }),
      ],
    })
    const id = await scene.findingId('right')
    await scene.decide([id], { justification: 'vulnerable_code_not_present', comment: 'Compiled out.' })
    const { statements } = readVex(await exported(format, '1.0'))
    expect(statements).toHaveLength(2)
    expect(statements).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ verdict: 'affected', action: 'Update to 3.' }),
        expect.objectContaining({
          verdict: 'not_affected',
          justification: 'vulnerable_code_not_present',
          impact: 'Compiled out.',
        }),
      ]),
    )
  })
})

/** By members, or by a document of a manufacturer. */
async function judge(wanted: readonly (Verdict | null)[], byMember: boolean): Promise<void> {
  const { rows } = await scene.pool.query<{ id: string; purl: string; title: string }>(
    `select f.id, c.purl, g.title_id as title from finding f
     join component c on c.family_id = f.family_id and c.identity_id = f.identity_id
     join vulnerability_group g on g.id = f.group_id
     where f.family_id = $1 order by c.purl, g.title_id`,
    [scene.family.familyId],
  )
  const given = rows.flatMap((row, index) => {
    const verdict = wanted[index % wanted.length] ?? null
    return verdict === null ? [] : [{ ...row, verdict }]
  })
  if (byMember) {
    for (const { id, verdict } of given) await scene.decide([id], { verdict })
    return
  }
  await applyDocument(scene.db, scene.family, {
    statements: given.map(({ purl, title, verdict }) => ({
      vulnerabilityIds: [title],
      verdict,
      targets: [{ kind: 'component', purl }],
    })),
  })
}

describe('of every version', () => {
  it('clears only what is cleared in all of them', async () => {
    await scene.next()
    const second = await addVersion(scene.db, scene.family, '2.0')
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')], second)
    await applyDocument(scene.db, scene.family, {
      statements: [
        {
          vulnerabilityIds: ['GHSA-dddd-eeee-ffff'],
          verdict: 'fixed',
          targets: [{ kind: 'component', purl: 'pkg:npm/right' }],
        },
      ],
    })
    await scene.decide([await scene.findingId('left')])
    const { entries } = await selectVexEntries(scene.db, { ...scene.family, version: null })
    expect(entries).toMatchObject([{ verdict: 'fixed', targets: [{ purl: 'pkg:npm/right@1.0.0' }] }])
    await scene.decide([await scene.findingId('left', '2.0')], { verdict: 'affected' })
    const both = await selectVexEntries(scene.db, { ...scene.family, version: null })
    expect(both.entries.map(({ verdict }) => verdict).sort()).toEqual(['affected', 'fixed'])
  })

  it('needs a version that exists, and something to say', async () => {
    await scene.next()
    await expect(exported('openvex', '9')).rejects.toMatchObject({ code: 'not_found' })
    await expect(exported('openvex', null)).rejects.toMatchObject({ code: 'no_statements' })
    const stranger = { ...scene.family, workspaceId: scene.otherWorkspaceId, version: null }
    await expect(selectVexEntries(scene.db, stranger)).rejects.toMatchObject({ code: 'not_found' })
  })
})
