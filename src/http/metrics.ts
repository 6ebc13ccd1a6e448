import { createServer, type Server } from 'node:http'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Parser } from '../parser/client.ts'
import type { ArrivingBodies } from './arriving-bodies.ts'

export type Metrics = { registry: Registry; requests: Histogram<'method' | 'route' | 'status'> }

/** What operators watch: requests by route and status, the parser's queue, memory and the delay of the event loop. */
export function createMetrics(parser: Parser, bodies: ArrivingBodies): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value())
      },
    })
  gauge('parser_waiting_files', 'Files that wait for the parser.', () => parser.state().waitingFiles)
  gauge(
    'parser_waiting_bytes',
    'Bytes of the files that wait for the parser.',
    () => parser.state().waitingBytes,
  )
  gauge('parser_handed_files', 'Files the parser has.', () => parser.state().handedFiles)
  gauge('parser_ready', '1 while the parser child takes files.', () => Number(parser.state().isReady))
  gauge('request_bodies', 'Bodies that are arriving.', () => bodies.count)
  gauge('request_body_bytes', 'Bytes of bodies that are arriving.', () => bodies.heldBytes)
  return { registry, requests }
}

/** A server that knows nothing but the metrics, for a port that only the operator's network reaches. */
export function createMetricsServer({ registry }: Metrics): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
      return
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}
