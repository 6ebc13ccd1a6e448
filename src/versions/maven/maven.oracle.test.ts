import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { orderingOf } from '../ordering.ts'

const document = join(import.meta.dirname, '../../../../shared/data/sbom/cyclonedx/keycloak-java-1.4.json')
const mavenHome = existsSync(document) ? findMavenHome() : undefined
const where = mavenHome === undefined ? ' (skipped: needs Maven 3.8.7 and ../shared/data/sbom/cyclonedx)' : ''

function findMavenHome(): string | undefined {
  const result = spawnSync('mvn', ['--batch-mode', '--version'], { encoding: 'utf8' })
  const version = /Apache Maven (\d[.\w-]*)/.exec(result.error === undefined ? result.stdout : '')?.[1] ?? '0'
  const hasCurrentRule = orderingOf('maven').compare(version, '3.8.7') !== -1
  return hasCurrentRule ? /Maven home: (\S+)/.exec(result.stdout)?.[1] : undefined
}

function readVersions(): string[] {
  const versions = Array.from(
    readFileSync(document, 'utf8').matchAll(/pkg:maven\/[^"@]+@([^"?#]+)/g),
    (match) => decodeURIComponent(match[1] ?? ''),
  )
  return [...new Set(versions)]
}

/** Maven's own class prints `   a < b` for each two neighbours of its arguments. */
function askMaven(versions: readonly string[]): string[] {
  const classPath = join(mavenHome ?? '', 'lib', '*')
  const main = 'org.apache.maven.artifact.versioning.ComparableVersion'
  const { stdout } = spawnSync('java', ['-cp', classPath, main, ...versions], { encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.startsWith('   '))
}

describe('maven', () => {
  it.skipIf(mavenHome === undefined)(`orders real versions as the real tool does${where}`, () => {
    const { compare } = orderingOf('maven')
    const versions = readVersions()
    // Neighbours in several permutations: the order is not transitive, so sorting once would not cover it.
    const list = [1, 7, 31].flatMap((step) =>
      versions.map((_, at) => versions[(at * step) % versions.length] ?? ''),
    )
    const ours = list.slice(1).map((version, index) => {
      const older = list[index] ?? ''
      const sign = ['<', '==', '>'][(compare(older, version) ?? NaN) + 1] ?? 'unordered'
      return `   ${older} ${sign} ${version}`
    })
    expect(versions.length).toBeGreaterThan(100)
    expect(ours).toEqual(askMaven(list))
  })
})
