import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  changeSbomRetention,
  countSbomRetention,
  getRemovedSbom,
  getSbomRetention,
  listRemovedSboms,
} from '../../src/contract/sbom/retention-operations.ts'
import { getSbom } from '../../src/contract/sbom/operations.ts'
import { RetentionScene, type Uploading } from '../sbom/retention-scene.ts'
import { AppSession } from '../support/app-session.ts'
import { anyText, textLike, textWith } from '../support/expected.ts'

let scene: RetentionScene
let viewer: AppSession
let stranger: AppSession
beforeAll(async () => {
  scene = await RetentionScene.open()
  viewer = await AppSession.signIn(scene.http.url, scene.acme.members.viewer)
  stranger = await AppSession.signIn(scene.http.url, scene.umbrella.members.owner)
})
afterAll(() => scene.close())

const none = { keep: 'all', amount: null, isCraLifted: false } as const
const of = ({ familyId }: Uploading) => ({ params: { family: familyId } })

async function filled(uploads = 4): Promise<Uploading> {
  const family = await scene.family()
  for (let place = 0; place < uploads; place += 1) await scene.upload(family, [`part-${place}`])
  return family
}

describe('the setting of a family', () => {
  it('is to keep all SBOMs until somebody changes it', async () => {
    const family = await scene.family()
    expect(await viewer.call(getSbomRetention, of(family))).toEqual({
      ...none,
      craLiftedAt: null,
      craLiftedBy: null,
      changedAt: null,
      changedBy: null,
    })
  })

  it('says who has changed it, and who decided about the law as long as that holds', async () => {
    const family = await scene.family()
    const at = scene.now.toISOString()
    const change = (body: Parameters<typeof bodyOf>[0]) =>
      scene.owner.call(changeSbomRetention, { ...of(family), body: bodyOf(body) })
    await change({ keep: 'last', amount: 3, isCraLifted: true })
    const lifted = {
      craLiftedAt: at,
      craLiftedBy: 'owner of acme',
      changedAt: at,
      changedBy: 'owner of acme',
    }
    expect(await viewer.call(getSbomRetention, of(family))).toEqual({
      keep: 'last',
      amount: 3,
      isCraLifted: true,
      ...lifted,
    })
    await change({ keep: 'days', amount: 90, isCraLifted: true })
    expect(await viewer.call(getSbomRetention, of(family))).toMatchObject({ keep: 'days', ...lifted })
    await change({ keep: 'days', amount: 90, isCraLifted: false })
    expect(await viewer.call(getSbomRetention, of(family))).toMatchObject({
      isCraLifted: false,
      craLiftedAt: null,
      craLiftedBy: null,
    })
    await change({ keep: 'days', amount: 90, isCraLifted: false })
    const events = await scene.db
      .selectFrom('audit_event')
      .select(['actor_name', 'before', 'after'])
      .where('object_id', '=', family.familyId)
      .where('action', '=', 'family.sbom_retention_changed')
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { actor_name: 'owner of acme', before: none, after: { keep: 'last', amount: 3, isCraLifted: true } },
      {
        actor_name: 'owner of acme',
        before: { keep: 'last', amount: 3, isCraLifted: true },
        after: { keep: 'days', amount: 90, isCraLifted: true },
      },
      {
        actor_name: 'owner of acme',
        before: { keep: 'days', amount: 90, isCraLifted: true },
        after: { keep: 'days', amount: 90, isCraLifted: false },
      },
    ])
  })

  it.each([
    ['last', null],
    ['last', 0],
    ['last', 1_001],
    ['days', -1],
    ['days', 36_501],
  ] as const)('to keep %s %s is refused at its field', async (keep, amount) => {
    const family = await scene.family()
    const body = { keep, amount, isCraLifted: false }
    expect(await scene.owner.refused(changeSbomRetention, { ...of(family), body })).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        fields: { amount: textWith('A whole number') },
      },
    })
  })

  it('is for owners and admins', async () => {
    const family = await scene.family()
    const body = { keep: 'last', amount: 1, isCraLifted: true } as const
    expect(await viewer.refused(changeSbomRetention, { ...of(family), body })).toMatchObject({ status: 403 })
  })

  it('is of one workspace', async () => {
    const family = await scene.family()
    const body = { keep: 'last', amount: 1, isCraLifted: true } as const
    const params = { params: { family: family.familyId } }
    for (const operation of [getSbomRetention, listRemovedSboms, countSbomRetention])
      expect(await stranger.refused(operation, params)).toMatchObject({ status: 404 })
    expect(await stranger.refused(changeSbomRetention, { ...params, body })).toMatchObject({ status: 404 })
  })
})

