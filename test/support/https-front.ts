import { createServer } from 'node:https'
import { generate } from 'selfsigned'
import { portOf } from './port-of.ts'

export type Served = { status: number; headers: Record<string, string>; body: string }

export type HttpsFront = {
  /** `https://127.0.0.1:<port>` */
  origin: string
  /** Self-signed, PEM. */
  certificate: string
  stop: () => void
}

/** A service behind HTTPS, as behind a proxy. `answer` answers a path. */
export async function startHttpsFront(answer: (path: string) => Promise<Served>): Promise<HttpsFront> {
  const pair = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const front = createServer({ key: pair.private, cert: pair.cert }, (request, response) => {
    answer(request.url ?? '/').then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => response.destroy(error instanceof Error ? error : new Error('no answer')),
    )
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  return {
    origin: `https://127.0.0.1:${portOf(front)}`,
    certificate: pair.cert,
    stop: () => {
      front.closeAllConnections()
      front.close()
    },
  }
}

const passedOn = ['content-type', 'etag', 'last-modified', 'cache-control', 'access-control-allow-origin']

/** A GET to a service; redirects are not followed. */
export async function fetchBehind(address: string): Promise<Served> {
  const answer = await fetch(address, { redirect: 'manual' })
  const headers: Record<string, string> = {}
  for (const name of passedOn) {
    const value = answer.headers.get(name)
    if (value !== null) headers[name] = value
  }
  return { status: answer.status, headers, body: await answer.text() }
}
