import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { generate } from 'selfsigned'
import { createOutbound, type Outbound } from '../../src/platform/outbound/outbound.ts'
import { parseDialMap } from '../../src/platform/outbound/dial-map.ts'
import { startDnsServer, type DnsAnswers } from '../outbound/dns-server.ts'
import { portOf } from './port-of.ts'

/** A request as received. */
export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** Raw names and values, with order and case preserved. */
  rawHeaders: string[]
  body: string
  at: Date
}

export type Receiver = {
  host: string
  /** On loopback. */
  port: number
  /** `https://receiver.example/hook` */
  url: string
  requests: Received[]
  /** Waits until that many requests have arrived. */
  wait: (count: number) => Promise<void>
  close: () => void
}

type Answering = (request: Received, response: ServerResponse, raw: IncomingMessage) => void

/**
 * Receivers on loopback behind public names and addresses: the service resolves them with the lab's resolver, checks their public
 * addresses, and reaches loopback only through the dial map. The lab's own authority signs the certificates.
 */
export type ReceiverLab = {
  /** Settings for a process that must reach the receivers. */
  env: () => Record<string, string>
  /** The same for this process, which trusts the authority from now on. */
  outbound: () => Outbound
  /** A receiver that answers 204 by default. */
  receive: (host: string, answering?: Answering) => Promise<Receiver>
  /** Maps a name with its own public address to a loopback port. */
  map: (host: string, port: number) => void
  /** Maps an address and port to a loopback port. */
  dial: (endpoint: string, target: string) => void
  /** Sets the resolver's answer for a name, evaluated on every query. */
  resolve: (host: string, answers: DnsAnswers | (() => DnsAnswers)) => void
  certificate: (host: string, validity?: { from: Date; to: Date }) => Promise<{ key: string; cert: string }>
  close: () => void
}

export async function startReceiverLab(): Promise<ReceiverLab> {
  const authority = await makeAuthority()
  const folder = mkdtempSync(join(tmpdir(), 'receivers-'))
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, authority.cert, { mode: 0o644 })
  const names = new Map<string, DnsAnswers | (() => DnsAnswers)>()
  const dialMap: Record<string, string> = {}
  const dns = await startDnsServer((name) => {
    const found = names.get(name)
    return typeof found === 'function' ? found() : found
  })
  const closing: (() => void)[] = [() => dns.close()]
  let addresses = 0
  const map = (host: string, port: number) => {
    addresses += 1
    const address = `93.184.${(addresses >> 8) + 1}.${addresses & 255}`
    names.set(host, { a: [address] })
    dialMap[`${address}:443`] = `127.0.0.1:${port}`
  }
  const certificate = (host: string, validity?: { from: Date; to: Date }) =>
    makeCertificate(authority, host, validity)
  return {
    env: () => ({
      LAB_DNS_SERVER: dns.address,
      LAB_DIAL_MAP: JSON.stringify(dialMap),
      NODE_EXTRA_CA_CERTS: caFile,
    }),
    outbound: () => {
      setDefaultCACertificates([...getCACertificates('default'), authority.cert])
      return createOutbound({
        dnsServer: dns.address,
        dialMap: parseDialMap(dialMap),
        allowedOrigins: {},
      })
    },
    map,
    dial: (endpoint, target) => void (dialMap[endpoint] = target),
    certificate,
    resolve: (host, answers) => void names.set(host, answers),
    receive: async (host, answering = (_request, response) => response.writeHead(204).end()) => {
      const receiver = await listen(host, await certificate(host), answering)
      closing.push(receiver.close)
      map(host, receiver.port)
      return receiver
    },
    close: () => {
      for (const close of closing) close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listen(
  host: string,
  { key, cert }: { key: string; cert: string },
  answering: Answering,
): Promise<Receiver> {
  const requests: Received[] = []
  const waiting = new Set<() => void>()
  const server = createServer({ key, cert }, (raw, response) => {
    const chunks: Buffer[] = []
    raw.on('data', (chunk: Buffer) => chunks.push(chunk))
    raw.on('end', () => {
      const { method = '', url: path = '', headers, rawHeaders } = raw
      const body = Buffer.concat(chunks).toString('utf8')
      const request = { method, path, headers, rawHeaders, body, at: new Date() }
      requests.push(request)
      answering(request, response, raw)
      for (const look of waiting) look()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host,
    port: portOf(server),
    url: `https://${host}/hook`,
    requests,
    wait: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (requests.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

type Authority = { key: string; cert: string }

async function makeAuthority(): Promise<Authority> {
  // OpenSSL may pick the wrong one of two authorities with the same name
  const made = await generate([{ name: 'commonName', value: `receivers of a test ${randomUUID()}` }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true, critical: true },
    ],
  })
  return { key: made.private, cert: made.cert }
}

async function makeCertificate(
  authority: Authority,
  host: string,
  validity?: { from: Date; to: Date },
): Promise<{ key: string; cert: string }> {
  const made = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: authority,
    ...(validity === undefined ? {} : { notBeforeDate: validity.from, notAfterDate: validity.to }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
  })
  return { key: made.private, cert: made.cert }
}
