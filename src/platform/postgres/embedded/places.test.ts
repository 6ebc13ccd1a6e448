import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataFolder, fitsSocketAddress, stateFolder } from './places.ts'

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
