import { hash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSbom } from '../../src/formats/sbom/read-sbom.ts'
import { distinctComponents, identifierOf } from '../../src/sbom/components/component-rows.ts'
import type { KnownComponents } from '../../src/sbom/components/component-queries.ts'
import {
  insertMissing,
  lookUpComponents,
  numberComponents,
} from '../../src/sbom/components/store-components.ts'
import { UploadedComponents } from '../../src/sbom/components/uploaded-components.ts'
import { storeSbom } from '../../src/sbom/store-sbom.ts'
import { uploadDetails } from '../../src/sbom/upload-details.ts'
import type { SbomUpload } from '../../src/sbom/upload.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase
let company: Company

beforeAll(async () => {
  database = await createTestDatabase()
  company = await createCompany(database.db, 'acme')
})

afterAll(() => database.drop())

const storing = { clock: () => testNow, storeBeside: () => Promise.resolve() }

function fileOf(body: Buffer) {
  return { body, sha256: hash('sha256', body, 'buffer'), sizeBytes: body.length, document: readSbom(body) }
}

async function uploadBy(sender: Company): Promise<SbomUpload> {
  const { id } = await createFamilyToken(database.db, sender)
  return {
    sender: { ...sender, tokenId: id, name: 'ci' },
    contentEncoding: undefined,
    details: uploadDetails({
      productVersion: null,
      source: null,
      commit: null,
      branch: null,
      repository: null,
      runUrl: null,
    }),
    requestId: 'request',
    address: '127.0.0.1',
  }
}

