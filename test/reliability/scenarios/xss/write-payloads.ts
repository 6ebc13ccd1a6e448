import type { AdvisoryContent } from '#contract/advisories/shapes.ts'
import { createAdvisory, listAdvisoryProducts, publishAdvisory } from '#contract/advisories/operations.ts'
import { createFamily } from '#contract/products/operations.ts'
import { createToken } from '#contract/tokens/operations.ts'
import { addDestination } from '#contract/alerts/operations.ts'
import { openIncident } from '#contract/incidents/operations.ts'
import { addComment, addTask } from '#contract/incidents/act-operations.ts'
import { changeCompany } from '#contract/workspace/company-operations.ts'
import { changeDisclosureSettings } from '#contract/disclosure/operations.ts'
import type { AlertType } from '#contract/alerts/shapes.ts'
import { AppSession } from '../../../support/app-session.ts'
import { call } from '../../../support/http.ts'
import type { Service } from '../../../support/service.ts'
import type { Query } from '../../../support/upload-history.ts'
import { payloadOf } from './payloads.ts'
import { writePeople } from './write-people.ts'
import { writeRecords } from './write-records.ts'
import { fieldOf } from '../../../support/read-as.ts'

export type Target = {
  baseUrl: string
  slug: string
  owner: { email: string; password: string }
  familyId: string
  uploadToken: string
  payloads: readonly number[]
  cli: Service['cli']
  /** A database query. */
  query: Query
}

/** A page, the fields whose payloads it should show, and a text that shows it is complete. */
export type Visit = { path: string; fields: string[]; waitFor?: string }

/** Writes every payload into every field, through uploads, records and forms; returns the pages to look at. */
export async function writePayloads(place: Target): Promise<Visit[]> {
  const owner = await AppSession.signIn(place.baseUrl, place.owner)
  const writing = new Writing(place, owner)
  return [
    ...(await writing.sbom()),
    ...(await writing.vex()),
    ...(await writing.names()),
    ...(await writing.incident()),
    ...(await writing.reports()),
    ...(await writing.advisory()),
    ...(await writeRecords(place, owner)),
    // last: mail names the company's current name
    ...(await writePeople(place, owner)),
  ]
}

/** Limit of token and destination names, in characters. */
const maxNameCharacters = 80

class Writing {
  readonly #place: Target
  readonly #owner: AppSession

  constructor(place: Target, owner: AppSession) {
    this.#place = place
    this.#owner = owner
  }

