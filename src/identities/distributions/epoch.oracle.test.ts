import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { orderingOf } from '../../versions/ordering.ts'
import { identify } from '../identify.ts'
import { noSurroundings } from '../surroundings.ts'
import { thing } from '../identity-table.ts'

/** The component's own version and its purl, and the version that both mean. */
const debian: [version: string | null, purl: string, meant: string][] = [
  ['1:2.0-1', 'pkg:deb/debian/pump@2.0-1?distro=debian-12', '1:2.0-1'],
  ['1:2.0-1', 'pkg:deb/debian/pump@1%3A2.0-1?distro=debian-12', '1:2.0-1'],
  ['2.0-1', 'pkg:deb/debian/pump@1%3A2.0-1?distro=debian-12', '1:2.0-1'],
  ['2.0-1', 'pkg:deb/debian/pump@2.0-1?distro=debian-12&epoch=1', '1:2.0-1'],
  ['0:2.0-1', 'pkg:deb/debian/pump@2.0-1?distro=debian-12', '2.0-1'],
  ['2.0-1', 'pkg:deb/debian/pump@0%3A2.0-1?distro=debian-12', '2.0-1'],
  ['2:2.0-1', 'pkg:deb/debian/pump?distro=debian-12', '2:2.0-1'],
  // of another version the epoch says nothing
  ['1:3.0-1', 'pkg:deb/debian/pump@2.0-1?distro=debian-12', '2.0-1'],
  [null, 'pkg:deb/debian/pump@2.0-1?distro=debian-12', '2.0-1'],
  ['3:9.1.0496-1', 'pkg:deb/ubuntu/pump@9.1.0496-1?distro=ubuntu-22.04', '3:9.1.0496-1'],
]

const rpm: typeof debian = [
  ['1:3.0.7-27.el9', 'pkg:rpm/redhat/pump@3.0.7-27.el9?distro=rhel-9', '1:3.0.7-27.el9'],
  ['3.0.7-27.el9', 'pkg:rpm/redhat/pump@3.0.7-27.el9?distro=rhel-9&epoch=1', '1:3.0.7-27.el9'],
  ['1:3.0.7-27.el9', 'pkg:rpm/redhat/pump@3.0.7-27.el9?distro=rhel-9&epoch=1', '1:3.0.7-27.el9'],
  ['0:3.0.7-27.el9', 'pkg:rpm/redhat/pump@3.0.7-27.el9?distro=rhel-9', '3.0.7-27.el9'],
  ['1:3.0.8-1.el9', 'pkg:rpm/redhat/pump@3.0.7-27.el9?distro=rhel-9', '3.0.7-27.el9'],
  ['1:3.0.7-27.el9', 'pkg:rpm/almalinux/pump@3.0.7-27.el9?distro=almalinux-9', '1:3.0.7-27.el9'],
]

const meantBy = (version: string | null, purl: string) =>
  identify(thing({ version, purl }), noSurroundings).version

it.each([...debian, ...rpm])('version %s and %s mean %s', (version, purl, meant) => {
  expect(meantBy(version, purl)).toBe(meant)
})

const hasDpkg = spawnSync('dpkg', ['--version']).status === 0
const hasRpm = spawnSync('rpm', ['--version']).status === 0

/** Both read the pairs as lines, two a pair: one process for all. */
const scripts = {
  dpkg: `while read -r a; do read -r b; is() { dpkg --compare-versions "$a" "$1" "$b"; }
    if is lt; then echo -1; elif is gt; then echo 1; else echo 0; fi; done`,
  rpm: `rpm --eval '%{lua:for a in io.lines() do print(rpm.vercmp(a, io.read()) .. " ") end}'`,
}

function ask(scheme: keyof typeof scripts, pairs: readonly (readonly [string, string])[]): number[] {
  const input = pairs.map(([a, b]) => `${a}\n${b}\n`).join('')
  const { stdout } = spawnSync('sh', ['-c', scripts[scheme]], { input, encoding: 'utf8' })
  return stdout.trim().split(/\s+/).map(Number)
}

describe.each([
  { scheme: 'dpkg', cases: debian, isThere: hasDpkg },
  { scheme: 'rpm', cases: rpm, isThere: hasRpm },
] as const)('$scheme', ({ scheme, cases, isThere }) => {
  const note = isThere ? '' : ` (skipped: needs ${scheme})`
  it.skipIf(!isThere)(`orders what they mean as the real tool orders it${note}`, () => {
    const { compare } = orderingOf(scheme)
    const versions = [...new Set(cases.map(([, , meant]) => meant))].flatMap((one) => [one, `0:${one}`])
    const readable = versions.filter((version) => version.indexOf(':') === version.lastIndexOf(':'))
    const pairs = readable.flatMap((one) => readable.map((other) => [one, other] as const))
    const theirs = ask(scheme, pairs)
    const wrong = pairs.filter(([one, other], at) => compare(one, other) !== theirs[at])
    expect(wrong).toEqual([])
  })
})
