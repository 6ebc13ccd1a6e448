import { createHash } from 'node:crypto'
import { request } from 'node:https'
import * as basic from '@secvisogram/csaf-validator-lib/basic.js'
import validate from '@secvisogram/csaf-validator-lib/validate.js'

/**
 * Reads a CSAF feed as a consumer who knows only the standard: from security.txt through provider metadata and indexes to the documents and
 * their hashes, over HTTPS. One check for each requirement of CSAF 2.0, section 7.1, on a publisher (1 to 4), on a provider with
 * directories (5 to 8, 11 to 14), and on integrity (18). Requirements 9 and 10 are alternatives to 8, and 15 to 17 to 11 to 14.
 */
export async function checkFeed(start: Start): Promise<CheckedRequirement[]> {
  const reader = new FeedReader(start)
  const checked: CheckedRequirement[] = []
  for (const [requirement, check] of Object.entries(requirements)) {
    checked.push({ requirement, problems: await problemsOf(() => check(reader)) })
  }
  return checked
}

export type Start = { securityTxt: string; metadata: string; certificate: string }
export type CheckedRequirement = { requirement: string; problems: string[] }

type Check = (reader: FeedReader) => Promise<string[]>
type Answer = { status: number; bytes: Buffer }
type Document = {
  document: {
    distribution?: { tlp?: { label?: string } }
    tracking: { id: string; initial_release_date: string; current_release_date: string }
  }
}
type Metadata = { canonical_url: string; distributions: { directory_url: string }[] } & Record<
  string,
  unknown
>

const requirements: Record<string, Check> = {
  '7.1.1 Valid CSAF document': eachDocument(async ({ document }) => {
    const { tests } = await validate(Object.values(basic), document)
    return tests.flatMap(({ name, isValid }) => (isValid ? [] : [`fails ${name}`]))
  }),
  '7.1.2 Filename': eachDocument(({ path, document }) => {
    const id = document.document.tracking.id
    const expected = `${id.toLowerCase().replaceAll(/[^+\-a-z0-9]+/g, '_')}.json`
    return path.split('/').at(-1) === expected ? [] : [`is not called ${expected}`]
  }),
  '7.1.3 TLS': async (reader) => {
    const { metadata, directory } = await reader.metadata()
    const addresses = [reader.start.metadata, metadata.canonical_url, directory]
    return addresses.flatMap((url) => (url.startsWith('https://') ? [] : [`${url} is not encrypted`]))
  },
  '7.1.4 TLP:WHITE': async (reader) => {
    const urls = (await reader.paths()).map((path) => reader.get(path))
    const closed = (await Promise.all(urls)).filter(({ status }) => status === 401 || status === 403)
    const unlabelled = (await reader.documents()).filter(({ document }) => labelOf(document) === undefined)
    return [
      ...closed.map(({ status }) => `a document is answered ${status}`),
      ...unlabelled.map(({ path }) => `${path} has no label`),
    ]
  },
  '7.1.5 TLP:AMBER and TLP:RED': eachDocument(({ document }) => {
    const label = labelOf(document) ?? ''
    return ['AMBER', 'RED'].includes(label) ? [`is TLP:${label} and open to everyone`] : []
  }),
  '7.1.6 No Redirects': async (reader) => {
    await reader.files()
    return reader
      .answers()
      .flatMap(([url, { status }]) => (status >= 300 && status < 400 ? [`${url} redirects`] : []))
  },
  '7.1.7 provider-metadata.json': async (reader) =>
    metadataProblems((await reader.metadata()).metadata, reader.start.metadata),
  '7.1.8 security.txt': async (reader) => {
    const lines = (await reader.text(reader.start.securityTxt)).split(/\r?\n/)
    const named = lines.flatMap((line) => /^CSAF: *(\S+) *$/i.exec(line)?.[1] ?? [])
    return named.includes(reader.start.metadata) ? [] : [`CSAF names ${named.join(', ') || 'nothing'}`]
  },
  '7.1.11 One folder per year': eachDocument(({ path, document }) => {
    const year = document.document.tracking.initial_release_date.slice(0, 4)
    return path.split('/').at(-2) === year ? [] : [`is not in ${year}`]
  }),
  '7.1.12 index.txt': async (reader) => {
    const [index, changes] = [await reader.index(), (await reader.changes()).map(([path]) => path)]
    const missing = changes.filter((path) => !index.includes(path)).map((path) => `${path} is missing`)
    const foreign = index.filter((path) => !changes.includes(path)).map((path) => `${path} never changed`)
    return [
      ...missing,
      ...foreign,
      ...(new Set(index).size < index.length ? ['a document is there twice'] : []),
    ]
  },
  '7.1.13 changes.csv': async (reader) => {
    const changes = await reader.changes()
    const times = changes.map(([, time]) => Date.parse(time))
    const isSorted = times.every((time, place) => place === 0 || time <= (times[place - 1] ?? 0))
    const current = new Map(
      (await reader.documents()).map(({ path, document }) => [
        path,
        document.document.tracking.current_release_date,
      ]),
    )
    const wrong = changes.filter(([path, time]) => current.get(path) !== time)
    return [
      ...(isSorted ? [] : ['the newest is not first']),
      ...wrong.map(([path]) => `${path} has another date`),
    ]
  },
  '7.1.14 Directory listings': async (reader) => {
    const { directory } = await reader.metadata()
    const { status, bytes } = await reader.fetch(directory)
    if (status !== 200) return [`${directory} is answered ${status}`]
    const listed = bytes.toString()
    const years = new Set((await reader.paths()).map((path) => path.split('/')[0] ?? ''))
    return [...years].flatMap((year) => (listed.includes(`href="${year}/"`) ? [] : [`${year} is not listed`]))
  },
  '7.1.18 Integrity': async (reader) => {
    const problems: string[] = []
    for (const path of await reader.paths()) {
      const { bytes } = await reader.get(path)
      for (const algorithm of ['sha256', 'sha512']) {
        const line = await reader.text(reader.under(`${path}.${algorithm}`))
        const [, digest, name] = /^([0-9a-f]+) [ *](\S+)\n?$/.exec(line) ?? []
        if (digest !== createHash(algorithm).update(bytes).digest('hex'))
          problems.push(`${path} has another ${algorithm}`)
        if (name !== path.split('/').at(-1)) problems.push(`${path}.${algorithm} is of another file`)
      }
    }
    return problems
  },
}

