import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { getFamilyBadge, switchBadgeOn } from '#contract/products/operations.ts'
import { decideFindings } from '#contract/findings/operations.ts'
import { openIncident } from '#contract/incidents/operations.ts'
import {
  addComment,
  addTask,
  changeAwareness,
  recordDetermination,
  switchRegime,
} from '#contract/incidents/act-operations.ts'
import { addReceipt, recordSubmission } from '#contract/incidents/report-operations.ts'
import { createAdvisory, publishAdvisory } from '#contract/advisories/operations.ts'
import { addDestination, testDestination } from '#contract/alerts/operations.ts'
import { invite } from '#contract/people/operations/members.ts'
import type { Db } from '../../../../src/database/connection.ts'
import { receiveReport } from '../../../../src/disclosure/reports/receive-report.ts'
import { matchSbom } from '../../../../src/findings/changes/match-sbom.ts'
import { sampleContent } from '../../../support/advisory-scene.ts'
import { AppSession } from '../../../support/app-session.ts'
import { testNow } from '../../../support/clock.ts'
import { call, testSealing } from '../../../support/http.ts'
import { addRecord } from '../../../support/records.ts'
import type { TestWorkspace } from '../../../support/scene.ts'
import { fieldOf } from '../../../support/read-as.ts'
import { reportText } from '../../../support/report-text.ts'

/** Values of a workspace for route parameters, by parameter name. */
export type Values = Record<string, string>

type Setting = { url: string; db: Db; workspace: TestWorkspace }

/** Both workspaces have this vulnerability; public facts about it are no secret. */
const vulnerability = 'CVE-2026-4242'
const packageName = 'shared-lib'

/** A mark in texts only members may read. */
export const privateMark = (slug: string) => `only-of-${slug}`

/** Some of everything a route can name, with the workspace's mark in each text, created by members and pipelines. */
export async function fillWorkspace(place: Setting): Promise<Values> {
  const { db, workspace } = place
  const owner = await AppSession.signIn(place.url, workspace.members.owner)
  const filling = new Filling(place, owner)
  const ids = {
    slug: workspace.slug,
    email: workspace.members.owner.email,
    vulnerability,
    family: workspace.families[0]?.id ?? '',
    person: workspace.members.viewer.id,
    actor: workspace.members.viewer.id,
    ...(await filling.uploads()),
    ...(await filling.incident()),
    ...(await filling.advisory()),
    ...(await filling.report()),
    ...(await filling.settings()),
    ...(await filling.account()),
  }
  await sql`update token_use set window_requests = 0`.execute(db)
  return ids
}

class Filling {
  readonly #place: Setting
  readonly #owner: AppSession

  constructor(place: Setting, owner: AppSession) {
    this.#place = place
    this.#owner = owner
  }

  get #mark(): string {
    return privateMark(this.#place.workspace.slug)
  }

  /** A column of the workspace's newest row in a table. */
  async #newest(table: string, column = 'id'): Promise<string> {
    const { rows } = await sql<{ value: string | null }>`
      select ${sql.ref(column)}::text as value from ${sql.table(table)}
      where workspace_id = ${this.#place.workspace.id} order by ctid desc limit 1`.execute(this.#place.db)
    const value = rows[0]?.value
    if (value === undefined || value === null) throw new Error(`there is no ${column} in ${table}`)
    return value
  }

