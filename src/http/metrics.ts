import { Histogram, type Registry } from 'prom-client'
import type { Parser } from '../parser/client.ts'
import { addGauge, prefix } from '../platform/metrics.ts'
import type { ArrivingBodies } from './bodies/arriving-bodies.ts'

export type Metrics = { registry: Registry; requests: Histogram<'method' | 'route' | 'status'> }

/** What operators watch of the HTTP side: requests by route and status, the parser's queue, bodies that are arriving. */
export function createMetrics(registry: Registry, parser: Parser, bodies: ArrivingBodies): Metrics {
  const requests = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  })
  const gauge = (name: string, help: string, read: () => number) => addGauge(registry, { name, help, read })
  gauge('parser_waiting_files', 'Files that wait for the parser.', () => parser.state().waitingFiles)
  gauge('parser_waiting_bytes', 'Bytes of the files that wait.', () => parser.state().waitingBytes)
  gauge('parser_handed_files', 'Files the parser has.', () => parser.state().handedFiles)
  gauge('parser_ready', '1 while the parser child takes files.', () => Number(parser.state().isReady))
  gauge('request_bodies', 'Bodies that are arriving.', () => bodies.count)
  gauge('request_body_bytes', 'Bytes of bodies that are arriving.', () => bodies.heldBytes)
  return { registry, requests }
}
