import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configuredSources, fetchedSources, sourceOf, sources } from './all.ts'

const duplicates = (values: readonly string[]) => values.filter((value, at) => values.indexOf(value) < at)

describe('the list of sources', () => {
  it('has ids, labels, variables and beginnings of record ids once', () => {
    expect(duplicates(sources.map(({ id }) => id))).toEqual([])
    expect(duplicates(sources.map(({ label }) => label))).toEqual([])
    expect(duplicates(configuredSources.map(({ variable }) => variable))).toEqual([])
    expect(duplicates(sources.flatMap(({ records }) => records?.prefixes ?? []))).toEqual([])
  })

  it.each(fetchedSources.map((source) => [source.id, source] as const))(
    '%s can be refreshed',
    (_, source) => {
      expect(source.refresh).toBeTypeOf('function')
      expect(source.feed.variable).toMatch(/^[A-Z_]+_URL$/)
      expect(URL.parse(source.feed.address)?.protocol).toBe('https:')
      expect(source.feed.address).not.toMatch(/\/$/)
      expect(source.readAgain).toBeTypeOf('function')
      expect(source.readerGeneration).toBeGreaterThan(0)
    },
  )

  it('brings records wherever it covers components: while it fails, vulnerabilities are missing and not only scores', () => {
    const deciding = sources.filter(({ decides }) => decides !== undefined)
    expect(deciding.filter(({ brings }) => brings !== 'records').map(({ id }) => id)).toEqual([])
  })

  it('yields to sources whose records it can tell', () => {
    const yielding = sources.flatMap(({ records }) => records?.yieldsTo ?? [])
    expect(yielding.length).toBeGreaterThan(0)
    for (const id of yielding) expect(sourceOf(id)?.records?.prefixes).not.toHaveLength(0)
  })

  it('scores CVEs under record ids of its own', () => {
    const scorers = sources.flatMap(({ records }) => (records?.scorer === undefined ? [] : [records]))
    expect(scorers.length).toBeGreaterThan(0)
    for (const { prefixes } of scorers) expect(prefixes).not.toHaveLength(0)
  })

  it('has every variable that docs/operating.md names', () => {
    const text = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8')
    const named = [...(/^\| `OSV_URL`[^|]*/m.exec(text)?.[0] ?? '').matchAll(/`([A-Z_]+_URL)`/g)].map(
      ([, variable]) => variable,
    )
    expect(named.length).toBeGreaterThan(0)
    expect(configuredSources.map(({ variable }) => variable)).toEqual(expect.arrayContaining(named))
  })
})
