import { describe, expect, it } from 'vitest'
import { fitOfCarrier, speaksOfAnother, type BindingProduct, type StatedCarrier } from './bind-carrier.ts'
import { readComponent } from './bind-target.ts'

type Main = { purl?: string; cpe?: string; version?: string }

function product({ purl, cpe, version }: Main, more: Partial<BindingProduct> = {}): BindingProduct {
  const main = readComponent({ purl: purl ?? null, cpe: cpe ?? null, version: version ?? null })
  return { main, version: '1.0', ...more }
}

const pump = product({ purl: 'pkg:generic/acme/pump@1.0', cpe: 'cpe:2.3:a:acme:pump:1.0:*:*:*:*:*:*:*' })
const firmware = product({ cpe: 'cpe:2.3:o:acme:pump_firmware:1.0:*:*:*:*:*:*:*' })

const cases: [StatedCarrier, BindingProduct, ReturnType<typeof fitOfCarrier>][] = [
  [{ purl: 'pkg:generic/acme/pump@1.0' }, pump, 'same'],
  [{ purl: 'pkg:generic/acme/pump@1.0?arch=arm64' }, pump, 'same'],
  [{ purl: 'pkg:generic/acme/pump' }, pump, 'same'],
  [{ purl: 'pkg:generic/acme/pump@2.0' }, pump, 'other_version'],
  [{ purl: 'pkg:generic/acme/pump', version: '2.0' }, pump, 'other_version'],
  [{ purl: 'pkg:generic/acme/fan@1.0' }, pump, 'other_product'],
  [{ purl: 'pkg:generic/other/pump@1.0' }, pump, 'other_product'],
  [{ purl: 'pkg:generic/pump@1.0' }, pump, 'other_product'],
  [{ purl: 'pkg:oci/fan@sha256%3Aab' }, pump, 'incomparable'],
  [{ purl: 'pkg:' }, pump, 'incomparable'],
  [{ cpe: 'cpe:/a:acme:pump:1.0' }, pump, 'same'],
  [{ cpe: 'cpe:/a:acme:pump:2.0' }, pump, 'other_version'],
  [{ cpe: 'cpe:/a:acme:pump' }, pump, 'same'],
  [{ cpe: 'cpe:/a:acme:fan:1.0' }, pump, 'other_product'],
  [{ cpe: 'cpe:/a:rival:pump:1.0' }, pump, 'other_product'],
  [{ cpe: 'cpe:/h:acme:pump' }, pump, 'incomparable'],
  [{ cpe: 'cpe:/o:redhat:enterprise_linux:9' }, pump, 'incomparable'],
  [{ cpe: 'cpe:/o:redhat:enterprise_linux:9' }, firmware, 'incomparable'],
  [{ cpe: 'cpe:/o:acme:pump_firmware:2.0' }, firmware, 'other_version'],
  [{ cpe: 'cpe:2.3:a:*:pump:1.0:*:*:*:*:*:*:*' }, pump, 'incomparable'],
  [{ purl: 'pkg:generic/acme/pump@2.0' }, product({}), 'incomparable'],
  [{ purl: 'pkg:generic/acme/pump@2.0' }, { main: null, version: '1.0' }, 'incomparable'],
  [{ purl: 'pkg:generic/pump@2.0' }, product({ purl: 'pkg:generic/pump' }), 'other_version'],
  [{ purl: 'pkg:generic/pump@1.0' }, product({ purl: 'pkg:generic/pump' }), 'same'],
  [{ purl: 'pkg:generic/pump@1.0' }, product({ purl: 'pkg:generic/pump@1.0.0' }), 'same'],
  [{ purl: 'pkg:generic/pump@2' }, product({ purl: 'pkg:generic/pump' }, { version: null }), 'same'],
  [{ purl: 'pkg:npm/pump@1.0.0' }, product({ purl: 'pkg:npm/pump@v1.0.0' }), 'same'],
  [
    { purl: 'pkg:oci/alpine@3' },
    product({ purl: 'pkg:oci/pump@1.0' }, { operatingSystem: 'Alpine' }),
    'incomparable',
  ],
  [{ purl: 'pkg:oci/debian@12' }, product({ purl: 'pkg:oci/pump@1.0' }), 'incomparable'],
  [{ purl: 'pkg:docker/library/debian@12-slim' }, product({ purl: 'pkg:docker/pump@1.0' }), 'incomparable'],
  [
    { purl: 'pkg:oci/ubi9-minimal@sha256%3Aab' },
    product({ purl: 'pkg:oci/pump@1.0' }, { operatingSystem: 'rhel' }),
    'incomparable',
  ],
  [{ purl: 'pkg:oci/wolfi-base@1' }, product({ purl: 'pkg:oci/pump@1.0' }), 'incomparable'],
  [{ purl: 'pkg:oci/debian-tool@12' }, product({ purl: 'pkg:oci/pump@1.0' }), 'other_product'],
  [{ purl: 'pkg:oci/ubiquity@9' }, product({ purl: 'pkg:oci/pump@1.0' }), 'other_product'],
  [{ purl: 'pkg:oci/debian@11' }, product({ purl: 'pkg:oci/debian@12' }), 'other_version'],
  [{ purl: 'pkg:npm/alpine@1.0.0' }, product({ purl: 'pkg:npm/pump@1.0.0' }), 'other_product'],
  [{ purl: 'pkg:generic/acme/pump@2.0', slot: 'v' }, { ...pump, versionId: 'v' }, 'same'],
  [{ purl: 'pkg:generic/acme/pump@2.0', slot: '' }, { ...pump, versionId: null }, 'same'],
  [{ purl: 'pkg:generic/acme/pump@2.0', slot: 'w' }, { ...pump, versionId: 'v' }, 'other_version'],
]

it.each(cases)('%j', (carrier, of, fit) => {
  expect(fitOfCarrier(carrier, of)).toBe(fit)
})

it('a component of the SBOM is not another product', () => {
  const parts = [readComponent({ purl: 'pkg:npm/middle@3.0.0', cpe: null, version: null })]
  const of = product({ purl: 'pkg:npm/pump@1.0.0' }, { parts })
  expect(fitOfCarrier({ purl: 'pkg:npm/middle@3.0.0' }, of)).toBe('incomparable')
  expect(fitOfCarrier({ purl: 'pkg:npm/middle@4.0.0' }, of)).toBe('other_product')
})

describe('carriers inside each other', () => {
  const [same, other, platform] = [
    { purl: 'pkg:generic/acme/pump@1.0' },
    { purl: 'pkg:generic/acme/fan@1.0' },
    { cpe: 'cpe:/o:redhat:enterprise_linux:9' },
  ]
  it.each([
    [[], false],
    [[platform], false],
    [[other], true],
    [[other, platform], true],
    [[same, platform], false],
    [[other, same], false],
  ])('%j', (carriers, isAnother) => {
    expect(speaksOfAnother(carriers, pump)).toBe(isAnother)
  })
})
