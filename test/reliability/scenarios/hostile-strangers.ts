import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { request } from 'undici'
import { percentile } from '../../../bench/report.ts'
import type { Outcome } from './outcome.ts'

const megabyte = 1024 * 1024

/** A body of about `size` bytes: `part` repeated between `before` and `after`. */
function filled(size: number, [before, part, after]: readonly [string, string, string]): string {
  return before + part.repeat(Math.ceil(size / part.length)) + part.replace(/,$/, '') + after
}

/** JSON and near-JSON that is the most expensive to validate, each about as large as is worth sending. */
export const hostileBodies: readonly (readonly [name: string, body: string | Buffer])[] = [
  ['nested lists', '['.repeat(megabyte)],
  ['nested objects', '{"a":'.repeat(megabyte / 5)],
  ['closed nested lists', `${'['.repeat(megabyte / 2)}${']'.repeat(megabyte / 2)}`],
  ['empty objects', filled(megabyte, ['[', '{},', ']'])],
  ['vulnerabilities without anything', filled(megabyte, ['{"content":{"vulnerabilities":[', '{},', ']}}'])],
  ['products of a wrong kind', filled(megabyte, ['{"content":{"products":[', '1,', ']}}'])],
  ['incidents of a wrong kind', filled(megabyte, ['{"incidents":[', '{},', ']}'])],
  ['findings of a wrong kind', filled(megabyte, ['{"findingIds":[', '1,', '],"verdict":1}'])],
  ['languages of a wrong kind', filled(megabyte, ['{"languages":[', '[],', '],"families":[1,2]}'])],
  [
    'transports of a wrong kind',
    filled(megabyte, ['{"response":{"response":{"transports":[', '{},', ']}}}']),
  ],
  ['events of a wrong kind', filled(megabyte, ['{"events":[', 'null,', ']}'])],
  ['a text that never ends', `{"email":"${'a'.repeat(megabyte)}`],
  ['a long text', `{"email":"${'a'.repeat(megabyte)}","secret":"${'a'.repeat(1000)}"}`],
  ['a text of escapes', `{"secret":"${String.raw`\u0041`.repeat(megabyte / 6)}"}`],
  ['halves of surrogate pairs', `{"secret":"${String.raw`\ud800`.repeat(megabyte / 6)}"}`],
  ['a NUL', '{"email":"a\\u0000@acme.example","secret":"\\u0000"}'],
  ['NULs', Buffer.alloc(megabyte)],
  ['many keys', `{${Array.from({ length: 80_000 }, (_, at) => `"k${at}":1`).join(',')}}`],
  ['one key again and again', filled(megabyte, ['{', '"email":1,', '}'])],
  ['keys of prototypes', filled(megabyte, ['{', '"__proto__":{"constructor":{}},', '}'])],
  ['a long number', `{"revision":${'9'.repeat(megabyte)}}`],
  ['a long fraction', `{"revision":0.${'1'.repeat(megabyte)}e-99999}`],
  ['large exponents', filled(megabyte, ['[', '1e999999,', ']'])],
  ['emoji', `{"name":"${'😀'.repeat(megabyte / 4)}"}`],
  ['accents on one letter', `{"name":"a${'\u0301'.repeat(megabyte / 2)}"}`],
  ['spaces', ' '.repeat(megabyte)],
  ['only commas', ','.repeat(megabyte)],
  ['bytes that are no UTF-8', Buffer.alloc(megabyte, 0xff)],
  ['UTF-16', Buffer.from(`\ufeff{"email":"${'a'.repeat(megabyte / 4)}"}`, 'utf16le')],
  ['gzip', gzipSync(Buffer.alloc(50 * megabyte, '{},'))],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"x"'],
  ['nothing', ''],
]

type Operation = { method: string; url: string }

type Options = {
  port: number
  operations: readonly Operation[]
  /** Requests sent in parallel. */
  atOnce?: number
  /** Each operation gets every n-th of the bodies, starting at a different one. */
  every?: number
}

/**
 * Hostile bodies to every operation that takes one, while others make small requests (goal 28): the figures are their waiting times.
 * Failures: a 5xx answer, or none.
 */
export async function sendHostileBodies({
  port,
  operations,
  atOnce = 4,
  every = 1,
}: Options): Promise<Outcome> {
  const failures: string[] = []
  const sent = operations.flatMap(({ method, url }, place) =>
    hostileBodies
      .filter((_, at) => (at + place) % every === 0)
      .map(([name, body], at) => ({
        method,
        url,
        name,
        body,
        how: ways[(at + place) % ways.length] ?? 'whole',
      })),
  )
  const waiting = sent[Symbol.iterator]()
  const send = async () => {
    for (const { method, url, name, body, how } of waiting) {
      const status = await sendOne(port, { method, path: url.replaceAll(/:\w+/g, 'x'), body, how })
      if (status === undefined || status >= 500)
        failures.push(`${method} ${url}, ${name}: ${status ?? 'no answer'}`)
    }
  }
  const watch = watchOthers(port)
  await Promise.all(Array.from({ length: atOnce }, send))
  const times = await watch.end()
  return {
    figures: {
      hostileRequests: sent.length,
      others: times.length,
      otherP99Ms: percentile(times, 99),
      otherMaxMs: Math.max(...times),
    },
    failures,
  }
}

const ways = ['whole', 'chunked', 'gzip', 'unfinished', 'expecting'] as const
type Way = (typeof ways)[number]
type Sent = Operation & { path: string; body: string | Buffer; how: Way }

/** The status of the answer; undefined: none. Does not wait for an answer to an unfinished request. */
async function sendOne(
  port: number,
  { method, path, body, how }: Omit<Sent, 'url'>,
): Promise<number | undefined> {
  const bytes = Buffer.from(body)
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  const chunks: Buffer[] = []
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (/^HTTP\/1\.1 [2-5]/m.test(chunk.toString('latin1'))) resolve()
    })
    socket.on('close', () => resolve())
  })
  const length = how === 'unfinished' ? bytes.length + 1_000 : bytes.length
  const extra = {
    whole: '',
    chunked: '',
    gzip: 'Content-Encoding: gzip\r\n',
    unfinished: '',
    expecting: 'Expect: 100-continue\r\n',
  }
  const size = how === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${extra[how]}${size}\r\nConnection: close\r\n\r\n`,
  )
  if (how === 'chunked') socket.write(`${bytes.length.toString(16)}\r\n`)
  socket.write(bytes)
  if (how === 'chunked') socket.write('\r\n0\r\n\r\n')
  await Promise.race([answered, sleep(how === 'unfinished' ? 100 : 30_000)])
  socket.destroy()
  const status = /^HTTP\/1\.1 ([2-5]\d\d)/m.exec(Buffer.concat(chunks).toString('latin1'))?.[1]
  return status === undefined && how === 'unfinished' ? 0 : status === undefined ? undefined : Number(status)
}

/** Makes a small request every 20 ms, without waiting for the previous answer. */
export function watchOthers(port: number): { end: () => Promise<number[]> } {
  const times: number[] = []
  const open = new Set<Promise<void>>()
  const ask = async () => {
    const startedAt = performance.now()
    const { body } = await request(`http://127.0.0.1:${port}/healthz`)
    await body.dump()
    times.push(performance.now() - startedAt)
  }
  const asking = setInterval(() => {
    const one = ask()
      .catch(() => void times.push(Number.POSITIVE_INFINITY))
      .finally(() => open.delete(one))
    open.add(one)
  }, 20)
  return {
    end: async () => {
      clearInterval(asking)
      await Promise.all(open)
      return times
    },
  }
}
