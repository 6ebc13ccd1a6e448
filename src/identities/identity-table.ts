import type { SbomComponent } from '../formats/sbom/document.ts'
import type { ComponentIdentity } from './component-identity.ts'

/** For tests: a component with nothing but a name, and what is given. */
export function thing(fields: Partial<SbomComponent>): SbomComponent {
  return {
    ref: null,
    type: 'library',
    group: null,
    name: 'thing',
    version: null,
    purl: null,
    otherPurls: [],
    cpe: null,
    licence: null,
    supplier: null,
    hashes: [],
    source: null,
    ...fields,
  }
}

/** For tests: `ecosystem | name | version | release | stream | decidability`; `-` for none, `?` for an unknown release. */
export function identityRow({ packageKey, subject, ...identity }: ComponentIdentity): string {
  const [ecosystem = '-', name = subject] = packageKey?.split('\u001f') ?? []
  const { version, release, stream, decidability } = identity
  return [
    ecosystem,
    name,
    version || '-',
    release === null ? '?' : release || '-',
    stream || '-',
    decidability,
  ].join(' | ')
}

/** For tests: one case a line, `rule :: purl => row`. */
export function readTable(text: string): { rule: string; purl: string; expected: string }[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [rule = '', rest = ''] = line.split(' :: ')
    const [purl = '', expected = ''] = rest.split(' => ')
    return { rule, purl, expected }
  })
}
