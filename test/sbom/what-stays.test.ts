import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StayReason } from '../../src/contract/sbom/retention.ts'
import { createAdvisory } from '../../src/contract/advisories/operations.ts'
import { recordDetermination } from '../../src/contract/incidents/act-operations.ts'
import { getIncident, openIncident } from '../../src/contract/incidents/operations.ts'
import { recordSubmission } from '../../src/contract/incidents/report-operations.ts'
import { countSbomRetention } from '../../src/contract/sbom/retention-operations.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { sampleContent } from '../support/advisory-scene.ts'
import { identifiedOtherwise } from './identified-otherwise.ts'
import { RetentionScene, type Uploading } from './retention-scene.ts'

const reasoning = 'What was known and why it was decided so.'

let scene: RetentionScene
beforeAll(async () => {
  // a time when the Cyber Resilience Act requires reports
  scene = await RetentionScene.open(new Date('2026-10-01T08:00:00.000Z'))
  for (const [id, name] of [
    ['CVE-2026-3001', 'exploited'],
    ['CVE-2026-3002', 'excused'],
  ] as const) {
    const affected = [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }] as const
    await addRecord(scene.db, { id, affected })
    await addExploited(scene.db, { source: 'kev', cveId: id })
  }
})
afterAll(() => scene.close())

/** What would be removed if none were kept, and why the rest stays. */
async function count({ familyId }: Uploading): Promise<Partial<Record<StayReason | 'goes', number>>> {
  const asked = await scene.owner.call(countSbomRetention, {
    params: { family: familyId },
    query: { keep: 'last', amount: 1, cra: 'lifted' },
  })
  const stays = asked.stays.map(({ why, sboms }) => [why, sboms] as const)
  return Object.fromEntries([['goes', asked.goes.sboms], ...stays])
}

/**
 * Five SBOMs of version 1.0; the newest is active, the one before is kept by the setting, and nothing refers to the first and the third.
 */
async function fill(
  family: Uploading,
  named: Parameters<RetentionScene['file']>[1] = {},
  part = 'named',
): Promise<string> {
  await scene.upload(family, ['a'])
  const id = await scene.upload(family, [part], named)
  for (const name of ['b', 'c', 'd']) await scene.upload(family, [name])
  return id
}

/** Removes what can be removed, and expects this one to stay. */
async function expectKept(family: Uploading, why: StayReason, id: string): Promise<void> {
  expect(await count(family)).toEqual({ goes: 2, setting: 1, [why]: 1 })
  await scene.keep(family, { keep: 'last' })
  expect(await scene.remove()).toBe(2)
  expect(await scene.left(family)).toContain(id)
  expect(await scene.remove(40_000)).toBe(0)
}

const severe = (family: Uploading, title = 'Stolen key') =>
  scene.owner.call(openIncident, {
    body: { kind: 'severe_incident', title, families: [family.familyId] },
  })

async function submit(
  incident: string,
  more: { reference?: string; delayReason?: string } = {},
): Promise<void> {
  const { reports } = await scene.owner.call(getIncident, { params: { incident } })
  const report = reports.find((one) => one.report === 'early_warning')?.id ?? ''
  await scene.owner.call(recordSubmission, {
    params: { incident, report },
    body: { kind: 'submission', submittedAt: scene.now.toISOString(), channel: 'Portal', ...more },
  })
}