/** A check that fails to read something is a problem of the feed, too. */
async function problemsOf(check: () => Promise<string[]>): Promise<string[]> {
  try {
    return await check()
  } catch (error) {
    return [String(error)]
  }
}

type Read = { path: string; document: Document }

function eachDocument(check: (read: Read) => string[] | Promise<string[]>): Check {
  return async (reader) => {
    const problems: string[] = []
    for (const read of await reader.documents()) {
      problems.push(...(await check(read)).map((problem) => `${read.path} ${problem}`))
    }
    return problems
  }
}

function labelOf({ document }: Document): string | undefined {
  return document.distribution?.tlp?.label
}

/** The JSON schema of the provider metadata (CSAF 2.0, section 7.1.7), by hand. */
function metadataProblems(metadata: Metadata, address: string): string[] {
  const publisher = (metadata['publisher'] ?? {}) as Record<string, unknown>
  const isUri = (value: unknown) => typeof value === 'string' && URL.canParse(value)
  const expected: Record<string, boolean> = {
    'canonical_url is its own address': metadata.canonical_url === address,
    'last_updated is a time': !Number.isNaN(Date.parse(String(metadata['last_updated']))),
    'list_on_CSAF_aggregators says yes or no': typeof metadata['list_on_CSAF_aggregators'] === 'boolean',
    'mirror_on_CSAF_aggregators says yes or no': typeof metadata['mirror_on_CSAF_aggregators'] === 'boolean',
    'metadata_version is 2.0': metadata['metadata_version'] === '2.0',
    'role is one of the standard': ['csaf_publisher', 'csaf_provider', 'csaf_trusted_provider'].includes(
      String(metadata['role']),
    ),
    'publisher has a category': [
      'coordinator',
      'discoverer',
      'other',
      'translator',
      'user',
      'vendor',
    ].includes(String(publisher['category'])),
    'publisher has a name': typeof publisher['name'] === 'string' && publisher['name'] !== '',
    'publisher has a namespace': isUri(publisher['namespace']),
    'each distribution has an address': metadata.distributions.every(({ directory_url: url }) => isUri(url)),
  }
  return Object.entries(expected).flatMap(([fact, holds]) => (holds ? [] : [`it does not hold that ${fact}`]))
}

/** Fetches each address once, without credentials, and follows no redirects. */
class FeedReader {
  readonly start: Start
  readonly #fetched = new Map<string, Promise<Answer>>()
  readonly #answers: [string, Answer][] = []
  #directory = ''

  constructor(start: Start) {
    this.start = start
  }

  async fetch(url: string): Promise<Answer> {
    const known = this.#fetched.get(url)
    if (known !== undefined) return known
    const fetching = fetchOnce(url, this.start.certificate)
    this.#fetched.set(url, fetching)
    const answer = await fetching
    this.#answers.push([url, answer])
    return answer
  }

  answers(): readonly [string, Answer][] {
    return this.#answers
  }

  async text(url: string): Promise<string> {
    const { status, bytes } = await this.fetch(url)
    if (status !== 200) throw new Error(`${url} was answered ${status}`)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  }

  async metadata(): Promise<{ metadata: Metadata; directory: string }> {
    const metadata = JSON.parse(await this.text(this.start.metadata)) as Metadata
    const [first] = metadata.distributions
    if (first === undefined) throw new Error('the metadata has no distribution')
    this.#directory = first.directory_url
    return { metadata, directory: first.directory_url }
  }

  under(path: string): string {
    return new URL(path, this.#directory).href
  }

  async get(path: string): Promise<Answer> {
    await this.metadata()
    return this.fetch(this.under(path))
  }

  async index(): Promise<string[]> {
    await this.metadata()
    return linesOf(await this.text(this.under('index.txt')))
  }

  async changes(): Promise<[path: string, time: string][]> {
    await this.metadata()
    return linesOf(await this.text(this.under('changes.csv'))).map((line) => {
      const [, path = '', time = ''] = /^"([^"]+)","([^"]+)"$/.exec(line) ?? []
      if (path === '') throw new Error(`a line of changes.csv is not two quoted values: ${line}`)
      return [path, time]
    })
  }

  /** Paths in both indexes. */
  async paths(): Promise<string[]> {
    const named = [...(await this.index()), ...(await this.changes()).map(([path]) => path)]
    if (named.length === 0) throw new Error('the feed has no document')
    return [...new Set(named)]
  }

  /** Fetches every file in the indexes, whatever the answer. */
  async files(): Promise<void> {
    await this.fetch(this.start.metadata)
    for (const path of await this.paths()) await this.get(path)
  }

  async documents(): Promise<Read[]> {
    const read = (await this.paths()).map(async (path) => ({
      path,
      document: JSON.parse(await this.text(this.under(path))) as Document,
    }))
    return Promise.all(read)
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '')
}

function fetchOnce(url: string, certificate: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { ca: certificate, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) }))
    })
    asking.on('error', reject)
    asking.end()
  })
}
