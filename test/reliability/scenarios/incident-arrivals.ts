import { setTimeout as sleep } from 'node:timers/promises'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../../src/database/connection.ts'
import { importVulnerabilityData } from '../../../src/vulndata/import.ts'
import { createFamilyToken, type Company } from '../../support/company.ts'
import { call } from '../../support/http.ts'
import type { Service } from '../../support/service.ts'
import { cyclonedx } from '../../support/upload-scene.ts'
import { importDeps, record } from '../../vulndata/support.ts'

type Setting = {
  db: Db
  service: Pick<Service, 'baseUrl'>
  families: readonly Company[]
  now: () => Date
}

/** Product versions and vulnerabilities created so far: number n is CVE-2026-(1000 + n), in the package `pump-lib-n`. */
export class IncidentArrivals {
  count = 0
  readonly #place: Setting
  readonly #folder = mkdtempSync(join(tmpdir(), 'arrivals-'))

  constructor(place: Setting) {
    this.#place = place
  }

  /** An SBOM of each family, a record and a catalogue entry, which together open an incident in each; they take turns arriving last. */
  async next(): Promise<void> {
    const number = this.count + 1
    const steps = [
      () => this.#upload(number),
      () => this.#import(record(`GHSA-${number}`, `npm/pump-lib-${number}`, { aliases: [cveOf(number)] })),
      () => this.#import(catalogue(number)),
    ]
    for (const place of [0, 1, 2]) await steps[(place + number) % steps.length]?.()
    this.count = number
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #import(content: unknown): Promise<void> {
    const { db, now } = this.#place
    const from = join(this.#folder, 'data.json')
    writeFileSync(from, JSON.stringify(content))
    await importVulnerabilityData(importDeps(db), { from, now: now() })
  }

  /** Retries each until acknowledged, as a pipeline would. */
  async #upload(number: number): Promise<void> {
    const { families } = this.#place
    await Promise.all(families.map((family, place) => this.#uploadTo(family, { number, place })))
  }

  async #uploadTo(family: Company, { number, place }: { number: number; place: number }): Promise<void> {
    const { db, service } = this.#place
    const name = `pump-lib-${number}`
    const { secret: token } = await createFamilyToken(db, family)
    const body = cyclonedx({
      serialNumber: `urn:uuid:00000000-0000-4000-9000-${String(number * 100 + place).padStart(12, '0')}`,
      metadata: { component: { type: 'application', name: 'pump', version: `${number}`, 'bom-ref': 'root' } },
      components: [
        { type: 'library', 'bom-ref': 'lib', name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` },
      ],
    })
    const url = `${service.baseUrl}/api/v1/sboms`
    const answer = await untilAnswered(() => call(url, { method: 'POST', token, body }))
    if (answer.status !== 202 && answer.status !== 200)
      throw new Error(`an upload was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  }
}

export function cveOf(number: number): string {
  return `CVE-2026-${1_000 + number}`
}

/** A catalogue is always replaced as a whole. */
function catalogue(last: number): unknown {
  const vulnerabilities = Array.from({ length: last }, (_, index) => ({
    cveID: cveOf(index + 1),
    vendorProject: 'Acme',
    product: 'Pump',
    vulnerabilityName: cveOf(index + 1),
    dateAdded: '2026-03-01',
    knownRansomwareCampaignUse: 'Unknown',
  }))
  return { title: 'KEV', catalogVersion: `2026.1.${last}`, count: last, vulnerabilities }
}

type Answered = { status: number; body: unknown }

/** Retries while nobody answers, or the service is shutting down. `wasLost`: an earlier attempt may have succeeded unnoticed. */
export async function untilAnswered(ask: () => Promise<Answered>): Promise<Answered & { wasLost: boolean }> {
  const until = performance.now() + 120_000
  for (let wasLost = false; ; wasLost = true) {
    const answer = await ask().catch(() => null)
    if (answer !== null && answer.status < 500) return { ...answer, wasLost }
    if (performance.now() > until) throw new Error(`nobody answers: ${JSON.stringify(answer)}`)
    await sleep(50)
  }
}
