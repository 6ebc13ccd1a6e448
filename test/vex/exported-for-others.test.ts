import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as basicTests from '@secvisogram/csaf-validator-lib/basic.js'
import validate from '@secvisogram/csaf-validator-lib/validate.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VexFormat } from '../../src/contract/vex/shapes.ts'
import { exportVex } from '../../src/contract/vex/operations.ts'
import { addRecord } from '../support/records.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestFamily } from '../support/scene.ts'
import { fieldOf, textIn } from '../support/read-as.ts'
import { cyclonedx } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase
let http: TestHttp
let owner: AppSession
let families: TestFamily[]

const everywhere = [['0', null]] as const

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
  const [acme] = await createScene(database.db, { families: 5 })
  families = acme.families
  owner = await AppSession.signIn(http.url, acme.members.owner)
  const npm = (name: string) => [{ ecosystem: 'npm', name, scheme: 'semver', ranges: everywhere }] as const
  await addRecord(database.db, {
    id: 'GHSA-aaaa-bbbb-cccc',
    group: 'GHSA-aaaa-bbbb-cccc',
    aliases: ['CVE-2024-1'],
    affected: npm('left'),
  })
  await addRecord(database.db, {
    id: 'NVD:CVE-2024-1',
    group: 'GHSA-aaaa-bbbb-cccc',
    aliases: ['CVE-2024-1'],
    affected: npm('left'),
  })
  await addRecord(database.db, {
    id: 'EUVD:EUVD-2024-1',
    group: 'GHSA-aaaa-bbbb-cccc',
    aliases: ['CVE-2024-1'],
    affected: npm('left'),
  })
  // a separate group that shares the CVE
  await addRecord(database.db, {
    id: 'NOTICE-1',
    group: 'NOTICE-1',
    upstream: ['CVE-2024-1'],
    affected: npm('right'),
  })
})

afterAll(() => endBoth(http, database))

const family = (place: number): TestFamily => {
  const found = families[place]
  if (found === undefined) throw new Error('no such family')
  return found
}

let serial = 0

async function post(path: string, token: string, document: unknown, version = '1.0'): Promise<void> {
  const body = typeof document === 'string' ? document : JSON.stringify(document)
  const headers = { 'x-service-version': version }
  const answer = await call(`${http.url}/api/v1/${path}`, { method: 'POST', token, headers, body })
  expect(answer).toMatchObject({ status: 202 })
  await drain(database.db, testNow)
}

/** A product with `left`, whose purl has no version, and `right`. */
function sbom(main: Record<string, unknown> | undefined): string {
  serial += 1
  const part = (name: string, purl: string) => ({ type: 'library', name, version: '1.0.0', purl })
  return cyclonedx({
    serialNumber: `urn:uuid:${String(serial).padStart(8, '0')}-395b-41f5-a30f-a58921a69b79`,
    metadata: { component: { type: 'application', name: 'pump', version: '1.0', ...main } },
    components: [part('left', 'pkg:npm/left'), part('right', 'pkg:npm/right@1.0.0')],
  })
}

function verdict(name: string, component: string): unknown {
  serial += 1
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `https://acme.example/${serial}`,
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: [
      {
        vulnerability: { name },
        products: [{ '@id': component }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_present',
      },
    ],
  }
}

type OpenVex = {
  '@id': string
  version: number
  timestamp: string
  statements: {
    vulnerability: { name: string; aliases?: string[] }
    products: { '@id': string; subcomponents: { '@id': string }[] }[]
    status: string
  }[]
}

async function exported(of: TestFamily, format: VexFormat, version: string | null = '1.0') {
  const query = { format, version: version ?? undefined }
  const answer = await owner.ask(exportVex, { params: { family: of.id }, query })
  expect(answer).toMatchObject({ status: 200 })
  const name = /filename="([^"]+)"/.exec(String(answer.headers['content-disposition']))?.[1]
  return { name, document: answer.body }
}

const openvex = async (of: TestFamily, version: string | null = '1.0') =>
  (await exported(of, 'openvex', version)).document as OpenVex

