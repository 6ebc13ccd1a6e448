import { beforeAll, expect, it } from 'vitest'
import { runXss } from '../test/reliability/scenarios/xss/run-xss.ts'
import { endAfterTests, openScene, type Scene } from './support/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene({ owner: 'Olga' }, { TRUST_PROXY: '1' })
}, 300_000)
endAfterTests(() => scene)

it(
  'runs nothing that is written in an upload, a vulnerability record, a name, a form or a setting',
  { timeout: 300_000 },
  async () => {
    const { rows } = await scene.store.query<{ id: string }>('select id from family')
    const { figures, failures } = await runXss(scene.page, {
      baseUrl: scene.service.baseUrl,
      slug: 'acme',
      payloads: [0, 7, 19],
      uploadToken: scene.uploadToken,
      owner: { email: 'olga@acme.example', password: 'correct horse battery' },
      familyId: rows[0]?.id ?? '',
      cli: scene.service.cli,
      query: async (statement) => (await scene.store.query<Record<string, unknown>>(statement)).rows,
    })
    expect(failures).toEqual([])
    expect(figures).toMatchObject({ payloads: 3, executions: 0, outboundRequests: 0, policyBreaches: 0 })
    expect(figures['fields']).toBeGreaterThanOrEqual(25)
    // a payload missing from a page cannot run in it
    expect(figures['shown']).toBeGreaterThan(60)
    expect(figures['mailed']).toBeGreaterThanOrEqual(10)
  },
)
