import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blockingDirectory } from '../../src/platform/postgres/embedded/account.ts'
import { openStore } from '../../src/platform/postgres/store.ts'
import { checkoutDir } from '../support/test-server.ts'
import {
  configOf,
  copyCheckout,
  createStoreLab,
  databasePackage,
  linkCheckout,
  serverPid,
  type StoreLab,
} from './store-lab.ts'
import { startStoreUser } from './store-user.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }
const isRoot = process.getuid?.() === 0
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
/** An ordinary user to start the store: this one, or nobody where root runs the tests. */
const ordinary = isRoot ? nobody : { ...userInfo(), name: userInfo().username }
const canOrdinaryReadCode = !isRoot || (await blockingDirectory(checkoutDir, nobody)) === null
const where = canOrdinaryReadCode ? '' : ' (skipped: "nobody" cannot read this checkout)'

describe.runIf(isRoot)('the embedded store, started by root (needs to be root)', () => {
  let lab: StoreLab
  beforeEach(async () => {
    lab = await createStoreLab()
  })
  afterEach(() => lab.remove())

  it('runs under an unprivileged account that alone may read the data', async () => {
    const store = await openStore(configOf(lab, { dataDir: lab.dataDir() }), silent)
    const data = await stat(join(lab.dataDir(), 'pgdata'))
    expect(data.uid).not.toBe(0)
    expect(data.mode & 0o777).toBe(0o700)
    await store.close()
  })

  it('stays with the owner of the data when a better account appears', async () => {
    const first = await openStore(configOf(lab, { dataDir: lab.dataDir(), postgresUser: 'nobody' }), silent)
    await first.close()
    const second = await openStore(configOf(lab, { dataDir: lab.dataDir() }), silent)
    expect((await stat(join(lab.dataDir(), 'pgdata'))).uid).toBe(nobody.uid)
    await second.close()
  })

  it('refuses a configured account that is missing, root, or not the owner of the data', async () => {
    const open = (postgresUser: string) =>
      openStore(configOf(lab, { dataDir: lab.dataDir(), postgresUser }), silent)
    await expect(open('no-such-account')).rejects.toMatchObject({ code: 'account_unusable' })
    await expect(open('root')).rejects.toMatchObject({ code: 'account_unusable' })
    await mkdir(join(lab.dataDir(), 'pgdata'), { recursive: true })
    await chown(join(lab.dataDir(), 'pgdata'), 1, 1)
    await expect(open('nobody')).rejects.toMatchObject({ code: 'account_unusable' })
  })

  it('refuses a named directory that its account cannot reach, and names what is in the way', async () => {
    const closed = join(lab.folder, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const open = openStore(configOf(lab, { dataDir: join(closed, 'data') }), silent)
    await expect(open).rejects.toMatchObject({ code: 'directory_closed' })
    await expect(open).rejects.toThrow(`${closed} does not let that account through`)
  })

  it('works for a checkout below a directory only root can enter, from one copy of the programs', async () => {
    // The strictest umask: everything created must be opened to the server's account explicitly.
    const umask = process.umask(0o077)
    try {
      const closed = join(lab.folder, 'closed')
      const checkout = await copyCheckout(join(closed, 'checkout'))
      expect((await stat(closed)).mode & 0o777).toBe(0o700)
      const config = configOf(lab, { checkoutDir: checkout, postgresBinDir: null })
      for (let start = 0; start < 2; start += 1) {
        const store = await openStore(config, silent)
        expect(store.dataDir).toMatch(new RegExp(`^${join(lab.folder, 'state')}/checkout-[0-9a-f]{12}$`))
        await store.close()
      }
      const state = await readdir(join(lab.folder, 'state'))
      expect(state.filter((name) => name.startsWith('postgres-'))).toHaveLength(1)
    } finally {
      process.umask(umask)
    }
  })

  it('gives every checkout a store of its own', async () => {
    const places = new Set<string>()
    for (const parent of ['a', 'b']) {
      const checkout = await linkCheckout(join(lab.folder, parent, 'checkout'))
      const store = await openStore(configOf(lab, { checkoutDir: checkout }), silent)
      places.add(store.dataDir ?? '')
      await store.close()
    }
    expect(places.size).toBe(2)
  })
})

describe.runIf(canOrdinaryReadCode)(`the embedded store, started by an ordinary user${where}`, () => {
  let lab: StoreLab
  const { uid, gid } = ordinary
  const account = { uid, gid }
  beforeEach(async () => {
    lab = await createStoreLab()
    await chown(lab.folder, uid, gid)
  })
  afterEach(async () => {
    await chmod(lab.folder, 0o755)
    await lab.remove()
  })

  it('lies in the checkout', async () => {
    const checkout = await linkCheckout(join(lab.folder, 'checkout'))
    await chown(checkout, uid, gid)
    lab.dataDir('checkout/.data')
    const user = await startStoreUser(configOf(lab, { checkoutDir: checkout }), account)
    expect(user.opened.dataDir).toBe(join(checkout, '.data'))
    expect((await stat(join(checkout, '.data'))).uid).toBe(uid)
    await user.leave()
    expect(await serverPid(join(checkout, '.data'))).toBeNull()
  })

  it('lies in the state folder, and runs from a copy, when the checkout is read-only', async () => {
    const checkout = await copyCheckout(join(lab.folder, 'checkout'))
    const closed = [checkout, join(checkout, databasePackage, 'native/lib')]
    for (const folder of closed) await chmod(folder, 0o555)
    try {
      const config = configOf(lab, { checkoutDir: checkout, postgresBinDir: null })
      const user = await startStoreUser(config, account)
      expect(user.opened.dataDir).toMatch(/\/state\/checkout-[0-9a-f]{12}$/)
      await user.leave()
      expect(await readdir(join(lab.folder, 'state'))).toContainEqual(expect.stringMatching(/^postgres-18/))
    } finally {
      for (const folder of closed) await chmod(folder, 0o755)
    }
  })

  it('names the directory it may not write', async () => {
    await chmod(lab.folder, 0o555)
    await expect(startStoreUser(configOf(lab, { dataDir: lab.dataDir() }), account)).rejects.toThrow(
      `${lab.dataDir()} cannot be used (EACCES)`,
    )
  })
})
