import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { checkoutDir } from '../support/test-server.ts'
import { portOf } from '../support/port-of.ts'
import { freePort, takePort } from './starting.ts'
import { feedsOff } from '../support/feeds.ts'
import { layStore } from '../support/prepared-store.ts'
import { asNpmRun } from '../support/service.ts'
import { createStoreLab, serverPid, type StoreLab } from './store-lab.ts'
import { exitCodeOf } from '../support/once-over.ts'
import { textIn } from '../support/read-as.ts'

/** The command an operator types, run as npm does: by a shell, with the project's binaries first. */
const startScript = textIn(
  JSON.parse(readFileSync(join(checkoutDir, 'package.json'), 'utf8')),
  'scripts',
  'start',
)
const path = `${join(checkoutDir, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`

let lab: StoreLab
const children: ChildProcess[] = []
beforeEach(async () => {
  lab = await createStoreLab()
})
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  await lab.remove()
})

type Started = { child: ChildProcess; output: () => string; said: (text: string) => Promise<void> }

function start(command: [string, ...string[]], env: Record<string, string>): Started {
  const [program, ...args] = command
  // The test runner sets its own BASE_URL.
  const address = { BASE_URL: `http://127.0.0.1:${env['PORT'] ?? '3000'}`, DATA_DIR: lab.dataDir() }
  const child = spawn(program, args, {
    cwd: checkoutDir,
    env: { ...process.env, ...feedsOff, PATH: path, ...address, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let text = ''
  const onText = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      for (const listener of onText) listener()
    })
  }
  const said = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (text.includes(wanted)) resolve()
      }
      onText.add(look)
      child.once('close', () => reject(new Error(`ended without "${wanted}": ${text}`)))
      look()
    })
  return { child, output: () => text, said }
}