async function countRows(table: 'sbom' | 'component' | 'job' | 'product_version'): Promise<number> {
  const { count } = await database.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function countComponents(): Promise<void> {
  await sql`analyze component`.execute(database.db)
}

/** The row count the planner uses. */
async function countedComponents(): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select reltuples as rows from pg_class where oid = 'component'::regclass`.execute(database.db)
  return rows[0]?.rows ?? 0
}

describe('the storing transaction', () => {
  it.each(['free', 'closed'] as const)('stores nothing once the workspace is %s', async (state) => {
    const lapsed = await createCompany(database.db, `lapsed-${state}`, state)
    const upload = await uploadBy(lapsed)
    const tables = ['sbom', 'component', 'job', 'product_version'] as const
    const before = await Promise.all(tables.map(countRows))
    const file = fileOf(sampleSbom({ components: 3, serial: 1, offset: 900 }))
    await expect(storeSbom(database.db, upload, file, storing)).rejects.toMatchObject({
      code: 'billing_lapsed',
    })
    expect(await Promise.all(tables.map(countRows))).toEqual(before)
  })

  it('answers the winner of a race with the same file, and makes no version for the loser', async () => {
    const file = fileOf(sampleSbom({ components: 3, serial: 2, version: 'winner' }))
    const winner = await storeSbom(database.db, await uploadBy(company), file, storing)
    const versions = await countRows('product_version')
    const late = await uploadBy(company)
    const loser = await storeSbom(
      database.db,
      { ...late, details: { ...late.details, productVersion: 'loser' } },
      file,
      storing,
    )
    expect(loser).toEqual({ ...winner, isDuplicate: true })
    expect(await countRows('product_version')).toBe(versions)
  })

  it('goes by no count of components that the database made while most of them were still being stored', async () => {
    const counted = { ...storing, storeBeside: countComponents }
    const other = await createCompany(database.db, 'counted')
    await storeSbom(
      database.db,
      await uploadBy(other),
      fileOf(sampleSbom({ components: 3_000, serial: 5 })),
      counted,
    )
    const before = await countRows('component')
    expect(await countedComponents()).toBeLessThan(before)
    await storeSbom(
      database.db,
      await uploadBy(other),
      fileOf(sampleSbom({ components: 3_000, serial: 6 })),
      storing,
    )
    expect(await countedComponents()).toBe(before)
  })
})

describe('numbers of components', () => {
  const documentFrom = (offset: number) => readSbom(sampleSbom({ components: 4, serial: 3, offset }))
  const rowsFrom = (offset: number) => [...distinctComponents(documentFrom(offset))]

  async function next(): Promise<number> {
    const family = await database.db
      .selectFrom('family')
      .select('next_component_number')
      .where('id', '=', company.familyId)
      .executeTakeFirstOrThrow()
    return family.next_component_number
  }

  async function store(rows: ReturnType<typeof rowsFrom>, known: KnownComponents) {
    return database.db.transaction().execute(async (tx) => {
      const identifyRow = identifierOf(documentFrom(0))
      const first = await next()
      const components = new UploadedComponents(rows)
      const { numberOf, missing } = await numberComponents(tx, company, { components, known, next: first })
      await insertMissing(tx, company, { sbomId: randomUUID(), missing, next: first, identifyRow })
      return [...numberOf.values()].sort((one, other) => one - other)
    })
  }

  const look = async (rows: ReturnType<typeof rowsFrom>) =>
    (await lookUpComponents(database.db, company, rows)).known

  it('are those of the components another upload has stored since the look', async () => {
    const rows = rowsFrom(100)
    const known = await look(rows)
    const others = await store(rows, await look(rows))
    expect(await store(rows, known)).toEqual(others)
  })

  it('are given to all components of a large first SBOM, although their look-up ends with the first ones', async () => {
    const { components, ...others } = readSbom(sampleSbom({ components: 2_500, serial: 7 }))
    const document = { ...others, components: [...components, ...components.slice(0, 100)] }
    const first = await createCompany(database.db, 'first')
    const body = Buffer.from('first')
    const file = { body, sha256: hash('sha256', body, 'buffer'), sizeBytes: body.length, document }
    await storeSbom(database.db, await uploadBy(first), file, storing)
    const { rows } = await sql`
      select count(*)::int as components, count(distinct hash)::int as hashes, min(number) as first, max(number) as last,
        (select next_component_number from family where id = ${first.familyId}) as next,
        (select array_agg(cardinality(component_numbers)) from sbom where family_id = ${first.familyId}) as of_sbom
      from component where family_id = ${first.familyId}`.execute(database.db)
    expect(rows).toEqual([
      { components: 2_500, hashes: 2_500, first: 1, last: 2_500, next: 2_501, of_sbom: [2_500] },
    ])
  })

  it('are found for all components of a large SBOM, whoever of its entries comes twice', async () => {
    const { components, ...others } = readSbom(sampleSbom({ components: 20_500, serial: 4, offset: 1_000 }))
    const document = { ...others, components: [...components, ...components.slice(0, 100)] }
    const first = await lookUpComponents(database.db, company, distinctComponents(document))
    const rows = [...first.components]
    expect(rows).toHaveLength(20_500)
    expect(rows[99]?.references).toHaveLength(2)
    const numbers = await store(rows, first.known)
    const { known } = await lookUpComponents(database.db, company, distinctComponents(document))
    expect([...known.numbers.values()].sort((one, other) => one - other)).toEqual(numbers)
    expect(new Set(known.numbers.keys())).toEqual(new Set(rows.map(({ hash }) => hash)))
    expect(known.next).toBe(await next())
  })

  it('are looked up again when components were deleted since the look', async () => {
    const rows = rowsFrom(200)
    const numbers = await store(rows, await look(rows))
    const known = await look(rows)
    await database.db
      .deleteFrom('component')
      .where('family_id', '=', company.familyId)
      .where('number', '=', numbers[0] ?? 0)
      .execute()
    await database.db
      .updateTable('family')
      .set({ next_component_number: (await next()) + 1 })
      .where('id', '=', company.familyId)
      .execute()
    const after = await store(rows, known)
    const stored = await database.db
      .selectFrom('component')
      .select('number')
      .where('family_id', '=', company.familyId)
      .where('number', 'in', after)
      .execute()
    expect(after).toHaveLength(4)
    expect(stored).toHaveLength(4)
    expect(after).not.toContain(numbers[0])
  })
})
