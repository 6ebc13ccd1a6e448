import { once } from 'node:events'
import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { megabyte, type Crowd } from './crowds.ts'

/** One connection of a crowd: what it sends first, and then at each step until the crowd leaves. */
type Member = { first: string; then?: string; isDeaf?: boolean }

const letters = 'a'.repeat(megabyte)
const formHead = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'

function bodyOf(path: string, { type, announced, sent }: { type: string; announced: number; sent: string }) {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${announced}\r\n\r\n${sent}`
}

function chunkedHead(path: string, type: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`
}

const members: Record<Crowd, Member> = {
  'unfinished JSON': {
    // the maximum the operation accepts, except the last bytes
    first: bodyOf('/api/app/session', {
      type: 'application/json',
      announced: 16_000,
      sent: `{"email":"${letters.slice(0, 15_900)}`,
    }),
  },
  'unfinished forms': {
    first: bodyOf('/disclose/acme', {
      type: 'multipart/form-data; boundary=b',
      announced: 20 * megabyte,
      sent: formHead + letters,
    }),
  },
  'bodies that drip': {
    first: bodyOf('/api/app/session', { type: 'application/json', announced: 16_000, sent: '{' }),
    then: ' ',
  },
  'forms in tiny chunks': {
    first: `${chunkedHead('/disclose/acme', 'multipart/form-data; boundary=b')}${formHead.length.toString(16)}\r\n${formHead}\r\n`,
    then: '1\r\na\r\n'.repeat(megabyte / 6),
  },
  'bodies without end': {
    first: chunkedHead('/api/app/nothing', 'application/json'),
    then: `100000\r\n${letters}\r\n`,
  },
  'pipelined questions': { first: '', then: 'GET /login HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(50) },
  'readers that take nothing': {
    first: 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20),
    isDeaf: true,
  },
  'connections without a word': { first: '' },
}

type Given = { port: number; crowd: Crowd; count: number; everyMs: number }

/** Opens the crowd's connections, a few at a time, and reports when all have sent their first data. */
async function gather({ port, crowd, count, everyMs }: Given): Promise<void> {
  const { first, then, isDeaf = false } = members[crowd]
  const sockets: ReturnType<typeof connect>[] = []
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    if (isDeaf) socket.pause()
    else socket.resume()
    sockets.push(socket)
    if (opened % 20 === 19) await Promise.race([once(socket, 'connect'), once(socket, 'close')])
    socket.write(first)
  }
  if (then !== undefined)
    setInterval(() => {
      // slow answers must not fill our own memory
      for (const socket of sockets)
        if (socket.writable && socket.writableLength < megabyte) socket.write(then)
    }, everyMs)
  parentPort?.postMessage('gathered')
}

await gather(workerData as Given)