describe('an exported document', () => {
  beforeAll(async () => {
    await post('sboms', family(0).upload, sbom({ purl: 'pkg:generic/acme/pump@1.0' }))
    await post('vex', family(0).upload, verdict('CVE-2024-1', 'pkg:npm/left'))
  })

  it('names the CVE first, then public aliases, and no ids of ours', async () => {
    const { statements } = await openvex(family(0))
    expect(statements.map(({ vulnerability }) => vulnerability)).toEqual([
      { name: 'CVE-2024-1', aliases: ['GHSA-aaaa-bbbb-cccc'] },
    ])
    for (const format of ['openvex', 'csaf', 'cyclonedx'] as const) {
      expect(JSON.stringify((await exported(family(0), format)).document)).not.toMatch(/(NVD|EUVD):/)
    }
  })

  it('names the product as its SBOM does, and the component in it with its version', async () => {
    const { statements } = await openvex(family(0))
    expect(statements[0]?.products).toEqual([
      { '@id': 'pkg:generic/acme/pump@1.0', subcomponents: [{ '@id': 'pkg:npm/left@1.0.0' }] },
    ])
    const { document: csaf } = await exported(family(0), 'csaf')
    expect(JSON.stringify(csaf)).toContain(
      '"product_identification_helper":{"purl":"pkg:generic/acme/pump@1.0"}',
    )
    expect(csaf).toMatchObject({
      product_tree: {
        full_product_names: [{ product_identification_helper: { purl: 'pkg:npm/left@1.0.0' } }],
        relationships: [{ product_reference: 'component-1', relates_to_product_reference: 'product' }],
      },
    })
    expect((await exported(family(0), 'cyclonedx')).document).toMatchObject({
      metadata: { component: { purl: 'pkg:generic/acme/pump@1.0' } },
      components: [{ 'bom-ref': 'component-1', purl: 'pkg:npm/left@1.0.0' }],
      vulnerabilities: [{ id: 'CVE-2024-1', affects: [{ ref: 'component-1' }] }],
    })
  })

  it('is read back to the same verdicts, though a purl leaves its version out', async () => {
    const before = (await openvex(family(0))).statements.map(({ products }) => products)
    for (const format of ['openvex', 'csaf', 'cyclonedx'] as const) {
      const { document } = await exported(family(0), format)
      await post('sboms', family(4).upload, sbom({ purl: 'pkg:generic/acme/pump' }), format)
      await post('vex', family(4).upload, document, format)
      const { statements } = await openvex(family(4), format)
      expect(statements.map(({ products }) => products)).toEqual(before)
    }
  })

  it('passes the schema and every mandatory test of CSAF', async () => {
    for (const version of ['1.0', null]) {
      const { tests } = await validate(
        Object.values(basicTests),
        (await exported(family(0), 'csaf', version)).document,
      )
      expect(tests.length).toBeGreaterThan(40)
      expect(tests.filter(({ isValid }) => !isValid)).toEqual([])
    }
  })

  it('has a file name by the standard of its format', async () => {
    const { name, document } = await exported(family(0), 'csaf')
    const id = textIn(document, 'document', 'tracking', 'id')
    expect(name).toBe(`${id.toLowerCase().replaceAll(/[^+\-a-z0-9]+/g, '_')}.json`)
    expect((await exported(family(0), 'openvex')).name).toMatch(/^acme-[\w.-]+-1\.0\.openvex\.json$/)
    expect((await exported(family(0), 'cyclonedx')).name).toMatch(/^acme-[\w.-]+-1\.0\.vex\.cdx\.json$/)
  })

  it('keeps its id in later exports and raises its version', async () => {
    const [first, second] = [await openvex(family(0)), await openvex(family(0))]
    expect(second).toMatchObject({
      '@id': first['@id'],
      version: first.version + 1,
      timestamp: first.timestamp,
    })
    // two at a time, the limit of one person
    const ids = [
      await openvex(family(0), null),
      ...(await Promise.all([openvex(family(0)), openvex(family(0))])),
    ] as const
    expect(ids[0]['@id']).not.toBe(first['@id'])
    expect(new Set([second, ...ids.slice(1)].map(({ version }) => version)).size).toBe(3)
    const csaf = async () => fieldOf((await exported(family(0), 'csaf')).document, 'document', 'tracking')
    const [before, after] = [await csaf(), await csaf()]
    const minorOf = (tracking: unknown) => Number(textIn(tracking, 'version').split('.')[1])
    const changedAt = (tracking: unknown) => Date.parse(textIn(tracking, 'current_release_date'))
    expect(textIn(after, 'id')).toBe(textIn(before, 'id'))
    expect(textIn(after, 'initial_release_date')).toBe(textIn(before, 'initial_release_date'))
    expect(minorOf(after)).toBe(minorOf(before) + 1)
    expect(changedAt(after)).toBeGreaterThan(changedAt(before))
    const cyclone = async () => (await exported(family(0), 'cyclonedx')).document
    const [one, other] = [await cyclone(), await cyclone()]
    expect(other).toMatchObject({
      serialNumber: fieldOf(one, 'serialNumber'),
      version: Number(fieldOf(one, 'version')) + 1,
    })
  })
})

