import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerError } from './answer-error.ts'
import { registerWebApp } from './web-app.ts'

let folder: string
let app: FastifyInstance
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-app-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), '<title>the page</title>')
  await writeFile(join(folder, 'assets', 'script.js'), 'the script')
  app = fastify()
  app.setErrorHandler(answerError)
  await registerWebApp(app, folder)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

it.each([
  'nope.js',
  'acme/nope.css?v=1',
  'a/b.woff2',
  'favicon.ICO',
  'site.map',
  'manifest.json',
  'robots.txt',
])('/app/%s is a file that is not there', async (path) => {
  const answer = await app.inject(`/app/${path}`)
  expect(answer.statusCode).toBe(404)
  expect(answer.headers['cache-control']).toBe('no-store')
})

it.each([
  '',
  'acme',
  'acme/findings/1.2.3',
  'acme?search=left-pad.js',
  'acme/vulnerabilities/MINE-left-pad.js',
])('/app/%s is the page', async (path) => {
  const answer = await app.inject(`/app/${path}`)
  expect([answer.statusCode, answer.body]).toEqual([200, '<title>the page</title>'])
})

it.each(['bytes=0-2', 'bytes=10-', 'bytes=-0', 'bytes=5-2', 'lines=1-2'])(
  'a file is sent whole, whatever part is asked for: %s',
  async (range) => {
    const answer = await app.inject({ url: '/app/assets/script.js', headers: { range } })
    expect([answer.statusCode, answer.body]).toEqual([200, 'the script'])
  },
)