describe('what a setting would remove', () => {
  it('is counted before anything is saved, and nothing goes', async () => {
    const family = await filled()
    const count = (query: NonNullable<Parameters<typeof asked>[1]>) => asked(family, query)
    const all = await count({ keep: 'all' })
    expect(all).toMatchObject({
      replaced: { sboms: 3 },
      goes: { sboms: 0, sizeBytes: 0 },
      supportEndsOn: null,
    })
    expect(all.stays).toEqual([{ why: 'setting', ...all.replaced }])
    const law = await count({ keep: 'last', amount: 1 })
    expect(law).toMatchObject({ goes: { sboms: 0 } })
    expect(law.stays).toMatchObject([
      { why: 'setting', sboms: 1 },
      { why: 'cra', sboms: 2 },
    ])
    const lifted = await count({ keep: 'last', amount: 1, cra: 'lifted' })
    expect(lifted.goes.sboms).toBe(2)
    expect(lifted.goes.sizeBytes + (lifted.stays[0]?.sizeBytes ?? 0)).toBe(lifted.replaced.sizeBytes)
    expect(await scene.left(family)).toHaveLength(4)
  })
})

describe('removed SBOMs', () => {
  it('are listed with what is left of them; their pages are gone', async () => {
    const family = await filled()
    const [first = ''] = await scene.left(family)
    await scene.keep(family, { keep: 'last' })
    expect(await scene.remove()).toBe(2)
    const { rows, total, nextCursor } = await viewer.call(listRemovedSboms, of(family))
    expect({ total, nextCursor }).toEqual({ total: 2, nextCursor: null })
    expect(rows.at(-1)).toMatchObject({
      id: first,
      version: '1.0',
      format: 'cyclonedx',
      specVersion: '1.6',
      components: 1,
      findings: 0,
      sha256: textLike(/^[0-9a-f]{64}$/),
      receivedAt: scene.now.toISOString(),
      removedAt: scene.now.toISOString(),
      keep: 'last',
      amount: 1,
      isCraLifted: true,
    })
    expect(await viewer.refused(getSbom, { params: { sbom: first } })).toMatchObject({ status: 404 })
  })

  it('say each by itself when it went and by which setting, in their workspace only', async () => {
    const family = await filled()
    const [first = '', , , last = ''] = await scene.left(family)
    await scene.keep(family, { keep: 'last' })
    await scene.remove()
    const { rows } = await viewer.call(listRemovedSboms, of(family))
    const detail = await viewer.call(getRemovedSbom, { params: { removed: first } })
    expect(detail).toEqual({
      ...rows.find(({ id }) => id === first),
      family: { id: family.familyId, name: anyText },
    })
    const unknown = { params: { removed: last } }
    expect(await viewer.refused(getRemovedSbom, unknown)).toMatchObject({ status: 404 })
    const ofOther = { params: { removed: first } }
    expect(await stranger.refused(getRemovedSbom, ofOther)).toMatchObject({ status: 404 })
  })

  it('come in pages of a hundred', async () => {
    const family = await scene.family()
    const rows = Array.from({ length: 230 }, (_, place) => ({
      id: `00000000-0000-7000-8000-${place.toString(16).padStart(12, '0')}`,
      workspace_id: family.workspaceId,
      family_id: family.familyId,
      version_id: null,
      sha256: Buffer.alloc(32),
      format: 'spdx' as const,
      spec_version: '2.3',
      size_bytes: 1,
      component_count: 1,
      finding_count: 0,
      received_at: scene.now,
      replaced_at: scene.now,
      removed_at: new Date(scene.now.getTime() + Math.floor(place / 10)),
      keep: 'last' as const,
      amount: 1,
      cra_lifted: false,
    }))
    await scene.db.insertInto('removed_sbom').values(rows).execute()
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await viewer.call(listRemovedSboms, { ...of(family), query: { cursor } })
      expect(page.total).toBe(230)
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(rows.map(({ id }) => id).reverse())
  })
})

const bodyOf = (body: { keep: 'all' | 'last' | 'days'; amount: number | null; isCraLifted: boolean }) => body

function asked(family: Uploading, query: { keep: 'all' | 'last' | 'days'; amount?: number; cra?: 'lifted' }) {
  return viewer.call(countSbomRetention, { ...of(family), query })
}
