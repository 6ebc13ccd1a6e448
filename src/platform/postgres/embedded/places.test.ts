import { chmod, mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder, dataFolder, fitsSocketAddress, stateFolder } from './places.ts'

describe('fitsSocketAddress', () => {
  // "/.s.PGSQL.5432" takes 14 bytes of 107 (Linux) or 103 (macOS).
  const longest = process.platform === 'darwin' ? 89 : 93

  it.each([
    ['the longest path', `/${'a'.repeat(longest - 1)}`, true],
    ['one byte more', `/${'a'.repeat(longest)}`, false],
    ['letters of two bytes', `/${'é'.repeat(Math.ceil(longest / 2))}`, false],
  ])('judges %s', (_, folder, expected) => {
    expect(fitsSocketAddress(folder)).toBe(expected)
  })
})

describe('stateFolder', () => {
  it.each([
    ['the given one', '/srv/state', 0, '/srv/state'],
    [
      'the system tree for root',
      null,
      0,
      process.platform === 'darwin' ? '/var/db/sbom-monitor' : '/var/lib/sbom-monitor',
    ],
  ])('is %s', (_, stateDir, uid, expected) => {
    expect(stateFolder(stateDir, uid)).toBe(expected)
  })
})

describe('dataFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'places-')))
    await mkdir(join(folder, 'checkout'))
  })
  afterEach(async () => {
    // Only root removes what lies in a read-only folder.
    await chmod(join(folder, 'checkout'), 0o755)
    await rm(folder, { recursive: true })
  })

  const question = () => ({
    checkoutDir: join(folder, 'checkout'),
    dataDir: null,
    stateDir: join(folder, 'state'),
  })

  it('is the one the operator names', async () => {
    expect(await dataFolder({ ...question(), dataDir: '/srv/data' }, 0)).toBe('/srv/data')
  })

  it('is keyed by the real path of the checkout for root', async () => {
    await symlink(join(folder, 'checkout'), join(folder, 'link'))
    const direct = await dataFolder(question(), 0)
    expect(direct).toMatch(/\/state\/checkout-[0-9a-f]{12}$/)
    expect(await dataFolder({ ...question(), checkoutDir: join(folder, 'link') }, 0)).toBe(direct)
    await mkdir(join(folder, 'other', 'checkout'), { recursive: true })
    expect(await dataFolder({ ...question(), checkoutDir: join(folder, 'other', 'checkout') }, 0)).not.toBe(
      direct,
    )
  })

  it('lies in the checkout of an ordinary user, and stays there when the checkout becomes read-only', async () => {
    expect(await dataFolder(question(), 1000)).toBe(join(folder, 'checkout', '.data'))
    await mkdir(join(folder, 'checkout', '.data'))
    await chmod(join(folder, 'checkout'), 0o555)
    expect(await dataFolder(question(), 1000)).toBe(join(folder, 'checkout', '.data'))
  })
})

describe('createFolder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'places-')))
    await writeFile(join(folder, 'file'), '')
    await symlink(join(folder, 'nowhere'), join(folder, 'dangling'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('makes what is missing, and leaves alone what is there', async () => {
    const wanted = join(folder, 'a', 'b', 'c')
    await Promise.all([createFolder(wanted, null), createFolder(wanted, null)])
    expect((await stat(wanted)).mode & 0o777).toBe(0o700)
    await chmod(join(folder, 'a'), 0o755)
    await createFolder(wanted, null)
    expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o755)
  })

  it.each([
    ['a file', 'file', 'EEXIST'],
    ['a folder below a file', join('file', 'a', 'b'), 'ENOTDIR'],
    ['a link that leads nowhere', 'dangling', 'EEXIST'],
  ])('refuses %s', async (_, name, code) => {
    const path = join(folder, name)
    await expect(createFolder(path, null)).rejects.toThrow(
      `The data directory ${path} cannot be used (${code}).`,
    )
  })

  it.runIf(process.platform === 'linux')('refuses a file system that takes no folders', async () => {
    await expect(createFolder('/proc/data/of/service', null)).rejects.toThrow(
      'The data directory /proc/data/of/service cannot be used (ENOENT).',
    )
  })
})
