import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { orderingOf } from '../ordering.ts'

const folder = join(import.meta.dirname, '../../../../shared/data/sbom/containers')
const isAbsent = !existsSync(folder) || spawnSync('dpkg', ['--version']).status !== 0
const where = isAbsent ? ' (skipped: needs dpkg and ../shared/data/sbom/containers)' : ''

/** The versions of all Debian packages in the sample documents. */
function readVersions(): string[] {
  const versions = readdirSync(folder).flatMap((file) =>
    Array.from(readFileSync(join(folder, file), 'utf8').matchAll(/pkg:deb\/[^"@]+@([^"?#]+)/g), (match) =>
      decodeURIComponent(match[1] ?? ''),
    ),
  )
  return [...new Set(versions)]
}

/** Reads `older newer` lines and prints those that dpkg does not confirm; one process for all. */
const refuted = 'while read -r a b; do dpkg --compare-versions "$a" le "$b" || echo "$a $b"; done'

describe('dpkg', () => {
  it.skipIf(isAbsent)(`puts real versions into the order of the real tool${where}`, () => {
    const { compare } = orderingOf('dpkg')
    const versions = readVersions()
    expect(versions.filter((version) => compare(version, version) === undefined)).toEqual([])

    const sorted = versions.toSorted((a, b) => compare(a, b) ?? 0)
    const lines = sorted.slice(1, 400).map((version, index) => `${sorted[index] ?? ''} ${version}\n`)
    expect(lines.length).toBeGreaterThan(200)
    const result = spawnSync('sh', ['-c', refuted], { input: lines.join(''), encoding: 'utf8' })
    expect(result.stderr).toBe('')
    expect(result.stdout).toBe('')
  })
})