  #each<T>(make: (payload: (field: string) => string, number: number) => T): T[] {
    return this.#place.payloads.map((number) => make((field) => payloadOf(number, field), number))
  }

  /** The payloads that fit into a name. */
  #short(field: string): string[] {
    return this.#each((payload) => payload(field)).filter(({ length }) => length <= maxNameCharacters)
  }

  get #app(): string {
    return `/app/${this.#place.slug}`
  }

  async #upload(path: string, body: unknown, headers: Record<string, string> = {}): Promise<string> {
    const { status, body: said } = await call(`${this.#place.baseUrl}/api/v1/${path}`, {
      method: 'POST',
      token: this.#place.uploadToken,
      headers,
      body: JSON.stringify(body),
    })
    if (status !== 202) throw new Error(`${path} was answered ${status}: ${JSON.stringify(said)}`)
    return String(fieldOf(said, 'id'))
  }

  async sbom(): Promise<Visit[]> {
    const components = this.#each((payload, number) => ({
      type: 'library',
      'bom-ref': payload('ref'),
      name: payload('component'),
      version: payload('version'),
      purl: `pkg:npm/${encodeURIComponent(payload('purl'))}@${number}`,
      licenses: [{ license: { name: payload('licence') } }],
      supplier: { name: payload('supplier') },
      publisher: payload('publisher'),
      description: payload('description'),
    }))
    const metadata = {
      component: { type: 'application', name: payloadOf(this.#place.payloads[0] ?? 0, 'product') },
    }
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata, components }
    const version = { 'X-Service-Version': payloadOf(this.#place.payloads[0] ?? 0, 'release') }
    const id = await this.#upload('sboms', document, version)
    // a name allowed in an advisory: CSAF accepts no version name with < in it
    await this.#upload('sboms', { ...document, version: 2 }, { 'X-Service-Version': '1.0' })
    const fields = ['component', 'version', 'licence', 'supplier', 'purl', 'product', 'release']
    return [
      { path: `${this.#app}/sboms/${id}?tab=components`, fields },
      { path: `${this.#app}/components`, fields },
      { path: `${this.#app}/families/${this.#place.familyId}`, fields },
    ]
  }

  async vex(): Promise<Visit[]> {
    const statements = this.#each((payload, number) => ({
      vulnerability: { name: `CVE-2026-${30_000 + number}` },
      products: [{ '@id': `pkg:npm/${encodeURIComponent(payload('target'))}` }],
      status: 'not_affected',
      justification: 'component_not_present',
      impact_statement: payload('impact'),
      status_notes: payload('notes'),
    }))
    const author = payloadOf(this.#place.payloads[0] ?? 0, 'author')
    const document = { '@context': 'https://openvex.dev/ns/v0.2.0', '@id': author, author, statements }
    const id = await this.#upload('vex', document)
    return [{ path: `${this.#app}/vex/${id}`, fields: ['target', 'impact', 'notes', 'author'] }]
  }

  /** Names that members give; tokens and families use their own names. */
  async names(): Promise<Visit[]> {
    for (const name of this.#each((payload) => payload('family')))
      await this.#owner.call(createFamily, { body: { name } })
    for (const name of this.#short('token'))
      await this.#owner.call(createToken, {
        body: { name, kind: 'workspace', familyId: null, expiresInDays: null },
      })
    const events: AlertType[] = ['report.received']
    for (const [index, name] of this.#each((payload) => payload('destination'))
      .slice(0, 15)
      .entries()) {
      const url = `https://hooks.acme.example/${index}`
      await this.#owner.call(addDestination, { body: { kind: 'webhook', name, url, events } })
    }
    return [
      { path: `${this.#app}/families`, fields: ['family'] },
      { path: `${this.#app}/settings/tokens`, fields: ['token'] },
      { path: `${this.#app}/settings/notifications`, fields: ['destination'] },
      { path: `${this.#app}/settings/audit`, fields: ['token', 'family', 'destination'] },
    ]
  }

  async incident(): Promise<Visit[]> {
    let first = ''
    for (const title of this.#each((payload) => payload('incident'))) {
      const body = { kind: 'severe_incident' as const, title, families: [] }
      const { id } = await this.#owner.call(openIncident, { body })
      if (first === '') first = id
    }
    for (const text of this.#each((payload) => payload('comment')))
      await this.#owner.call(addComment, { params: { incident: first }, body: { text } })
    for (const title of this.#each((payload) => payload('task')))
      await this.#owner.call(addTask, { params: { incident: first }, body: { title } })
    const fields = ['incident', 'comment', 'task']
    return [
      { path: `${this.#app}/incidents`, fields },
      { path: `${this.#app}/incidents/${first}`, fields },
      { path: `/api/app/workspaces/${this.#place.slug}/incidents/${first}/evidence.html`, fields },
    ]
  }

  /** Reports, each from its own address. */
  async reports(): Promise<Visit[]> {
    const page = `${this.#place.baseUrl}/disclose/${this.#place.slug}`
    const names = [
      'title',
      'description',
      'impact',
      'type',
      'cve',
      'version',
      'product',
      'toldOthers',
      'creditName',
    ]
    const all = [...names, 'creditOrganisation', 'contactName']
    const visits: Visit[] = [{ path: `${this.#app}/inbox`, fields: ['title', 'product'] }]
    for (const number of this.#place.payloads) {
      const headers = { 'x-forwarded-for': `10.9.0.${number + 1}` }
      const stamp =
        /name="stamp" value="([^"]+)"/.exec(await (await fetch(page, { headers })).text())?.[1] ?? ''
      const form = new FormData()
      form.append('stamp', stamp)
      for (const name of all) form.append(name, payloadOf(number, name))
      form.append('attachments', new Blob(['proof']), `${payloadOf(number, 'file')}.txt`)
      const answer = await fetch(page, { method: 'POST', body: form, headers, redirect: 'manual' })
      if (answer.status !== 303)
        throw new Error(`a report was answered ${answer.status}: ${await answer.text()}`)
      const status = new URL(answer.headers.get('location') ?? '', page).pathname
      visits.push({ path: status, fields: all })
      visits.push({ path: `${this.#app}/inbox/${visits.length >> 1}`, fields: [...all, 'file'] })
    }
    return visits
  }

  async advisory(): Promise<Visit[]> {
    const { slug } = this.#place
    const { families } = await this.#owner.call(listAdvisoryProducts)
    const family = families.find(({ id }) => id === this.#place.familyId)
    const version = family?.versions.find(({ name }) => name === '1.0')
    if (family === undefined || version === undefined) throw new Error('there is no version to tell of')
    const product = { familyId: family.id, family: family.name, versionId: version.id, version: version.name }
    const content = this.#content([product])
    const { id, trackingId } = await this.#owner.call(createAdvisory, { body: { content } })
    await this.#owner.call(publishAdvisory, {
      params: { advisory: id },
      body: {
        revision: 1,
        summary: payloadOf(0, 'release-note'),
      },
    })
    const fields = [
      'advisory',
      'summary',
      'reference',
      'thanks',
      'lab',
      'fix',
      'flaw',
      'flaw-text',
      'release-note',
    ]
    const first = payloadOf(this.#place.payloads[0] ?? 0, 'company')
    await this.#owner.call(changeCompany, { body: { companyName: first } })
    await this.#owner.call(changeDisclosureSettings, {
      body: {
        policy: this.#each((payload) => payload('policy')).join('\n\n'),
      },
    })
    const everywhere = [...fields, 'company', 'policy']
    return [
      { path: `${this.#app}/advisories/${id}`, fields: everywhere },
      { path: `${this.#app}/advisories`, fields: everywhere },
      { path: `/disclose/${slug}/advisories/${trackingId}`, fields: everywhere },
      { path: `/disclose/${slug}/advisories`, fields: everywhere },
      { path: `/disclose/${slug}`, fields: everywhere },
      { path: `${this.#app}/settings/disclosure`, fields: everywhere },
    ]
  }

  #content(products: AdvisoryContent['products']): AdvisoryContent {
    const [{ versionId } = { versionId: '' }] = products
    const url = 'https://acme.example/'
    const [first = 0] = this.#place.payloads
    const fixes = this.#each((payload) => ({
      category: 'vendor_fix' as const,
      details: payload('fix'),
      url,
      versionIds: [versionId],
    }))
    return {
      title: payloadOf(first, 'advisory'),
      summary: payloadOf(first, 'summary'),
      tlp: 'WHITE',
      products,
      vulnerabilities: [
        {
          cve: 'CVE-2026-1234',
          ids: [],
          exploits: [],
          references: [],
          title: payloadOf(first, 'flaw'),
          description: payloadOf(first, 'flaw-text'),
          statuses: [{ versionId, status: 'affected', justification: null, impact: '' }],
          remediations: fixes,
        },
      ],
      references: this.#each((payload) => ({ summary: payload('reference'), url })),
      acknowledgments: this.#each((payload) => ({
        names: [payload('thanks')],
        organization: payload('lab'),
        summary: '',
        urls: [],
      })),
    }
  }
}
