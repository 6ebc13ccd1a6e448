import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDeclaredRows } from './declared-rows.ts'

const root = join(import.meta.dirname, '../../..')
const source = `import { sql, type Kysely } from 'kysely'
type Row = { id: string; at: Date | null; state: 'open' | 'closed'; counts: number[]; note?: string }
export async function read(db: Kysely<object>) {
  return sql<Row>\`select 1\`.execute(db)
}
export async function readAny<Given>(db: Kysely<object>) {
  return sql<Given>\`select 1\`.execute(db)
}
`
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'declared-rows-'))
  await mkdir(join(folder, 'src'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['tsconfig.json', 'tsconfig.base.json', 'package.json'])
    await symlink(join(root, name), join(folder, name))
  await writeFile(join(folder, 'src/read.ts'), source)
})
afterAll(() => rm(folder, { recursive: true }))

it('reads the row type of each raw read, and none that only its callers know', () => {
  expect(readDeclaredRows(folder)).toEqual({
    'src/read.ts:4': {
      kinds: ['object'],
      fields: {
        id: { kinds: ['string'] },
        at: {
          kinds: expect.toSatisfy((kinds: string[]) => kinds.toSorted().join() === 'date,null') as string[],
        },
        state: { kinds: [], words: ['open', 'closed'] },
        counts: { kinds: ['array'], items: { kinds: ['number'] } },
        note: { kinds: ['undefined', 'string'] },
      },
    },
  })
})
