import { join } from 'node:path'
import type { Db } from '../../src/database/connection.ts'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { later } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { folderOf, importDeps, kevCatalogue } from '../vulndata/support.ts'

/** Lets things arrive at a service one after the other, a minute apart. */
export class Arrivals {
  readonly #db: Db
  #minute = 0
  /** A catalogue is always replaced as a whole. */
  readonly #listed: string[] = []

  constructor(db: Db) {
    this.#db = db
  }

  now(): Date {
    return later(this.#minute)
  }

  tick(): Date {
    this.#minute += 1
    return this.now()
  }

  /** Runs every job that is waiting. */
  async work(): Promise<void> {
    await drain(this.#db, this.tick())
  }

  /** Imports a record or a catalogue. */
  async load(content: unknown): Promise<void> {
    const from = join(folderOf({ 'data.json': JSON.stringify(content) }), 'data.json')
    await importVulnerabilityData(importDeps(this.#db), { from, now: this.tick() })
  }

  /** Adds a CVE to CISA's catalogue. */
  async list(cve: string): Promise<void> {
    this.#listed.push(cve)
    await this.load(kevCatalogue(this.#listed))
  }
}

/** An OpenVEX document with one statement. */
export function openVex({
  id,
  version,
  statement,
}: {
  id: string
  version: number
  statement: object
}): string {
  return JSON.stringify({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': id,
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version,
    statements: [statement],
  })
}
