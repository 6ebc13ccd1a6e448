import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listComponentUses } from '../../src/contract/inventory/operations.ts'
import { getMetrics } from '../../src/contract/metrics/operations.ts'
import { selectFamilyHistory } from '../../src/metrics/reads/family-history.ts'
import { activateSbom } from '../../src/sbom/activate-sbom.ts'
import { createFamilyToken } from '../support/company.ts'
import { call } from '../support/http.ts'
import { addRecord } from '../support/records.ts'
import type { Family } from '../support/rows.ts'
import { RetentionScene, type Uploading } from './retention-scene.ts'
import { readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'

let scene: RetentionScene
beforeAll(async () => {
  scene = await RetentionScene.open()
  const affected = [{ ecosystem: 'npm', name: 'holed', scheme: 'semver', ranges: [['0', '2.0.0']] }] as const
  await addRecord(scene.db, { id: 'CVE-2026-2001', affected })
})
afterAll(() => scene.close())

async function uploads(family: Uploading, lists: readonly (readonly string[])[]): Promise<string[]> {
  const ids = []
  for (const names of lists) ids.push(await scene.upload(family, names))
  return ids
}

const actor = { kind: 'person', id: null, name: 'Olga' } as const

const findingsOf = ({ familyId }: Family) =>
  scene.db.selectFrom('finding').selectAll().where('family_id', '=', familyId).orderBy('id').execute()

describe('the setting of a family', () => {
  it('is to keep all: nothing goes', async () => {
    const family = await scene.family()
    const ids = await uploads(family, [['a'], ['b'], ['c']])
    expect(await scene.remove(10_000)).toBe(0)
    await scene.keep(family, { keep: 'all', amount: null })
    expect(await scene.remove(10_000)).toBe(0)
    expect(await scene.left(family)).toEqual(ids)
  })

  it('keeps the last so many of each version, beside the active one', async () => {
    const family = await scene.family()
    const ids = await uploads(family, [['a'], ['b'], ['c'], ['d']])
    const other = await scene.upload(family, ['a'], { version: '2.0' })
    await scene.keep(family, { keep: 'last', amount: 1 })
    expect(await scene.remove()).toBe(2)
    expect(await scene.left(family)).toEqual([...ids.slice(2), other])
    expect(await scene.remove()).toBe(0)
  })

  it('keeps each for so many days from when it was replaced', async () => {
    const family = await scene.family()
    const [first = '', second = ''] = await uploads(family, [['a'], ['b']])
    await scene.keep(family, { keep: 'days', amount: 30 })
    expect(await scene.remove(29.99)).toBe(0)
    expect(await scene.left(family)).toEqual([first, second])
    expect(await scene.remove(30.01)).toBe(1)
    expect(await scene.left(family)).toEqual([second])
  })

  it('never reaches the newest of a version, also where an older one was made active again', async () => {
    const family = await scene.family()
    const [first = '', , third = ''] = await uploads(family, [['a'], ['b'], ['c']])
    await activateSbom(scene.db, { ...family, sbomId: first, actor, now: scene.now })
    await scene.settle()
    await scene.keep(family, { keep: 'days', amount: 1 })
    await scene.remove(100)
    expect(await scene.left(family)).toEqual([first, third])
  })

  it('waits until an SBOM is matched', async () => {
    const family = await scene.family()
    await scene.send(family, scene.file(['a']))
    await scene.send(family, scene.file(['b']))
    await scene.keep(family, { keep: 'days' })
    expect(await scene.remove(100)).toBe(0)
    await scene.settle()
    expect(await scene.remove(100)).toBe(1)
  })

  it.each([
    ['under CRA Art. 13(13) nothing goes while no end of support is known', null, 40_000, 0],
    ['nor within ten years', '2026-06-30', 3_600, 0],
    ['then it does', '2026-06-30', 3_700, 1],
    ['nor while it is supported', '2040-06-30', 3_700, 0],
  ])('%s', async (_what, supportEndsOn, days, removed) => {
    const family = await scene.family()
    await uploads(family, [['a'], ['b']])
    await scene.keep(family, { keep: 'days', isCraLifted: false })
    if (supportEndsOn !== null) {
      const { workspaceId: workspace_id, familyId: family_id } = family
      const changed = { changed_at: scene.now, changed_by_name: 'Olga' }
      await scene.db
        .insertInto('product_facts')
        .values({ family_id, workspace_id, support_ends_on: supportEndsOn, ...changed })
        .execute()
    }
    await scene.remove(days)
    expect(await scene.left(family)).toHaveLength(2 - removed)
  })

  it('does nothing in a workspace that is read-only, nor in another one', async () => {
    const family = await scene.family(scene.umbrella)
    const own = await scene.family()
    const ids = await uploads(family, [['a'], ['b'], ['c']])
    const { id } = scene.umbrella
    await scene.keep(own, { keep: 'last' })
    expect(await scene.remove()).toBe(0)
    await scene.keep(family, { keep: 'last' })
    await scene.db.updateTable('workspace').set({ plan: 'free' }).where('id', '=', id).execute()
    expect(await scene.remove()).toBe(0)
    expect(await scene.left(family)).toEqual(ids)
    await scene.db.updateTable('workspace').set({ plan: 'core' }).where('id', '=', id).execute()
    expect(await scene.remove()).toBe(1)
  })
})

describe('what goes with an SBOM', () => {
  it('are its components that no other one lists, and their places in the search', async () => {
    const family = await scene.family()
    await uploads(family, [['only-here', 'shared-one'], ['also-here', 'shared-one'], ['newest']])
    const neighbour = await scene.family()
    await uploads(neighbour, [['only-here'], ['x'], ['y']])
    await scene.keep(family, { keep: 'last' })
    await scene.remove()
    expect(await scene.components(family)).toEqual(['also-here', 'newest', 'shared-one'])
    expect(await scene.components(neighbour)).toEqual(['only-here', 'x', 'y'])
    const { rows } = await sql<{ name: string; number: number }>`
      select n.name, n.number from component_name n
      where n.family_id = ${family.familyId}
        and not exists (select from component c where c.family_id = n.family_id and c.number = n.number)
      union all select 'hash', h.number from component_hash h
      where h.family_id = ${family.familyId}
        and not exists (select from component c where c.family_id = h.family_id and c.number = h.number)`.execute(
      scene.db,
    )
    expect(rows).toEqual([])
    const names = await sql<{ name: string }>`
      select name from component_text where workspace_id = ${scene.acme.id} and name in ('only-here', 'also-here') order by 1`.execute(
      scene.db,
    )
    expect(names.rows).toEqual([{ name: 'also-here' }, { name: 'only-here' }])
  })

  it('is nothing of its findings: history and figures stay as they were', async () => {
    const family = await scene.family()
    await uploads(family, [['holed'], ['fixed'], ['fixed', 'more'], ['newest']])
    const of = { ...family, timeZone: 'UTC' }
    const before = [await findingsOf(family), await selectFamilyHistory(scene.db, of)]
    expect(before[0]).toHaveLength(1)
    await scene.keep(family, { keep: 'last' })
    expect(await scene.remove()).toBe(2)
    expect([await findingsOf(family), await selectFamilyHistory(scene.db, of)]).toEqual(before)
    expect(await scene.components(family)).toEqual(['fixed', 'holed', 'more', 'newest'])
  })

  it('is not the day from which the metrics know the family', async () => {
    const family = await scene.family()
    const [first = ''] = await uploads(family, [['a'], ['b'], ['c']])
    const received_at = new Date('2025-06-01T12:00:00.000Z')
    await scene.db.updateTable('sbom').set({ received_at }).where('id', '=', first).execute()
    const known = async () =>
      (await scene.owner.call(getMetrics, { query: { family: family.familyId } })).knownSince
    expect(await known()).toBe('2025-06-01')
    await scene.keep(family, { keep: 'last' })
    expect(await scene.remove()).toBe(1)
    expect(await known()).toBe('2025-06-01')
  })

  it('is what it said itself of vulnerabilities', async () => {
    const family = await scene.family()
    const more = {
      vulnerabilities: [{ id: 'CVE-2026-9', affects: [{ ref: 'a' }], analysis: { state: 'exploitable' } }],
    }
    await scene.upload(family, ['a'], { more })
    await uploads(family, [['b'], ['c']])
    const documents = () =>
      scene.db.selectFrom('vex_document').select('id').where('family_id', '=', family.familyId).execute()
    expect(await documents()).toHaveLength(1)
    await scene.keep(family, { keep: 'last' })
    expect(await scene.remove()).toBe(1)
    expect(await documents()).toEqual([])
  })

  it('leaves a record of it and an event for each transaction', async () => {
    const family = await scene.family()
    const file = scene.file(['holed', 'b', 'b2'])
    const sent = await scene.send(family, file)
    await scene.settle()
    await uploads(family, [['c'], ['d']])
    await scene.keep(family, { keep: 'last' })
    expect(await scene.remove(3)).toBe(1)
    const sha256 = createHash('sha256').update(file).digest()
    const at = new Date(scene.now.getTime() + 3 * 24 * 3_600_000)
    expect(await scene.removed(family)).toMatchObject([
      {
        id: readAs(SbomReceipt, sent.body).id,
        workspace_id: family.workspaceId,
        sha256,
        format: 'cyclonedx',
        size_bytes: file.length,
        component_count: 3,
        finding_count: 1,
        removed_at: at,
        keep: 'last',
        amount: 1,
        cra_lifted: true,
      },
    ])
    const events = await scene.db
      .selectFrom('audit_event')
      .select(['action', 'actor_kind', 'actor_name', 'after'])
      .where('object_id', '=', family.familyId)
      .where('action', 'in', ['family.sbom_retention_changed', 'family.sboms_removed'])
      .orderBy('id')
      .execute()
    expect(events).toMatchObject([
      {
        action: 'family.sbom_retention_changed',
        after: { keep: 'last', amount: 1, isCraLifted: true },
      },
      {
        action: 'family.sboms_removed',
        actor_kind: 'system',
        actor_name: 'retention',
        after: {
          keep: 'last',
          amount: 1,
          isCraLifted: true,
          sboms: 1,
          sizeBytes: file.length,
          components: 2,
          sha256: [sha256.toString('hex')],
        },
      },
    ])
  })

  it('is the link to it: an older one that stays says by what that was replaced', async () => {
    const family = await scene.family()
    const ids = await uploads(family, [['a'], ['b'], ['c'], ['d']])
    const [first = '', , , last = ''] = ids
    await scene.db
      .insertInto('vex_link')
      .values({
        workspace_id: family.workspaceId,
        family_id: family.familyId,
        document_id: first,
        number: 1,
        place: 1,
        sbom_id: first,
        is_product: false,
        purl: null,
        cpe: null,
      })
      .execute()
    await scene.keep(family, { keep: 'days' })
    expect(await scene.remove(5)).toBe(2)
    const { replaced_by } = await scene.db
      .selectFrom('sbom')
      .select('replaced_by')
      .where('id', '=', first)
      .executeTakeFirstOrThrow()
    expect(replaced_by).toBe(last)
  })

  it('is its public result; the same file is a new upload afterwards', async () => {
    const family = await scene.family()
    const file = scene.file(['a', 'gone'])
    const sent = await scene.send(family, file)
    const { id } = readAs(SbomReceipt, sent.body)
    await scene.settle()
    await uploads(family, [['b'], ['c']])
    expect(await scene.send(family, file)).toMatchObject({ status: 200, body: { id, duplicate: true } })
    await scene.keep(family, { keep: 'last' })
    await scene.remove()
    const company = { ...family, slug: 'acme' }
    const { secret: token } = await createFamilyToken(scene.db, company, { kind: 'results' })
    const asked = await call(`${scene.http.url}/api/v1/sboms/${id}`, { token })
    expect(asked).toMatchObject({ status: 404, body: { error: 'not_found' } })
    const again = await scene.send(family, file)
    expect(again).toMatchObject({ status: 202, body: { status: 'parsed', components: 2, duplicate: false } })
    expect(readAs(SbomReceipt, again.body).id).not.toBe(id)
    await scene.settle()
    expect(await scene.components(family)).toEqual(['a', 'b', 'c', 'gone'])
    const found = await scene.owner.call(listComponentUses, { query: { search: 'gone' } })
    expect(found.rows.map(({ name, sbomId }) => [name, sbomId])).toEqual([
      ['gone', readAs(SbomReceipt, again.body).id],
    ])
  })
})