  async #send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
    const token = this.#place.workspace.families[0]?.upload ?? ''
    const text = JSON.stringify(body)
    const { status, body: said } = await call(`${this.#place.url}/api/v1/${path}`, {
      method: 'POST',
      token,
      headers,
      body: text,
    })
    if (status !== 202) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
    return String(fieldOf(said, 'id'))
  }

  async uploads(): Promise<Values> {
    const { db, url, workspace } = this.#place
    const affected = [
      { ecosystem: 'npm', name: packageName, scheme: 'semver', ranges: [['0', '2.0.0']] },
    ] as const
    await addRecord(db, { id: vulnerability, affected })
    const sbom = await this.#send('sboms', this.#sbom(), { 'X-Service-Version': this.#mark })
    // an advisory covers the newer one
    const other = await this.#send('sboms', this.#sbom(), { 'X-Service-Version': '2.0' })
    for (const sbomId of [sbom, other])
      await matchSbom(db, { workspaceId: workspace.id, sbomId, now: testNow })
    const finding = await this.#newest('finding')
    const statement = {
      vulnerability: { name: 'CVE-2024-1' },
      products: [`pkg:npm/${this.#mark}`],
      status: 'affected',
      action_statement: this.#mark,
    }
    const vex = { '@context': 'https://openvex.dev/ns/v0.2.0', '@id': this.#mark, statements: [statement] }
    const document = await this.#send('vex', vex)
    const comment = this.#mark
    await this.#owner.call(decideFindings, {
      body: {
        findingIds: [finding],
        verdict: 'affected',
        everyVersion: false,
        comment,
      },
    })
    const refused = { method: 'POST', token: workspace.families[0]?.upload ?? '', body: '{"no": 1}' } as const
    await call(`${url}/api/v1/connectors/dependency-track`, refused)
    return {
      sbom,
      other,
      finding,
      document,
      version: await this.#newest('product_version'),
      decision: await this.#newest('verdict_decision'),
      batch: await this.#newest('verdict_decision', 'batch_id'),
      refusal: await this.#newest('connector_refusal'),
      removed: await this.#removed(),
    }
  }

  /** The remains of an SBOM that the family no longer keeps. */
  async #removed(): Promise<string> {
    const { db, workspace } = this.#place
    const removed = {
      id: randomUUID(),
      workspace_id: workspace.id,
      family_id: workspace.families[0]?.id ?? '',
      version_id: await this.#newest('product_version'),
      sha256: Buffer.alloc(32, 1),
      format: 'spdx' as const,
      spec_version: '2.3',
      size_bytes: 1,
      component_count: 1,
      finding_count: 0,
      received_at: testNow,
      replaced_at: testNow,
      removed_at: testNow,
      keep: 'last' as const,
      amount: 1,
      cra_lifted: false,
    }
    await db.insertInto('removed_sbom').values(removed).execute()
    return removed.id
  }

  #sbom(): unknown {
    return {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      serialNumber: `urn:uuid:${randomUUID()}`,
      metadata: { component: { type: 'application', name: this.#mark } },
      components: [
        { type: 'library', name: packageName, version: '1.0.0', purl: `pkg:npm/${packageName}@1.0.0` },
        { type: 'library', name: this.#mark, version: '1.0.0', purl: `pkg:npm/${this.#mark}@1.0.0` },
      ],
    }
  }

  async incident(): Promise<Values> {
    const reasoning = `What was known and why: ${this.#mark}`
    const kind = 'severe_incident' as const
    const { id } = await this.#owner.call(openIncident, { body: { kind, title: this.#mark, families: [] } })
    await this.#owner.call(addComment, { params: { incident: id }, body: { text: this.#mark } })
    await this.#owner.call(addTask, { params: { incident: id }, body: { title: this.#mark } })
    await this.#owner.call(switchRegime, { params: { incident: id }, body: { regime: 'gdpr', active: true } })
    const awareAt = new Date(testNow.getTime() - 3_600_000).toISOString()
    await this.#owner.call(changeAwareness, {
      params: { incident: id },
      body: { awareAt, reason: reasoning },
    })
    const submittedAt = testNow.toISOString()
    const report = await this.#newest('regime_report')
    const filed = { kind: 'submission' as const, submittedAt, channel: this.#mark }
    await this.#owner.call(recordSubmission, { params: { incident: id, report }, body: filed })
    const submission = await this.#newest('submission')
    await this.#owner.call(addReceipt, {
      params: { incident: id, submission },
      query: { name: 'receipt.txt' },
      raw: this.#mark,
    })
    await this.#owner.call(recordDetermination, {
      params: { incident: id },
      body: { value: 'severe_incident', reasoning },
    })
    return {
      incident: id,
      report,
      submission,
      task: await this.#newest('incident_task'),
      change: await this.#newest('awareness_change'),
      determination: await this.#newest('determination'),
    }
  }

  /** A published advisory, whose title is public, and a draft. */
  async advisory(): Promise<Values> {
    const { slug, families } = this.#place.workspace
    const product = { versionId: await this.#newest('product_version'), familyId: families[0]?.id ?? '' }
    const content = sampleContent([{ ...product, family: 'Pump 1', version: '1' }], `Told by ${slug}`)
    const [first] = content.vulnerabilities
    if (first === undefined) throw new Error('the sample has a vulnerability')
    const vulnerabilities = [{ ...first, statuses: first.statuses.slice(0, 1) }]
    const published = await this.#owner.call(createAdvisory, {
      body: { content: { ...content, vulnerabilities } },
    })
    const release = { revision: 1, summary: 'First.' }
    await this.#owner.call(publishAdvisory, { params: { advisory: published.id }, body: release })
    const trackingId = await this.#newest('advisory', 'tracking_id')
    await this.#owner.call(createAdvisory, {
      body: { content: { ...content, vulnerabilities, title: this.#mark } },
    })
    return {
      advisory: published.id,
      trackingId,
      draft: await this.#newest('advisory', 'tracking_id'),
      versionNumber: await this.#newest('advisory_version', 'number'),
    }
  }

  /** The workspace's first report, with a file. */
  async report(): Promise<Values> {
    const { db, workspace } = this.#place
    const { token } = await receiveReport(db, {
      disclosure: { workspaceId: workspace.id, promiseDays: 3 },
      fields: {
        text: reportText({ title: this.#mark, description: this.#mark }),
        familyId: null,
        exploited: 'yes',
        embargoUntil: null,
        wantsCredit: true,
        creditConsent: true,
      },
      attachments: [{ name: `${this.#mark}.txt`, bytes: Buffer.from(this.#mark) }],
      language: 'en',
      nonce: randomBytes(16),
      suspicion: [],
      clock: () => testNow,
      sealing: testSealing,
    })
    const [reportRow, attachment] = [
      await this.#newest('inbox_report'),
      await this.#newest('inbox_attachment'),
    ]
    return { number: '1', attachment, reportRow, receipt: token }
  }

  async settings(): Promise<Values> {
    const { workspace } = this.#place
    const family = workspace.families[0]?.id ?? ''
    const destination = await this.#owner.call(addDestination, {
      body: {
        kind: 'webhook',
        name: this.#mark,
        events: ['report.received'],
        url: `https://hooks.${workspace.slug}.example/${this.#mark}`,
      },
    })
    await this.#owner.call(testDestination, { params: { destination: destination.id } })
    await this.#owner.call(invite, { body: { email: `new@${workspace.slug}.example`, role: 'viewer' } })
    await this.#owner.call(switchBadgeOn, { params: { family } })
    const { url } = await this.#owner.call(getFamilyBadge, { params: { family } })
    return {
      destination: destination.id,
      delivery: await this.#newest('alert_delivery'),
      invitation: await this.#newest('invitation'),
      token: await this.#newest('token'),
      event: await this.#newest('audit_event'),
      badge: url?.split('/').at(-1) ?? '',
    }
  }

  /** A session of the owner and a notice in their bell; a passkey of the viewer, required from then on. */
  async account(): Promise<Values> {
    const { db, workspace } = this.#place
    const { owner, viewer } = workspace.members
    const person = owner.id
    const [passkey, entry] = [randomUUID(), randomUUID()]
    const times = { created_at: testNow, last_used_at: null }
    const key = { credential_id: passkey, public_key: Buffer.from('key'), sign_count: 0, transports: [] }
    await db
      .insertInto('passkey')
      .values({ id: passkey, person_id: viewer.id, name: this.#mark, ...key, ...times })
      .execute()
    await db
      .insertInto('bell_entry')
      .values({
        id: entry,
        workspace_id: workspace.id,
        person_id: person,
        event_id: randomUUID(),
        kind: 'member.joined',
        is_named: false,
        created_at: testNow,
        fact: JSON.stringify({
          type: 'member.joined',
          data: { member: this.#mark, role: 'viewer', by: this.#mark, at: testNow },
        }),
      })
      .execute()
    const { id: session } = await db
      .selectFrom('session')
      .select('id')
      .where('person_id', '=', person)
      .executeTakeFirstOrThrow()
    return { passkey, entry, session }
  }
}
