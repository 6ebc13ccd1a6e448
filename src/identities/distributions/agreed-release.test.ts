import { describe, expect, it } from 'vitest'
import { identify } from '../identify.ts'
import { surroundingsIn } from '../surroundings.ts'
import { thing } from '../identity-table.ts'

/** What becomes of `pkg:deb/debian/bash@5.2.15-2` in a document with this operating system and these further packages. */
function placeOf(name: string, version: string | null, purls: string[]): string {
  const bash = thing({ purl: 'pkg:deb/debian/bash@5.2.15-2' })
  const components = [bash, ...purls.map((purl) => thing({ purl }))]
  const found = identify(bash, surroundingsIn({ operatingSystem: { name, version }, main: null, components }))
  return `${found.release ?? '-'} ${found.decidability}`
}

const sed = 'pkg:deb/debian/sed@4.9-1'

describe('the release of a package that names none, where the operating system of the document names none', () => {
  it.each<[string, string[], string]>([
    ['is the one that other packages name', [`${sed}?distro=bookworm`], '12 covered'],
    ['in any spelling', [`${sed}?distro=bookworm`, `${sed}?arch=all&distro=debian-12.5`], '12 covered'],
    [
      'is unknown where they name several',
      [`${sed}?distro=bookworm`, `${sed}?distro=trixie`],
      '- release_unknown',
    ],
    ['is unknown where none names one', [sed], '- release_unknown'],
    ['is none of another distribution', ['pkg:deb/ubuntu/sed@4.9-1?distro=jammy'], '- release_unknown'],
    [
      'is none of another kind of package',
      ['pkg:generic/debian/sed@4.9-1?distro=bookworm'],
      '- release_unknown',
    ],
  ])('%s', (_rule, purls, expected) => {
    expect(placeOf('Debian', null, purls)).toBe(expected)
  })

  it('is the one of the operating system where that names one', () => {
    expect(placeOf('Debian', '11', [`${sed}?distro=bookworm`])).toBe('11 covered')
    expect(placeOf('Debian 11', null, [`${sed}?distro=bookworm`])).toBe('11 covered')
  })

  it('is unknown where the document is about another distribution', () => {
    expect(placeOf('Alpine', null, [`${sed}?distro=bookworm`])).toBe('- release_unknown')
  })
})