describe('SIGTERM to the one process that npm start shows', () => {
  it.each<[string, [string, ...string[]]]>([
    ['npm', ['npm', 'start']],
    // A shell that does not exec its last command: not every one does.
    ['the shell', ['bash', '-c', `${startScript}\n:`]],
  ])('%s ends the service and its store', async (who, command) => {
    // the first start of all is tried with npm
    if (who !== 'npm') await layStore(lab.dataDir())
    const port = await freePort()
    const { child, said, output } = start(command, { PORT: port })
    await said('ready at')
    expect(await serverPid(lab.dataDir())).not.toBeNull()
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    // Pipes close when the last process holding them exits.
    await closed
    expect(output()).toContain('"msg":"stopped"')
    // parsing drops a duplicate key
    const lines = output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(lines.map((line) => JSON.stringify(JSON.parse(line)))).toEqual(lines)
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow()
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('ends it while it is still starting', async () => {
    const database = await createTestDatabase()
    const env = { PORT: await freePort(), DATABASE_URL: database.url }
    const { child, said, output } = start(['bash', '-c', startScript], env)
    await said('"msg":"starting"')
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    expect(await closed).toEqual([0, null])
    expect(output()).toContain('"msg":"stopped"')
    await database.drop()
  })

  it('ends it while the database keeps it waiting', async () => {
    const silent = createServer((socket) => socket.resume().on('error', () => undefined))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const url = `postgresql://monitor@127.0.0.1:${portOf(silent)}/monitor`
    const asked = once(silent, 'connection')
    const { child, output } = start(['bash', '-c', startScript], {
      PORT: await freePort(),
      DATABASE_URL: url,
    })
    await asked
    const closed = once(child, 'close')
    child.kill('SIGTERM')
    expect([await closed, output()]).toEqual([[0, null], expect.stringContaining('"msg":"stopped"')])
    silent.close()
  })
})

it('goes on when nobody reads what it prints any more', async () => {
  const port = await freePort()
  const { child, said } = start(['bash', '-c', startScript], { PORT: port })
  await said('"msg":"starting"')
  child.stdout?.destroy()
  child.stderr?.destroy()
  const isReady = async () => {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    return answer?.ok === true
  }
  while (!(await isReady())) await sleep(100)
  // the set-up link has been printed by then
  await sleep(500)
  expect(await isReady()).toBe(true)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

describe('a command whose output nobody takes', () => {
  const main = `"${process.execPath}" src/main.ts`
  const inShell = async (script: string) => {
    const { child, output } = start(['bash', '-c', script], asNpmRun)
    await exitCodeOf(child)
    return output()
  }

  it('does its work without a reader of its messages', async () => {
    const file = join(lab.folder, 'backup.gz')
    const said = await inShell(
      `${main} migrate >/dev/null && { ${main} backup "${file}" 2>&1 >/dev/null | true; echo "ended with \${PIPESTATUS[0]}"; }`,
    )
    expect(said).toContain('ended with 0')
    await access(file)
  })

  it('says by its status that nobody took its result, or that there was no room for it', async () => {
    await layStore(lab.dataDir())
    expect(await inShell(`${main} workspaces | true; echo "ended with \${PIPESTATUS[0]}"`)).toBe(
      'ended with 141\n',
    )
    for (const words of ['help', 'workspaces']) {
      const said = await inShell(`${main} ${words} > /dev/full; echo "ended with $?"`)
      expect(said).toMatch(/^What was to be printed could not be written: ENOSPC.*\nended with 2\n$/)
    }
  })
})

describe('what an operator can put right is said in words, and the process ends with 2', () => {
  const main = join(checkoutDir, 'src/main.ts')
  const run = async (args: string[], env: Record<string, string>) => {
    const { child, output } = start([process.execPath, main, ...args], { ...asNpmRun, ...env })
    const code = await exitCodeOf(child)
    return { code, output: output() }
  }

  it.each(['PORT', 'METRICS_PORT'])('a %s that is taken', async (variable) => {
    await layStore(lab.dataDir())
    const taken = await takePort()
    const port = String(taken.port)
    const { code, output } = await run(['serve'], { PORT: await freePort(), [variable]: port })
    taken.close()
    expect(output).toContain(
      `${variable}: expected a free port, and another program listens on ${port} of 127.0.0.1`,
    )
    expect(output).not.toContain('    at ')
    expect(code).toBe(2)
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it.each(['192.0.2.1', 'fe80::1'])('a HOST that this machine cannot listen on: %s', async (host) => {
    await layStore(lab.dataDir())
    const { code, output } = await run(['serve'], { PORT: await freePort(), HOST: host })
    expect(output).toContain('HOST: expected an address ')
    expect(output).toContain(`found "${host}"`)
    expect(output).not.toContain('    at ')
    expect(code).toBe(2)
  })

  it.each([
    ['a file', ''],
    ['below a file', '/data'],
  ])('a DATA_DIR that is %s', async (_, below) => {
    const file = join(lab.folder, 'a-file')
    await writeFile(file, '')
    const { code, output } = await run(['serve'], { DATA_DIR: `${file}${below}` })
    expect(output).toContain(`The data directory ${file}${below} cannot be used (ENOTDIR).`)
    expect(output).not.toContain('    at ')
    expect(code).toBe(2)
  })

  it.each([
    [['serve', '--port', '80'], 'expected nothing after "serve", found "--port 80"'],
    [['migrate', '--dry-run'], 'expected nothing after "migrate", found "--dry-run"'],
    [['workspaces', 'acme'], 'expected nothing after "workspaces", found "acme"'],
    [
      ['provision', 'document.json'],
      'expected nothing after "provision < document.json", found "document.json"',
    ],
    [['toString'], 'unknown command "toString" (help lists all commands)'],
    [
      ['objects'],
      'unknown command "objects"; it takes a second word: move, check, give-up, erase (help lists all commands)',
    ],
    [['migraet'], 'unknown command "migraet"; did you mean "migrate"? (help lists all commands)'],
    [
      ['key', 'rotate'],
      'unknown command "key rotate"; did you mean "keys rotate"? (help lists all commands)',
    ],
    // it would be a backup in a file called verfy
    [
      ['backup', 'verfy'],
      'unknown command "backup verfy"; did you mean "backup verify"? (write a file of that name as "./verfy")',
    ],
    [
      ['backup', 'Verify', '/backups/last.gz'],
      'unknown command "backup Verify"; did you mean "backup verify"? (write a file of that name as "./Verify")',
    ],
  ])('words that nothing would come of: %s', async (args, message) => {
    const { code, output } = await run(args, {})
    expect(output.split('\n')[0]).toBe(message)
    expect(code).toBe(2)
    await expect(access(lab.dataDir())).rejects.toThrow('ENOENT')
  })

  it.each([['serve'], ['demo'], ['build-web'], ['migrate'], ['jobs', 'retry']])(
    '--help of %s says what it does, whatever the settings, and does nothing',
    async (...words) => {
      for (const option of ['--help', '-h']) {
        const { code, output } = await run([...words, option], { PORT: 'eighty' })
        expect(output).toMatch(new RegExp(`^${words.join(' ')}.*\n {2}[^\n]{9,}\n$`))
        expect(code).toBe(0)
      }
      await expect(access(lab.dataDir())).rejects.toThrow('ENOENT')
    },
  )

  it.each([
    ['mysql://root:s3cret@127.0.0.1/monitor', 'expected an address such as'],
    ['127.0.0.1:5432/monitor', 'expected an address such as'],
    ['postgresql://monitor:s3cret@127.0.0.1:54320000/monitor', 'expected an address such as'],
    [
      'postgresql://monitor:s3cret@127.0.0.1:1/monitor',
      'nothing listens there; start the server, or correct host and port (ECONNREFUSED)',
    ],
    [
      'postgresql://monitor:s3cret@nowhere.invalid/monitor',
      'the name of its host has no address; correct the host (ENOTFOUND)',
    ],
  ])('a DATABASE_URL that leads nowhere: %s', async (url, words) => {
    const { code, output } = await run(['store'], { DATABASE_URL: url })
    expect(output).toContain('DATABASE_URL: ')
    expect(output).toContain(words)
    expect(output).not.toContain('s3cret')
    expect(code).toBe(2)
  })

  it('several mistakes at once, before anything is started', async () => {
    const { code, output } = await run(['all'], {
      LOG_LEVEL: 'loud',
      TLS_CERT: join(lab.folder, 'none.pem'),
      TLS_KEY: lab.folder,
      OUTBOUND_ALLOWED_HOSTS: 'https://feeds.example.com/osv, feeds.example.com',
    })
    expect(output.split('\n').filter((line) => line !== '')).toEqual([
      'The configuration is not valid:',
      expect.stringMatching(/^ {2}TLS_CERT: expected a file that can be read, found none: ".*none.pem"$/),
      expect.stringMatching(/^ {2}TLS_KEY: expected a file that can be read, found a folder: /),
      expect.stringMatching(/^ {2}LOG_LEVEL: expected one of fatal, error, .*; found "loud"$/),
      expect.stringMatching(
        /^ {2}OUTBOUND_ALLOWED_HOSTS: expected origins .*, found "https:\/\/feeds.example.com\/osv"$/,
      ),
    ])
    expect(code).toBe(2)
  })
})
