import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'
import { uploadToken } from './stub-service.ts'
import { portOf } from '../support/port-of.ts'
import { exitCodeOf } from '../support/once-over.ts'

function uploadThrough(proxy: Server, more: readonly string[] = []) {
  const env = {
    NODE_USE_ENV_PROXY: '1',
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    SBOM_MONITOR_URL: 'https://monitor.example.com',
    SBOM_MONITOR_TOKEN: uploadToken,
  }
  const args = ['client/src/main.ts', 'upload', 'demo/sample.cdx.json', '--timeout', '1', ...more]
  return spawn(process.execPath, args, { cwd: checkoutDir, env, timeout: 8_000 })
}

test('the job ends when --timeout is over, also behind a proxy that never answers', async () => {
  const proxy = createServer((socket) => socket.on('error', () => undefined).resume()).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const child = uploadThrough(proxy, ['--json'])
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exitCodeOf(child)])
  proxy.close()
  expect(err).toMatch(/no answer within 1 s/)
  expect(JSON.parse(out)).toMatchObject({ exitCode: 4 })
  expect(exitCode).toBe(4)
})

test('a proxy that wants a sign-in is said to, at once', async () => {
  const proxy = createHttpServer().listen(0, '127.0.0.1')
  proxy.on('connect', (_request, socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  await once(proxy, 'listening')
  const child = uploadThrough(proxy)
  const [err, exitCode] = await Promise.all([text(child.stderr), exitCodeOf(child)])
  proxy.close()
  expect(err).toMatch(/cannot be reached: the proxy answered 407; it wants a user name and password/)
  expect(exitCode).toBe(4)
})

test('output that nobody reads any more does not change how the job ends', async () => {
  const child = spawn(process.execPath, ['client/src/main.ts', '--help'], { cwd: checkoutDir })
  child.stdout.destroy()
  const [err, exitCode] = await Promise.all([text(child.stderr), exitCodeOf(child)])
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' })
})
