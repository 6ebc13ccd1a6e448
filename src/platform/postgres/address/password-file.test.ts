import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findPassword, passwordFrom } from './password-file.ts'

const sought = { host: 'db-1', port: 5432, database: 'd', user: 'u' }

describe('a line of the password file', () => {
  it.each<[string, string | undefined]>([
    ['db-1:5432:d:u:s3cret', 's3cret'],
    ['*:*:*:*:s3cret', 's3cret'],
    ['*:5432:*:u:s3cret', 's3cret'],
    ['db-2:5432:d:u:other\ndb-1:5432:d:u:s3cret', 's3cret'],
    ['*:*:*:*:first\ndb-1:5432:d:u:second', 'first'],
    ['#db-1:5432:d:u:out\ndb-1:5432:d:u:in', 'in'],
    ['db-1:5432:d:u:s3cret\r\n', 's3cret'],
    ['db-1:5432:d:u:a\\:b\\\\c', 'a:b\\c'],
    ['db-1:5432:d:u:ends:here', 'ends'],
    ['db-1:5432:d:u:p\\*s ü', 'p*s ü'],
    ['db-1:5432:d:u:', ''],
    ['db-1:5433:d:u:s3cret', undefined],
    ['db-1:5432:e:u:s3cret', undefined],
    ['db-1:5432:d:v:s3cret', undefined],
    ['DB-1:5432:d:u:s3cret', undefined],
    ['\\*:5432:d:u:s3cret', undefined],
    ['db*:5432:d:u:s3cret', undefined],
    ['db-1:5432:d:s3cret', undefined],
    ['', undefined],
    [' db-1:5432:d:u:s3cret', undefined],
  ])('%j says %j', (text, expected) => {
    expect(findPassword(text, sought)).toBe(expected)
  })

  it.each<[string, object, string | undefined]>([
    ['a\\:b:1:x\\\\y:u:s3cret', { host: 'a:b', port: 1, database: 'x\\y' }, 's3cret'],
    ['\\:\\:1:5432:d:u:s3cret', { host: '::1' }, 's3cret'],
    ['localhost:5432:d:u:s3cret', { host: '/var/run/postgresql' }, 's3cret'],
    ['/srv/pg:5432:d:u:s3cret', { host: '/srv/pg' }, 's3cret'],
    ['localhost:5432:d:u:s3cret', { host: '/srv/pg' }, undefined],
    ['db-1:5432:*:\\*:s3cret', { user: '*' }, 's3cret'],
  ])('%j for %j says %j', (text, other, expected) => {
    expect(findPassword(text, { ...sought, ...other })).toBe(expected)
  })

  it('of a hostile file is passed over in time', () => {
    const text = `${'\\'.repeat(500_000)}\n${':'.repeat(500_000)}\ndb-1:5432:d:u:s3cret`
    const begun = process.cpuUsage().user
    expect(findPassword(text, sought)).toBe('s3cret')
    expect(process.cpuUsage().user - begun).toBeLessThan(2_000_000)
  })
})

describe('a password file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pgpass-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const written = async (text: string, mode: number) => {
    const file = join(folder, `pass-${mode}`)
    await writeFile(file, text)
    await chmod(file, mode)
    return file
  }

  it.each([0o600, 0o400])('of mode %o is read', async (mode) => {
    expect(passwordFrom(await written('*:*:*:*:s3cret', mode), sought)).toBe('s3cret')
  })

  it.each([0o640, 0o604, 0o660])(
    'of mode %o, which others may read, is refused by its name',
    async (mode) => {
      const file = await written('*:*:*:*:s3cret', mode)
      expect(() => passwordFrom(file, sought)).toThrow(
        `"${file}" to be its owner's alone (chmod 600), found mode`,
      )
    },
  )

  it('that is missing, a folder, too long, or without a line that fits is named, and nothing of it', async () => {
    expect(() => passwordFrom(join(folder, 'none'), sought)).toThrow('(ENOENT)')
    await chmod(folder, 0o700)
    expect(() => passwordFrom(folder, sought)).toThrow('(EISDIR)')
    const other = await written('db-2:*:*:*:s3cret', 0o600)
    expect(() => passwordFrom(other, sought)).toThrow(/^(?!.*s3cret).*nor in ".*" a line for this host/)
    const long = await written('x'.repeat(1024 * 1024 + 1), 0o600)
    expect(() => passwordFrom(long, sought)).toThrow('to be at most 1 MB')
  })
})
