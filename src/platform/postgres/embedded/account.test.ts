import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockingDirectory, chooseAccount } from './account.ts'

const passwd = `# a comment:x:1:1
root:x:0:0:root:/root:/bin/sh
nobody:x:65534:65533:nobody:/:/bin/false
postgres:x:101:104::/var/lib/postgresql:/bin/sh
svc:x:900:901::/:/bin/false
toor:x:0:0::/:/bin/sh
cut:x
`
const base = { ownUid: 0, configuredUser: null, dataOwner: null, passwd }

describe('chooseAccount', () => {
  it.each([
    ['no account for an ordinary user', { ...base, ownUid: 1000, configuredUser: 'svc' }, null],
    ['postgres first', base, { name: 'postgres', uid: 101, gid: 104 }],
    [
      'nobody without postgres',
      { ...base, passwd: passwd.replace('postgres:', 'other:') },
      { name: 'nobody', uid: 65534, gid: 65533 },
    ],
    [
      'the configured one before both',
      { ...base, configuredUser: 'svc' },
      { name: 'svc', uid: 900, gid: 901 },
    ],
    [
      'the owner of the data before the defaults',
      { ...base, dataOwner: { uid: 900, gid: 901 } },
      { name: 'svc', uid: 900, gid: 901 },
    ],
    [
      'an owner without an entry',
      { ...base, dataOwner: { uid: 77, gid: 78 } },
      { name: '77', uid: 77, gid: 78 },
    ],
    [
      'an owner that is the configured one',
      { ...base, configuredUser: 'svc', dataOwner: { uid: 900, gid: 1 } },
      { name: 'svc', uid: 900, gid: 901 },
    ],
  ])('takes %s', (_, question, expected) => {
    expect(chooseAccount(question)).toEqual(expected)
  })

  it.each([
    ['an unknown account', { ...base, configuredUser: 'missing' }, 'does not exist'],
    ['a cut entry', { ...base, configuredUser: 'cut' }, 'does not exist'],
    ['root by any name', { ...base, configuredUser: 'toor' }, 'is root'],
    ['data of root', { ...base, dataOwner: { uid: 0, gid: 0 } }, 'belong to root'],
    [
      'data of another than the configured account',
      { ...base, configuredUser: 'svc', dataOwner: { uid: 101, gid: 104 } },
      'chown -R 900:901',
    ],
    ['a system without an account to use', { ...base, passwd: 'root:x:0:0::/:/bin/sh\n' }, 'no account'],
  ])('refuses %s', (_, question, message) => {
    expect(() => chooseAccount(question)).toThrow(message)
  })
})

describe('blockingDirectory', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reach-'))
    await mkdir(join(folder, 'a', 'b'), { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true }))

  const stranger = { name: 'stranger', uid: 4_000_000, gid: 4_000_000 }
  const owner = { name: 'owner', uid: process.getuid?.() ?? 0, gid: 4_000_000 }
  const colleague = { name: 'colleague', uid: 4_000_000, gid: process.getgid?.() ?? 0 }

  it.each([
    ['open to all', 0o755, stranger, null],
    ['open to pass through only', 0o711, stranger, null],
    ['readable but not to be entered', 0o744, stranger, 'a'],
    ['closed to all but the owner', 0o700, stranger, 'a'],
    ['closed, for its owner', 0o700, owner, null],
    ['closed to its owner', 0o077, owner, 'a'],
    ['open to the group', 0o710, colleague, null],
    ['closed to the group, open to others', 0o701, colleague, 'a'],
    ['closed, for this process itself', 0o700, null, null],
  ])('judges a parent that is %s', async (_, mode, account, blocking) => {
    await chmod(folder, 0o755)
    await chmod(join(folder, 'a'), mode)
    const path = join(folder, 'a', 'b')
    // Only root may look below a directory that is closed to its owner.
    if (mode === 0o077 && process.getuid?.() !== 0) return
    expect(await blockingDirectory(path, account)).toBe(blocking === null ? null : join(folder, blocking))
    await chmod(join(folder, 'a'), 0o755)
  })
})
