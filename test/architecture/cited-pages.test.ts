import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const pages = globSync('docs/**/*.md', { cwd: root })
const sources = ['src', 'web', 'test', 'client/src', 'bench', 'assure', 'e2e'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root }),
)

const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** A comment may shorten the name of a numbered decision to its number. */
const isPage = (path: string) => pages.some((page) => page === path || page.startsWith(`${path}-`))

test('every page of docs/ that the code cites is there, with the section it names', () => {
  const missing = sources.flatMap((source) =>
    [...read(source).matchAll(/\b(docs\/[\w/.-]*[\w])(?:, "([^"\n]+)")?/g)].flatMap(
      ([, path = '', section]) => {
        if (!/^docs\/(decisions\/\d{4}|[\w-]+\.md)/.test(path)) return []
        if (!isPage(path)) return [`${source}: ${path}`]
        const page = pages.find((each) => each === path || each.startsWith(`${path}-`)) ?? ''
        const isThere = section === undefined || read(page).toLowerCase().includes(section.toLowerCase())
        return isThere ? [] : [`${source}: ${path}, "${section}"`]
      },
    ),
  )
  expect(missing).toEqual([])
  expect(pages.length).toBeGreaterThan(10)
})

test('every page that a page links to is there', () => {
  const missing = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([\w/.-]+\.md)/g)]
      .map(([, link = '']) => join(dirname(page), link))
      .filter((target) => !pages.includes(target) && target !== 'README.md' && target !== 'CONTRIBUTING.md')
      .map((target) => `${page}: ${target}`),
  )
  expect(missing).toEqual([])
})

/** Written from the project root or from `src/`, as pages may, or as a bare file name. */
test('every source file that a page names is there', () => {
  const isThere = (name: string) => sources.some((source) => `/${source}`.endsWith(`/${name}`))
  const missing = [...pages, 'README.md', 'CONTRIBUTING.md'].flatMap((page) =>
    [...read(page).matchAll(/`([\w/.-]+\.tsx?)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isThere(name))
      .map((name) => `${page}: ${name}`),
  )
  expect(missing).toEqual([])
})
