import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sampleComponent, sampleSbom } from '../test/support/sample-sbom.ts'
import { untilMatched, upload, type Laboratory } from './laboratory.ts'
import { pingWhile } from './ping.ts'
import { percentile, report, round, say } from './report.ts'
import { vexDocuments, type Statement } from './vex-documents.ts'

const statements = 50_000
/** Every tenth component has the vulnerability its statement is about. */
const distance = 10

/** A document of 50 000 statements in each format on an SBOM of as many components, 5 000 of them with findings. */
export async function benchVex(laboratory: Laboratory): Promise<void> {
  const list = Array.from({ length: statements }, (_, number) => statementOf(number))
  say('importing 5 000 records')
  await importRecords(laboratory, list)
  for (const [format, write] of Object.entries(vexDocuments)) {
    say(`${format}: 50 000 statements`)
    const [token = ''] = await laboratory.tokens(1)
    const sbom = gzipSync(sampleSbom({ components: statements, serial: 1 }))
    const stored = await upload(laboratory.service, token, sbom)
    await untilMatched(laboratory, stored.body.id, performance.now())
    const body = gzipSync(JSON.stringify(write(list)))
    await measure(laboratory, { format, token, body })
  }
}

function statementOf(number: number): Statement {
  const { purl } = sampleComponent(number) as { purl: string }
  return { cve: `CVE-2025-${100_000 + number}`, purl }
}

type Document = { format: string; token: string; body: Buffer }

async function measure(laboratory: Laboratory, { format, token, body }: Document): Promise<void> {
  const { service, sql } = laboratory
  const startedAt = performance.now()
  let acceptedMs = 0
  const { times, value: verdicts } = await pingWhile(service, async () => {
    const answer = await upload(service, token, body, '/api/v1/vex')
    if (answer.status !== 202) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    acceptedMs = answer.ms
    return untilSettled(sql, answer.body.id)
  })
  const matchedMs = performance.now() - startedAt
  const detail = { statements, findingsDecided: verdicts, sentBytes: body.length }
  report({ figure: `vex_50000_${format}_to_202`, value: acceptedMs, unit: 'ms', runs: 1, detail })
  report({ figure: `vex_50000_${format}_to_rematched`, value: matchedMs, unit: 'ms', runs: 1 })
  report({
    figure: `vex_50000_${format}_small_request_p99`,
    value: percentile(times, 99),
    unit: 'ms',
    runs: times.length,
    detail: { p50Ms: round(percentile(times, 50)), maxMs: round(percentile(times, 100)) },
  })
}

/** Waits until no job of the document's family is left; returns how many findings the document decides. */
async function untilSettled(sql: Laboratory['sql'], documentId: string): Promise<number> {
  for (;;) {
    const { rows } = await sql.query<{ open: number; decided: number }>(
      `select (select count(*)::int from job where state in ('waiting', 'running') and payload->>'familyId' = d.family_id::text) as open,
         (select count(*)::int from finding f where f.family_id = d.family_id and f.verdict = 'not_affected') as decided
       from vex_document d where d.id = $1`,
      [documentId],
    )
    if (rows[0]?.open === 0) return rows[0].decided
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function importRecords({ service, folder }: Laboratory, list: readonly Statement[]): Promise<void> {
  const records = list.filter((_, number) => number % distance === 0).map(recordOf)
  const file = join(folder, 'records.ndjson')
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'))
  await service.cli(['vulnerabilities', 'import', file])
}

function recordOf({ cve, purl }: Statement): unknown {
  const [name = '', version = ''] = purl.slice('pkg:npm/'.length).split('@')
  return {
    schema_version: '1.6.0',
    id: `GHSA-${cve.slice(-6)}`,
    modified: '2026-01-01T00:00:00Z',
    aliases: [cve],
    summary: 'Generated',
    affected: [{ package: { ecosystem: 'npm', name }, versions: [version] }],
  }
}