describe('a replaced SBOM stays', () => {
  it('while nothing names it, only by the setting', async () => {
    const family = await scene.family()
    await fill(family)
    expect(await count(family)).toEqual({ goes: 3, setting: 1 })
  })

  it('when an incident is about a component of it, also after it has left', async () => {
    const family = await scene.family()
    const id = await fill(family, {}, 'exploited')
    await expectKept(family, 'incident', id)
  })

  it('when an incident is about a component of it that a later one has under another identity', async () => {
    const family = await scene.family()
    const first = await scene.upload(family, ['exploited'])
    const second = await scene.upload(family, ['exploited', 'a'])
    await identifiedOtherwise(scene, family, second)
    await scene.settle()
    for (const name of ['b', 'c', 'd']) await scene.upload(family, [name])
    expect(await count(family)).toEqual({ goes: 1, setting: 1, incident: 2 })
    await scene.keep(family, { keep: 'last' })
    expect(await scene.remove(40_000)).toBe(1)
    const left = await scene.left(family)
    expect([left.includes(first), left.includes(second)]).toEqual([true, true])
  })

  it('when that was reported to an authority', async () => {
    const family = await scene.family()
    const id = await fill(family, {}, 'exploited')
    const { incident_id } = await scene.db
      .selectFrom('incident_affected')
      .select('incident_id')
      .where('family_id', '=', family.familyId)
      .executeTakeFirstOrThrow()
    await submit(incident_id)
    await expectKept(family, 'report', id)
  })

  it('when an incident names the family and came before it was closed', async () => {
    const family = await scene.family()
    await fill(family)
    const { id } = await severe(family)
    expect(await count(family)).toEqual({ goes: 0, setting: 1, incident: 3 })
    await submit(id)
    expect(await count(family)).toEqual({ goes: 0, setting: 1, report: 3 })
    const [, , third] = await scene.db
      .selectFrom('sbom')
      .select('received_at')
      .where('family_id', '=', family.familyId)
      .orderBy('received_at')
      .execute()
    await scene.db
      .updateTable('incident')
      .set({ status: 'closed', closed_at: third?.received_at ?? null })
      .where('id', '=', id)
      .execute()
    expect(await count(family)).toEqual({ goes: 1, setting: 1, report: 2 })
  })

  it('when it was in force as a report came from outside', async () => {
    const family = await scene.family()
    const id = await fill(family)
    const { received_at } = await scene.db
      .selectFrom('sbom')
      .select('received_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const report = {
      workspace_id: family.workspaceId,
      family_id: family.familyId,
      received_at,
      state_at: received_at,
      ...({ language: 'en', exploited: 'no', wants_credit: false, credit_consent: false } as const),
    }
    const insert = (number: number, state: 'new' | 'spam') =>
      scene.db
        .insertInto('inbox_report')
        .values({ id: randomUUID(), number, state, ...report })
        .execute()
    await insert(901, 'spam')
    expect(await count(family)).toEqual({ goes: 3, setting: 1 })
    await insert(902, 'new')
    await expectKept(family, 'report', id)
  })

  it('when an advisory names its version, or a range of the family', async () => {
    const family = await scene.family()
    const id = await scene.upload(family, ['a'], { version: '0.9' })
    for (const name of ['b', 'c']) await scene.upload(family, [name], { version: '0.9' })
    for (const name of ['a', 'b', 'c']) await scene.upload(family, [name])
    expect(await count(family)).toEqual({ goes: 2, setting: 2 })
    const { versionId } = await scene.db
      .selectFrom('sbom')
      .select('version_id as versionId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { familyId } = family
    const product = { versionId: versionId ?? '', familyId, family: 'Valve', version: '0.9' }
    const write = (isRange: boolean) =>
      scene.owner.call(createAdvisory, {
        body: {
          content: {
            ...sampleContent([]),
            vulnerabilities: [],
            products: [isRange ? { ...product, versionId: randomUUID(), version: '<2.0', isRange } : product],
          },
        },
      })
    await write(false)
    expect(await count(family)).toEqual({ goes: 1, setting: 2, advisory: 1 })
    await write(true)
    expect(await count(family)).toEqual({ goes: 0, setting: 2, advisory: 2 })
  })

  it('when a determination gives its page as evidence', async () => {
    const family = await scene.family()
    const other = await scene.family()
    const id = await fill(family)
    const { id: incident } = await severe(other)
    await scene.owner.call(recordDetermination, {
      params: { incident },
      body: {
        value: 'severe_incident',
        reasoning,
        evidence: [`https://sbom.acme.example/app/acme/sboms/${id.toUpperCase()}`],
      },
    })
    await expectKept(family, 'evidence', id)
  })

  it('when a determination names its hash', async () => {
    const family = await scene.family()
    const other = await scene.family()
    const id = await fill(family)
    const { sha256 } = await scene.db
      .selectFrom('sbom')
      .select('sha256')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { id: incident } = await severe(other)
    await scene.owner.call(recordDetermination, {
      params: { incident },
      body: { value: 'severe_incident', reasoning: `${reasoning} See ${sha256.toString('hex')}.` },
    })
    await expectKept(family, 'evidence', id)
  })

  it('when an incident of another product has it in its title', async () => {
    const family = await scene.family()
    const other = await scene.family()
    const id = await fill(family)
    await severe(other, `Key in ${id}`)
    await expectKept(family, 'evidence', id)
  })

  it.each(['reference', 'delayReason'])('when the %s of a submission names it', async (field) => {
    const family = await scene.family()
    const other = await scene.family()
    const id = await fill(family)
    const { id: incident } = await severe(other)
    await submit(incident, { [field]: `/app/acme/sboms/${id}` })
    await expectKept(family, 'evidence', id)
  })

  it.each(['incident_regime', 'regime_report'])('when a reason of %s names it', async (table) => {
    const family = await scene.family()
    const other = await scene.family()
    const id = await fill(family)
    const { id: incident } = await severe(other)
    await sql`update ${sql.table(table)} set reason = ${`See ${id}.`} where incident_id = ${incident}`.execute(
      scene.db,
    )
    await expectKept(family, 'evidence', id)
  })

  it('when a match was dismissed because of it', async () => {
    const family = await scene.family()
    const id = await fill(family)
    await sql`
      insert into dismissed_match (id, workspace_id, family_id, identity_id, group_id, dismissed_at, dismissed_by_name, reason)
      select gen_random_uuid(), workspace_id, family_id, identity_id, 1, now(), 'Jo', ${`Not in ${id}.`}
      from component where family_id = ${family.familyId} limit 1`.execute(scene.db)
    await expectKept(family, 'evidence', id)
  })

  it('when a VEX document links into it', async () => {
    const family = await scene.family()
    const id = await fill(family)
    const { document_id: bom } = await scene.db
      .selectFrom('sbom')
      .select('document_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const vex = {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      vulnerabilities: [
        {
          id: 'CVE-2026-3003',
          analysis: { state: 'not_affected', justification: 'code_not_present' },
          affects: [{ ref: `${bom ?? ''}#named` }],
        },
      ],
    }
    expect(await scene.send(family, JSON.stringify(vex), 'vex')).toMatchObject({ status: 202 })
    await scene.settle()
    await expectKept(family, 'evidence', id)
  })

  it('when a finding that has closed has its verdict from it', async () => {
    const family = await scene.family()
    const analysis = { state: 'exploitable' }
    const vulnerabilities = [{ id: 'CVE-2026-3004', affects: [{ ref: 'judged' }], analysis }]
    const affected = [
      { ecosystem: 'npm', name: 'judged', scheme: 'semver', ranges: [['0', '2.0.0']] },
    ] as const
    await addRecord(scene.db, { id: 'CVE-2026-3004', affected })
    const id = await fill(family, { more: { vulnerabilities } }, 'judged')
    await expectKept(family, 'evidence', id)
  })

  it('when a verdict held an incident on a component of it back', async () => {
    const family = await scene.family()
    const vex = {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': 'https://acme.example/vex/held',
      author: 'Acme',
      timestamp: '2026-01-01T00:00:00Z',
      version: 1,
      statements: [
        {
          vulnerability: { name: 'CVE-2026-3002' },
          products: [{ '@id': 'pkg:npm/excused@1.0.0' }],
          status: 'not_affected',
          justification: 'component_not_present',
        },
      ],
    }
    expect(await scene.send(family, JSON.stringify(vex), 'vex')).toMatchObject({ status: 202 })
    const id = await fill(family, {}, 'excused')
    await expectKept(family, 'evidence', id)
  })

  it('not when it is another workspace that writes its id down', async () => {
    const family = await scene.family()
    const id = await fill(family)
    const foreign = await scene.family(scene.umbrella)
    await scene.db
      .insertInto('advisory')
      .values({
        id: randomUUID(),
        workspace_id: foreign.workspaceId,
        tracking_id: 'U-1',
        file_name: 'u-1.json',
        created_at: scene.now,
        created_by_name: 'Una',
        last_revision: 1,
        current_ordinal: null,
        year: null,
        first_released_at: null,
      })
      .execute()
    const { id: advisory } = await scene.db
      .selectFrom('advisory')
      .select('id')
      .where('workspace_id', '=', foreign.workspaceId)
      .executeTakeFirstOrThrow()
    const content = JSON.stringify({ ...sampleContent([]), summary: id, vulnerabilities: [] })
    await scene.db
      .insertInto('advisory_draft')
      .values({
        advisory_id: advisory,
        workspace_id: foreign.workspaceId,
        revision: 1,
        state: 'draft',
        content,
        edited_at: scene.now,
        edited_by: null,
        edited_by_name: 'Una',
      })
      .execute()
    expect(await count(family)).toEqual({ goes: 3, setting: 1 })
  })
})
