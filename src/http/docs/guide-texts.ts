import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Section } from './browser/find-sections.mjs'
import { guides, isGuide, type Guide } from './guide-list.ts'
import { readMarkdown, type Markdown } from './markdown.ts'

export const docsDir = join(import.meta.dirname, '../../../docs')

/** A guide of docs/, read. */
export async function readGuide(name: Guide): Promise<Markdown> {
  return readMarkdown(await readFile(join(docsDir, `${name}.md`), 'utf8'), guideAddress)
}

/** Guides link to each other by file; a file that is not served has no address here. */
function guideAddress(href: string): string | undefined {
  if (href.startsWith('#') || href.startsWith('https://') || href === '/docs/api') return href
  const [, name = '', fragment = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  return isGuide(name) ? `/docs/${name}${fragment}` : undefined
}

/** Every section of every guide, for the search. */
export async function readSections(): Promise<Section[]> {
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
