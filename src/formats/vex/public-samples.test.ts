import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../json/parse.ts'
import { readVex } from './read-vex.ts'
import { countersOf, refusalOf } from './sample-documents.ts'

const samples = '../shared/data/vex'
const without = existsSync(samples) ? '' : ' (skipped: no sample data beside the project)'

describe.skipIf(!existsSync(samples))(`public sample documents${without}`, () => {
  const load = (file: string) => parseJson(readFileSync(join(samples, file)), 'vex')
  const read = (file: string) => readVex(load(file))
  const verdictsOf = (file: string) =>
    read(file).statements.map(({ vulnerabilityIds, verdict }) => `${vulnerabilityIds.join()} ${verdict}`)

  it.each<[file: string, label: string, counters: [number, number, number]]>([
    ['openvex/v0.0.1.json', 'OpenVEX 0.0.1', [1, 0, 0]],
    ['openvex/v001-1.vex.json', 'OpenVEX', [1, 0, 0]],
    ['openvex/v020-1.vex.json', 'OpenVEX 0.2.0', [1, 0, 0]],
    ['openvex/v0.2.0.json', 'OpenVEX 0.2.0', [5, 0, 0]],
    ['csaf/2022-evd-uc-01-a-001.json', 'CSAF 2.0', [1, 0, 1]],
    ['csaf/2022-evd-uc-01-f-001.json', 'CSAF 2.0', [1, 0, 1]],
    ['csaf/2022-evd-uc-01-na-001.json', 'CSAF 2.0', [1, 0, 1]],
    ['csaf/2022-evd-uc-01-ui-001.json', 'CSAF 2.0', [1, 0, 1]],
    ['csaf/2022-evd-uc-03-ms-001.json', 'CSAF 2.0', [19, 0, 19]],
    ['csaf/go-vex-csaf.json', 'CSAF 2.0', [4, 0, 4]],
    ['csaf/rhsa-2020_1358.json', 'CSAF 2.0', [1_474, 0, 1_474]],
    ['cyclonedx/cisa-case-1-vex-affected.json', 'CycloneDX 1.4', [1, 0, 1]],
    ['cyclonedx/cisa-case-1-vex-fixed.json', 'CycloneDX 1.4', [1, 0, 1]],
    ['cyclonedx/cisa-case-1-vex-not_affected.json', 'CycloneDX 1.4', [1, 0, 1]],
    ['cyclonedx/cisa-case-1-vex-under_investigation.json', 'CycloneDX 1.4', [1, 0, 1]],
    ['cyclonedx/cisa-case-3.json', 'CycloneDX 1.4', [19, 0, 19]],
    ['cyclonedx/use-case-5.json', 'CycloneDX 1.4', [2, 0, 2]],
    ['cyclonedx/use-case-6/vex.json', 'CycloneDX 1.4', [1, 0, 1]],
  ])('%s: %s with %j statements, findings, unbound', (file, label, counters) => {
    const document = read(file)
    expect(document.formatLabel).toBe(label)
    expect(countersOf(document)).toEqual(counters)
  })

  it.each([
    ['a', 'affected'],
    ['f', 'fixed'],
    ['na', 'not_affected'],
    ['ui', 'under_investigation'],
  ])('CISA case 1, %s: CSAF and CycloneDX say the same', (letter, name) => {
    const csaf = verdictsOf(`csaf/2022-evd-uc-01-${letter}-001.json`)
    expect(csaf).toEqual([`CVE-2021-44228 ${name}`])
    expect(verdictsOf(`cyclonedx/cisa-case-1-vex-${name}.json`)).toEqual(csaf)
  })

  it('CISA case 3: CSAF and CycloneDX say the same', () => {
    const csaf = verdictsOf('csaf/2022-evd-uc-03-ms-001.json')
    expect(verdictsOf('cyclonedx/cisa-case-3.json')).toEqual(csaf)
    const counted = (verdict: string) => csaf.filter((line) => line.endsWith(` ${verdict}`)).length
    expect(['under_investigation', 'not_affected', 'affected', 'fixed'].map(counted)).toEqual([5, 6, 5, 3])
  })

  it('OpenVEX binds through subcomponents, the image is the carrier', () => {
    const carrier = {
      purl: 'pkg:oci/alpine@sha256%3A124c7d2707904eea7431fffe91522a01e5a861a624ee31d03372cc1d138a3126',
    }
    expect(read('openvex/v0.2.0.json').statements.at(-1)).toEqual({
      pointer: '/statements/4',
      vulnerabilityIds: ['CVE-2023-3817'],
      verdict: 'not_affected',
      rawStatus: 'not_affected',
      justification: 'vulnerable_code_not_present',
      rawJustification: 'vulnerable_code_not_present',
      impact: 'affected functions were removed before packaging',
      time: '2023-07-18T00:28:47.696Z',
      targets: [
        { kind: 'component', purl: 'pkg:apk/alpine/libssl3@3.0.8-r3', carriers: [carrier] },
        { kind: 'component', purl: 'pkg:apk/alpine/libcrypto3@3.0.8-r3', carriers: [carrier] },
      ],
      productLabel: carrier.purl,
    })
  })

  it('references into other documents wait unbound for their SBOMs', () => {
    const [statement] = read('cyclonedx/use-case-6/vex.json').statements
    expect(statement).toMatchObject({
      unboundReason: 'unknown_reference',
      targets: [
        { bomLink: { serialNumber: '2c385cf7-e1ee-46e9-a51c-13de1ecb380a', ref: 'acme-product-1' } },
        { bomLink: { serialNumber: '6ffac0b2-5246-4fb9-a6fe-7993041856a0', ref: 'acme-product-2' } },
        { bomLink: { serialNumber: '240b5b0b-917d-4f48-816c-97e1944d8079', ref: 'acme-product-3' } },
      ],
    })
  })

  it('a platform CPE binds nothing', () => {
    const { statements } = read('csaf/rhsa-2020_1358.json')
    expect(new Set(statements.map(({ unboundReason }) => unboundReason))).toEqual(new Set(['no_identifier']))
  })

  it('an id that is defined twice and an unreadable purl are hints; it binds nothing', () => {
    const { statements, hints } = read('csaf/go-vex-csaf.json')
    expect(statements.map(({ unboundReason }) => unboundReason ?? 'bound')).toEqual([
      'unreadable_identifier',
      'unknown_reference',
      'unreadable_identifier',
      'unknown_reference',
    ])
    expect(hints.join(' ')).toMatch(/Package URLs that cannot be read/)
  })

  it('a security advisory is no VEX document', () => {
    expect(refusalOf(load('not-accepted/bsi-2022-0001.json'))).toBe(
      'unsupported_vex CSAF 2.0 with the category csaf_security_advisory',
    )
  })
})
