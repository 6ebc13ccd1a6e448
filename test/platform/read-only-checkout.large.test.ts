import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildWebWhenStale } from '../../src/cli/build-web.ts'
import { blockingDirectory } from '../../src/platform/postgres/embedded/account.ts'
import { checkoutDir } from '../support/test-server.ts'
import { createStoreLab, type StoreLab } from './store-lab.ts'
import { freePort, silentLog } from './starting.ts'
import { feedsOff } from '../support/feeds.ts'

const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
/** Root can write everywhere: it starts the service as nobody. */
const { uid, gid } = isRoot ? nobody : userInfo()
const canReadCode = !isRoot || (await blockingDirectory(checkoutDir, nobody)) === null
const where = canReadCode ? '' : ' (skipped: "nobody" cannot read this checkout)'

describe.runIf(canReadCode)(`a checkout that cannot be written${where}`, () => {
  let lab: StoreLab
  let checkout: string
  const changeModes = async (mode: number) => {
    const folders = await readdir(checkout, { recursive: true, withFileTypes: true })
    for (const entry of folders) {
      if (entry.isDirectory()) await chmod(join(entry.parentPath, entry.name), mode)
    }
    await chmod(checkout, mode)
  }

  beforeAll(async () => {
    lab = await createStoreLab()
    checkout = join(lab.folder, 'checkout')
    await mkdir(checkout)
    await mkdir(lab.dataDir(), { mode: 0o777 })
    await chmod(lab.dataDir(), 0o777)
    await buildWebWhenStale(checkoutDir, { log: silentLog })
    for (const part of ['src', 'web', 'database', 'package.json', 'package-lock.json']) {
      await cp(join(checkoutDir, part), join(checkout, part), { recursive: true })
    }
    await symlink(join(checkoutDir, 'node_modules'), join(checkout, 'node_modules'))
    await changeModes(0o555)
  })
  afterAll(async () => {
    await changeModes(0o755)
    await lab.remove()
  })

  const start = (port: string) => {
    const address = { PORT: port, BASE_URL: `http://127.0.0.1:${port}`, DATA_DIR: lab.dataDir('data/own') }
    const child = spawn(process.execPath, [join(checkout, 'src/main.ts'), 'all'], {
      cwd: '/',
      env: { ...process.env, ...feedsOff, ...address, HOME: lab.folder, XDG_STATE_HOME: lab.dataDir() },
      stdio: ['ignore', 'pipe', 'pipe'],
      uid,
      gid,
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ready = new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString()
        if (output.includes('ready at')) resolve()
      })
      child.once('close', (code) => reject(new Error(`ended with ${String(code)}: ${output}`)))
    })
    return { child, ready }
  }

  it('starts with the application that was built in it', async () => {
    const port = await freePort()
    const { child, ready } = start(port)
    await ready
    const page = await fetch(`http://127.0.0.1:${port}/app/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="root">')])
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
  })

  it('says in words that the application is missing', async () => {
    await changeModes(0o755)
    await rm(join(checkout, 'web/dist'), { recursive: true })
    await changeModes(0o555)
    const { ready } = start(await freePort())
    await expect(ready).rejects.toThrow(
      new RegExp(
        `ended with 2: .*\nThe web application has to be built, and ${checkout}/web cannot be written \\(EACCES\\)`,
        's',
      ),
    )
    await expect(ready).rejects.not.toThrow('    at ')
  })
})
