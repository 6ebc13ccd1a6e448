import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAdvisory } from '../../src/advisories/drafts/create-advisory.ts'
import { saveDraft } from '../../src/advisories/drafts/change-draft.ts'
import { adviseDraft } from '../../src/advisories/document/judge-draft.ts'
import { previewInput } from '../../src/advisories/publish/preview-input.ts'
import { publishDraft } from '../../src/advisories/publish/publish.ts'
import { advisoryLimits, type AdvisoryContent } from '../../src/contract/advisories/shapes.ts'
import type { Db } from '../../src/database/connection.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { tester } from '../support/actors.ts'

let database: TestDatabase
let acme: TestWorkspace

beforeAll(async () => {
  database = await createTestDatabase()
  ;[acme] = await createScene(database.db)
})
afterAll(() => database.drop())

const service = { baseUrl: 'https://monitor.example', serviceName: 'SBOM Monitor' }

/** The maximum of versions and vulnerabilities in an advisory, with a status for every pair. */
async function largestContent(db: Db): Promise<AdvisoryContent> {
  const familyId = acme.families[0]?.id ?? ''
  const versionIds = Array.from({ length: advisoryLimits.products }, () => randomUUID())
  await db
    .insertInto('product_version')
    .values(
      versionIds.map((id, place) => ({
        id,
        workspace_id: acme.id,
        family_id: familyId,
        name: `1.${place}`,
        created_at: testNow,
      })),
    )
    .execute()
  const statuses = versionIds.map((versionId, place) => ({
    versionId,
    ...(place % 2 === 0
      ? { status: 'affected' as const, justification: null, impact: '' }
      : {
          status: 'not_affected' as const,
          justification: 'vulnerable_code_not_in_execute_path' as const,
          impact: '',
        }),
  }))
  const affected = versionIds.filter((_id, place) => place % 2 === 0)
  return {
    title: 'All pumps',
    summary: '',
    tlp: 'WHITE',
    references: [],
    acknowledgments: [],
    severity: 'critical',
    products: versionIds.map((versionId, place) => ({
      versionId,
      familyId,
      family: 'Pump 1',
      version: `1.${place}`,
      purl: `pkg:generic/acme/pump@1.${place}`,
      cpe: '',
    })),
    vulnerabilities: Array.from({ length: advisoryLimits.vulnerabilities }, (_one, place) => ({
      cve: `CVE-2026-${1000 + place}`,
      ids: [],
      title: '',
      description: 'It overflows.',
      statuses,
      remediations: [
        { category: 'vendor_fix' as const, details: 'Update to 2.0.', url: '', versionIds: affected },
      ],
      exploits: [],
      references: [],
      cwe: 'CWE-120',
      scores: [{ vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', versionIds: [] }],
    })),
  }
}

/** Minutes instead of seconds, because the machine may be busy. `MEASURE` prints the timings. */
test('the largest advisory is saved, previewed and published', { timeout: 900_000 }, async () => {
  const { db } = database
  const content = await largestContent(db)
  // the limit for a draft in a request body
  expect(JSON.stringify({ revision: 1, content }).length).toBeLessThan(8_000_000)
  const workspaceId = acme.id
  const clock = () => testNow
  const { id: advisoryId } = await createAdvisory(db, {
    workspaceId,
    content,
    links: [],
    actor: tester,
    clock,
  })
  const act = { workspaceId, advisoryId, actor: tester, clock }
  const { revision } = await timed('saved', () => saveDraft(db, act, { revision: 1, content }))
  const asked = { workspaceId, advisoryId, content, kind: 'update', summary: 'x', now: testNow } as const
  const preview = async () => adviseDraft(await previewInput(db, { ...asked, ...service }))
  await vi.waitFor(async () => expect((await preview()).advice).not.toBeNull(), {
    timeout: 400_000,
    interval: 500,
  })
  const { problems, advice, bytes } = await timed('previewed', preview)
  expect({ problems, advice }).toEqual({ problems: [], advice: [] })
  const publishing = {
    revision,
    kind: undefined,
    summary: 'First.',
    refuse: () => Promise.resolve(),
    ...service,
  }
  const { number } = await timed('published', () => publishDraft(db, act, publishing))
  expect(number).toBe('1.0.0')
  expect(bytes.length).toBeGreaterThan(3_000_000)
})

async function timed<Value>(what: string, act: () => Promise<Value>): Promise<Value> {
  const from = performance.now()
  const value = await act()
  if (process.env['MEASURE'] !== undefined)
    console.info(`${what} in ${Math.round(performance.now() - from)} ms`)
  return value
}
