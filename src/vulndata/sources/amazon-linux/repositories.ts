import { parseDocument } from '../../../source-files/documents.ts'
import { listField, textField } from '../../../source-files/fields.ts'
import { RefusedData } from '../../../source-files/refused-data.ts'
import { attributeOf, childOf, childText, xmlElements } from '../../../source-files/xml-elements.ts'

/** The lists of mirrors of those repositories that every release has, below the address of them all. */
export const mainRepositories: readonly string[] = [
  '2/core/latest/x86_64/mirror.list',
  'al2022/core/mirrors/latest/x86_64/mirror.list',
  'al2023/core/mirrors/latest/x86_64/mirror.list',
  'al2023/kernel-livepatch/mirrors/latest/x86_64/mirror.list',
  'al2023/nvidia/mirrors/latest/x86_64/mirror.list',
]

/** Which topics (`amazon-linux-extras`) the second release has beside its main repository. */
export const topicCatalogue = '2/extras-catalog.json'

const maxTopics = 1_000

/** The lists of mirrors of the topics that a catalogue names (`{ "topics": [{ "n": "golang1.19", … }] }`). Refuses what names none. */
export function topicRepositories(body: Buffer): string[] {
  const { value } = parseDocument({ name: 'the catalogue of topics', bytes: body })
  const names = listField(value, 'topics').map((topic) => textField(topic, 'n', 100))
  const usable = names.filter((name) => name !== null && /^[A-Za-z0-9][A-Za-z0-9._+-]{0,80}$/.test(name))
  if (usable.length === 0 || usable.length > maxTopics)
    throw new RefusedData(`expected topics of Amazon Linux 2, found ${usable.length}`)
  return [...new Set(usable)].map((name) => `2/extras/${name ?? ''}/latest/x86_64/mirror.list`)
}

const publisher = 'https://cdn.amazonlinux.com/'

/**
 * The addresses of a repository out of its list of mirrors, one a line. Those of the publisher are looked for at `base`, where a copy may be. Refuses a list without any, such as
 * a page.
 */
export function mirrorsIn(text: string, { base, list }: { base: string; list: string }): URL[] {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const found = lines.map((line) => URL.parse(line.replace(publisher, `${base}/`), list))
  const usable = found.filter((url) => url !== null && /^https?:$/.test(url.protocol))
  if (usable.length === 0 || usable.length < lines.length || lines.some((line) => line.includes('<')))
    throw new RefusedData(`${list}: expected a list of mirrors, found another text`)
  return usable.flatMap((url) => (url === null ? [] : [new URL(url.href.replace(/\/*$/, '/'))]))
}

export type Updateinfo = { url: string; sha256: string }

const metadata = { root: 'repomd', element: 'data', title: 'the index of a repository' }

/** Where the index of a repository (`repodata/repomd.xml`) says that its notices lie; null: it has none. */
export async function updateinfoOf(body: Buffer, mirror: URL): Promise<Updateinfo | null> {
  for await (const data of xmlElements(only(body), metadata)) {
    if (attributeOf(data, 'type') !== 'updateinfo') continue
    const location = childOf(data, 'location')
    const checksum = childOf(data, 'checksum')
    const url = URL.parse(location === undefined ? '' : attributeOf(location, 'href'), mirror.href)
    const sha256 = childText(data, 'checksum').toLowerCase()
    const isSha256 = checksum !== undefined && attributeOf(checksum, 'type') === 'sha256'
    if (url?.origin !== mirror.origin || !isSha256 || !/^[0-9a-f]{64}$/.test(sha256))
      throw new RefusedData(`${mirror.href}: expected the place and SHA-256 of its advisories, found neither`)
    return { url: url.href, sha256 }
  }
  return null
}

// oxlint-disable-next-line typescript/require-await -- a document that is here, as one that comes in pieces
async function* only(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}