it('two groups on one CVE both tell it', async () => {
  await post('sboms', family(1).upload, sbom({ purl: 'pkg:generic/pump@1.0' }))
  await post('vex', family(1).upload, verdict('NOTICE-1', 'pkg:npm/right'))
  const { statements } = await openvex(family(1))
  expect(statements.map(({ vulnerability }) => vulnerability)).toEqual([
    { name: 'CVE-2024-1', aliases: ['NOTICE-1'] },
  ])
})

it('a product that its SBOM does not identify has an id of its own that stays', async () => {
  await post('sboms', family(2).upload, sbom(undefined))
  await post('vex', family(2).upload, verdict('CVE-2024-1', 'pkg:npm/left'))
  const id = async () => (await openvex(family(2))).statements[0]?.products[0]?.['@id']
  expect(await id()).toMatch(/^urn:uuid:[0-9a-f-]{36}$/)
  expect(await id()).toBe(await id())
})

it('the state of every version names what the versions of the product share', async () => {
  for (const version of ['1.0', '2.0']) {
    await post('sboms', family(3).upload, sbom({ purl: `pkg:generic/pump@${version}` }), version)
    await post('vex', family(3).upload, verdict('CVE-2024-1', 'pkg:npm/left'), version)
  }
  expect((await openvex(family(3), null)).statements[0]?.products[0]?.['@id']).toBe('pkg:generic/pump')
})

const finder = `package main

import (
	"fmt"
	"os"

	"github.com/openvex/go-vex/pkg/vex"
)

func main() {
	document, err := vex.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	for _, statement := range document.Matches(os.Args[2], os.Args[3], nil) {
		fmt.Println(statement.Status)
	}
}
`
const run = promisify(execFile)

/** A program with the OpenVEX reference library; null where Go or the library is unavailable. */
async function buildFinder(folder: string): Promise<string | null> {
  const go = (args: string[]) => run('go', args, { cwd: folder, timeout: 240_000 })
  try {
    writeFileSync(join(folder, 'main.go'), finder)
    await go(['mod', 'init', 'finder'])
    await go(['get', 'github.com/openvex/go-vex/pkg/vex@v0.2.5'])
  } catch (error) {
    console.info('the reference library of OpenVEX is not here; its rule is checked instead', error)
    return null
  }
  await go(['build', '-o', 'finder', '.'])
  return join(folder, 'finder')
}

it(
  'the reference library of OpenVEX finds the statement by CVE and product',
  { timeout: 600_000 },
  async () => {
    const document = await openvex(family(0))
    const folder = mkdtempSync(join(tmpdir(), 'go-vex-'))
    try {
      const path = await buildFinder(folder)
      const file = join(folder, 'state.openvex.json')
      writeFileSync(file, JSON.stringify(document))
      const found = async (id: string, product: string) =>
        path === null
          ? statusByRule(document, id, product)
          : (await run(path, [file, id, product])).stdout.trim()
      expect(await found('CVE-2024-1', 'pkg:generic/acme/pump@1.0')).toBe('not_affected')
      expect(await found('GHSA-aaaa-bbbb-cccc', 'pkg:generic/acme/pump@1.0')).toBe('not_affected')
      expect(await found('CVE-2024-1', 'pkg:generic/acme/pump@2.0')).toBe('')
      expect(await found('CVE-2024-2', 'pkg:generic/acme/pump@1.0')).toBe('')
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

/** The library's own rule: the name or an alias, and a product whose id is the purl. */
function statusByRule({ statements }: OpenVex, id: string, product: string): string {
  const found = statements.filter(
    ({ vulnerability: { name, aliases = [] }, products }) =>
      [name, ...aliases].includes(id) && products.some((one) => one['@id'] === product),
  )
  return found.map(({ status }) => status).join('\n')
}
