import * as basicTests from '@secvisogram/csaf-validator-lib/basic.js'
import validate from '@secvisogram/csaf-validator-lib/validate.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VexFormat } from '../../src/contract/vex/shapes.ts'
import { exportVex } from '../../src/contract/vex/operations.ts'
import { readVex } from '../../src/formats/vex/read-vex.ts'
import { addRecord } from '../support/records.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestFamily } from '../support/scene.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase
let http: TestHttp
let owner: AppSession
let family: TestFamily

/** Spellings that we read and other readers do not, and what is written for them. */
const purls: [stated: string, written: string][] = [
  ['PKG:npm/left@1.0.0', 'pkg:npm/left@1.0.0'],
  ['pkg://npm/left@1.0.1', 'pkg:npm/left@1.0.1'],
  ['pkg:npm/left@1.0.2?note=a b', 'pkg:npm/left@1.0.2?note=a%20b'],
  ['pkg:npm/left@1.0.3?note=é', 'pkg:npm/left@1.0.3?note=%C3%A9'],
]
const cpes: [stated: string, written: string][] = [
  ['cpe:2.3:a:acme:valve:1.0', 'cpe:2.3:a:acme:valve:1.0:*:*:*:*:*:*:*'],
  ['CPE:/a:acme:valve:1.1', 'cpe:2.3:a:acme:valve:1.1:*:*:*:*:*:*:*'],
]

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  const [acme] = await createScene(database.db, { families: 1 })
  const [first] = acme.families
  if (first === undefined) throw new Error('no family')
  family = first
  owner = await AppSession.signIn(http.url, acme.members.owner)
  await addRecord(database.db, {
    id: 'CVE-2024-0001',
    affected: [
      { ecosystem: 'npm', name: 'left', scheme: 'semver', ranges: [['0', null]] },
      { ecosystem: 'cpe', name: 'a:acme:valve', scheme: 'generic', ranges: [['0', null]] },
    ],
  })
  const named = [...purls.map(([purl]) => ({ purl })), ...cpes.map(([cpe]) => ({ cpe }))]
  const components = named.map((name, place) => ({
    type: 'library',
    'bom-ref': `c${place}`,
    name: `c${place}`,
    ...name,
  }))
  const main = { type: 'application', name: 'Pump', version: '1.0', purl: 'PKG:generic/pump@1.0' }
  await post(
    'sboms',
    cyclonedx({
      serialNumber: 'urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79',
      metadata: { component: main },
      components,
    }),
  )
  await post(
    'vex',
    cyclonedx({
      components,
      vulnerabilities: [
        {
          id: 'CVE-2024-0001',
          analysis: { state: 'not_affected', justification: 'code_not_reachable' },
          affects: components.map((component) => ({ ref: component['bom-ref'] })),
        },
      ],
    }),
  )
})

afterAll(() => endBoth(http, database))

async function post(path: string, body: string): Promise<void> {
  const headers = { 'x-service-version': '1.0' }
  const answer = await call(`${http.url}/api/v1/${path}`, {
    method: 'POST',
    token: family.upload,
    headers,
    body,
  })
  expect(answer).toMatchObject({ status: 202 })
  await drain(database.db, testNow)
}

async function exported(format: VexFormat, form?: 'bom_link'): Promise<unknown> {
  const query = { format, version: '1.0', ...(form === undefined ? {} : { form }) }
  const answer = await owner.ask(exportVex, { params: { family: family.id }, query })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}

describe('names that only tolerant readers know', () => {
  it.each<VexFormat>(['openvex', 'csaf', 'cyclonedx'])(
    'are written as the standards spell them: %s',
    async (format) => {
      const document = await exported(format)
      const targets = readVex(document).statements.flatMap((statement) => statement.targets)
      const written = [...purls, ...cpes].map(([, name]) => name)
      expect(targets.map(({ purl, cpe }) => purl ?? cpe).toSorted()).toEqual(written.toSorted())
      expect(JSON.stringify(document)).toContain('"pkg:generic/pump@1.0"')
    },
  )

  it('leave a CSAF document valid', async () => {
    const { tests } = await validate(Object.values(basicTests), await exported('csaf'))
    expect(tests.filter(({ isValid }) => !isValid)).toEqual([])
  })

  it('are found in the SBOM that a document links to', async () => {
    const { statements } = readVex(await exported('cyclonedx', 'bom_link'))
    expect(statements.flatMap(({ targets }) => targets).map(({ kind }) => kind)).toEqual(
      Array.from({ length: purls.length + cpes.length }, () => 'bom_link'),
    )
  })
})
