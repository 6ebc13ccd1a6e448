import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cachedFor } from '../platform/concurrency/cached.ts'
import { indexSections, type Section } from './browser/find-sections.mjs'
import { guides, isGuide, type Guide } from './guide-list.ts'
import { readMarkdown, type Markdown } from './markdown.ts'

export const docsDir = join(import.meta.dirname, '../../docs')

/** They are part of the program, and anybody may ask for them any number of times: each is read once in a process. */
const read = new Map<Guide, () => Promise<Markdown>>(
  guides.map(({ name }) => [
    name,
    cachedFor(Infinity, async () =>
      readMarkdown(await readFile(join(docsDir, `${name}.md`), 'utf8'), guideAddress),
    ),
  ]),
)

/** A guide of docs/. */
export async function readGuide(name: Guide): Promise<Markdown> {
  const reading = read.get(name)
  if (reading === undefined) throw new Error(`no guide ${name}`)
  return reading()
}

/** Guides link to each other by file; a file that is not served has no address here. */
function guideAddress(href: string): string | undefined {
  if (href.startsWith('#') || href.startsWith('https://') || href === '/docs/api') return href
  const [, name = '', fragment = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  return isGuide(name) ? `/docs/${name}${fragment}` : undefined
}

/** Every section of every guide, ready to be searched, and the bytes of the JSON that the search box asks for: encoding them is half of an answer's work. */
export const guideIndex = cachedFor(Infinity, async () => {
  const sections = await readSections()
  return { index: indexSections(sections), json: Buffer.from(JSON.stringify(sections)) }
})

async function readSections(): Promise<Section[]> {
  const found: Section[] = []
  for (const { name, title: page } of guides) {
    const { parts } = await readGuide(name)
    for (const { id, title, text } of parts) {
      found.push({
        path: id === null ? `/docs/${name}` : `/docs/${name}#${id}`,
        page,
        title: id === null ? page : title,
        text,
      })
    }
  }
  return found
}
