import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { parseDialMap } from '../platform/outbound/dial-map.ts'
import { createOutbound, type Outbound } from '../platform/outbound/outbound.ts'

/** An event as the receiver of the demo got it. */
export type ReceivedEvent = { id: string; type: string; isGenuine: boolean }

export type DemoReceiver = {
  url: string
  /** Leads to the receiver, and for every other host to `others`. */
  outbound: (others: Outbound) => Outbound
  /** From now on signatures are checked with this secret. */
  setSecret: (secret: string) => void
  /** The next event that arrives. */
  next: () => Promise<ReceivedEvent>
  stop: () => Promise<void>
}

const host = 'receiver.demo.example'
/** Any public one will do: the map leads it to this machine. */
const address = '93.184.215.14'

/**
 * A webhook receiver on this machine, as a customer would run one: HTTPS, and each signature checked. Its name and certificate are known
 * to this process alone.
 */
export async function startDemoReceiver(): Promise<DemoReceiver> {
  const { private: key, cert } = await makeCertificate()
  setDefaultCACertificates([...getCACertificates('default'), cert])
  const waiting: ((event: ReceivedEvent) => void)[] = []
  let secret = ''
  const server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      const body = Buffer.concat(chunks)
      const signature = String(request.headers['service-signature'])
      const { id, type } = JSON.parse(body.toString('utf8')) as { id: string; type: string }
      waiting.shift()?.({ id, type, isGenuine: isGenuine({ body, signature, secret }) })
    })
  })
  const port = await listen(server)
  const own = createOutbound({
    dnsServer: null,
    resolve: () => Promise.resolve([address]),
    dialMap: parseDialMap({ [`${address}:443`]: `127.0.0.1:${port}` }),
    allowedOrigins: {},
  })
  return {
    url: `https://${host}/alerts`,
    outbound: (others) => ({
      ...others,
      ask: (question) => (URL.parse(question.url)?.hostname === host ? own : others).ask(question),
    }),
    setSecret: (known) => {
      secret = known
    },
    next: () => new Promise((resolve) => waiting.push(resolve)),
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** docs/alerts.md, "Check the signature"; the demo leaves out that `t` is recent. */
function isGenuine({
  body,
  signature,
  secret,
}: {
  body: Buffer
  signature: string
  secret: string
}): boolean {
  const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
  const given = Buffer.from(v1, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function makeCertificate() {
  return generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  })
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
