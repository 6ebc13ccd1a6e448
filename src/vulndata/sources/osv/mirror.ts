import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ecosystems as knownEcosystems } from '../../../identities/ecosystems.ts'
import type { Outbound, Question } from '../../../platform/outbound/outbound.ts'
import type { OnProgress } from '../../../source-files/progress.ts'
import { isEcosystemName } from '../../../records/ecosystem-source.ts'
import { describeContent, RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import type { DocumentFile, SourceDocument } from '../../../source-files/documents.ts'
import { maxEntryBytes } from '../../../source-files/zip-entries.ts'

/** OSV data laid out like the public bucket: one directory an ecosystem with `all.zip`, `modified_id.csv` and `<ID>.json`. */
export type Mirror = {
  address: string
  /** In a folder: what it holds is there at once. */
  isNear: boolean
  /** Names of the ecosystems it holds; empty when it is no mirror. */
  listEcosystems: () => Promise<string[]>
  /** Where `modified_id.csv` of an ecosystem can be read; undefined when it has none. */
  fetchIndex: (ecosystem: string) => Promise<string | undefined>
  /** What the server says of `all.zip`, to tell whether it changed (null: nothing); undefined when it has none. */
  wholeFile: (ecosystem: string) => Promise<{ hash: string | null } | undefined>
  /** Where every record of an ecosystem can be read; undefined when it has no such ecosystem. */
  fetchWhole: (ecosystem: string, onProgress: OnProgress) => Promise<DocumentFile | undefined>
  /** One record; undefined when it is not there. */
  fetchRecord: (ecosystem: string, id: string) => Promise<SourceDocument | undefined>
}

const wholeFile = 'all.zip'
const indexFile = 'modified_id.csv'
const listFile = 'ecosystems.txt'
const maxListBytes = 1024 ** 2
const maxIndexBytes = 1024 ** 3

/** A mirror in a folder. Without zip files the directories themselves hold the records. */
export function folderMirror(root: string): Mirror {
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    )
  return {
    address: root,
    isNear: true,
    listEcosystems: async () => {
      const entries = await readdir(root, { withFileTypes: true })
      const names = entries
        .filter((entry) => entry.isDirectory() && isEcosystemName(entry.name))
        .map((entry) => entry.name)
      const isMirror = await Promise.all(
        names.map(
          async (name) => (await exists(join(root, name, wholeFile))) || exists(join(root, name, indexFile)),
        ),
      )
      return names.filter((_, index) => isMirror[index] === true).sort()
    },
    fetchIndex: async (ecosystem) => {
      const path = join(root, ecosystem, indexFile)
      return (await exists(path)) ? path : undefined
    },
    wholeFile: async (ecosystem) =>
      (await exists(join(root, ecosystem, wholeFile))) ? { hash: null } : undefined,
    fetchWhole: async (ecosystem) => {
      const folder = join(root, ecosystem)
      const zip = join(folder, wholeFile)
      if (await exists(zip)) return { kind: 'zip', path: zip }
      return (await exists(folder)) ? { kind: 'folder', path: folder } : undefined
    },
    fetchRecord: () => Promise.resolve(undefined),
  }
}

export type WebSource = {
  outbound: Outbound
  /** Without a trailing slash. */
  url: string
  /** For what is downloaded; the caller removes it. */
  folder: string
  /** An address typed at the command line. */
  operatorsOwn: boolean
}

/** A mirror behind a web address, the public bucket among them. Names are percent-encoded; `+` for a space does not work there. */
export function webMirror(source: WebSource): Mirror {
  const { url, folder } = source
  const question = (...parts: string[]): Question & { purpose: 'feed' } => ({
    url: [url, ...parts.map(encodeURIComponent)].join('/'),
    purpose: 'feed',
    operatorsOwn: source.operatorsOwn,
  })
  const download = async (parts: string[], maxBytes?: number, onProgress?: OnProgress) => {
    const toFile = join(folder, parts.map(encodeURIComponent).join('-'))
    const asked = { ...question(...parts), toFile, ...(maxBytes === undefined ? {} : { maxBytes }) }
    const onBytes = (done: number, total: number | null) =>
      onProgress?.({ label: `${parts.join('/')}, bytes`, done, total })
    const answer = await source.outbound.download({ ...asked, onBytes })
    if (answer.status === 404) return undefined
    refuseUnlessOk(answer.status, parts.join('/'))
    return toFile
  }
  return {
    address: url,
    isNear: false,
    listEcosystems: () => listWebEcosystems(source.outbound, question),
    fetchIndex: (ecosystem) => download([ecosystem, indexFile], maxIndexBytes),
    wholeFile: (ecosystem) => askForWholeFile(source.outbound, question(ecosystem, wholeFile)),
    fetchWhole: async (ecosystem, onProgress) => {
      const path = await download([ecosystem, wholeFile], undefined, onProgress)
      return path === undefined ? undefined : { kind: 'zip', path }
    },
    fetchRecord: async (ecosystem, id) => {
      const name = `${id}.json`
      const answer = await source.outbound.ask({ ...question(ecosystem, name), maxBytes: maxEntryBytes })
      if (answer.status === 404) return undefined
      refuseUnlessOk(answer.status, name)
      return { name, bytes: answer.body }
    },
  }
}

async function askForWholeFile(
  outbound: Outbound,
  question: Question,
): Promise<{ hash: string | null } | undefined> {
  const { status, headers } = await outbound.ask({ ...question, method: 'HEAD' })
  if (status !== 200) return undefined
  return { hash: headers.get('x-goog-hash') ?? headers.get('etag') ?? null }
}

/** From `ecosystems.txt`; a mirror without it is asked for each ecosystem the product knows. */
async function listWebEcosystems(
  outbound: Outbound,
  question: (...parts: string[]) => Question,
): Promise<string[]> {
  const answer = await outbound.ask({ ...question(listFile), maxBytes: maxListBytes })
  if (answer.status === 200) return readNames(answer.body)
  const found: string[] = []
  for (const { name } of knownEcosystems) {
    if ((await askForWholeFile(outbound, question(name, wholeFile))) !== undefined) found.push(name)
  }
  return found
}

function readNames(bytes: Buffer): string[] {
  const names = bytes
    .toString('utf8')
    .split('\n')
    .map((line) => line.trim())
  const wanted = names.filter((name) => name !== '' && name !== '[EMPTY]')
  if (!wanted.every(isEcosystemName)) {
    throw new RefusedData(`expected a list of ecosystem names, found ${describeContent(bytes)}`)
  }
  return [...new Set(wanted)]
}
