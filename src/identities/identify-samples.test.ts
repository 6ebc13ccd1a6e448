import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSbom } from '../formats/sbom/read-sbom.ts'
import type { ComponentIdentity } from './component-identity.ts'
import { identify } from './identify.ts'
import { surroundingsIn } from './surroundings.ts'

const samples = '../shared/data/sbom'

/** File => components by decidability: covered, not covered, no version, uncomparable, release unknown, and those that need a record's word. */
const expected = `
containers/spdx-bom-bitnami_node.spdx.json => 0 3 0 0 112 54
containers/spdx-syft-bitnami_node-exporter.spdx.json => 191 0 0 0 0 0
containers/spdx-syft-bitnami_postgresql-repmgr.spdx.json => 115 0 1 0 0 0
containers/spdx-syft-bitnami_wordpress.spdx.json => 242 0 2 0 0 0
containers/spdx-syft-continuumio_miniconda3.spdx.json => 188 0 0 0 0 0
containers/spdx-syft-grafana_agent-operator.spdx.json => 220 0 0 0 0 0
containers/spdx-syft-grafana_grafana.spdx.json => 568 0 0 0 0 0
containers/spdx-syft-hashicorp_tfc-agent.spdx.json => 274 0 2 0 0 0
containers/spdx-syft-percona_percona-server-mongodb.spdx.json => 329 5 8 0 0 0
containers/spdx-trivy-bitnami_node-exporter.spdx.json => 144 4 0 0 0 0
cyclonedx/ascii-boxes-sbom-cdx.json => 0 2 0 0 0 0
cyclonedx/certificate-cbom-1.6.json => 0 4 0 0 0 0
cyclonedx/harp-darwin-amd64.sbom.json => 814 0 0 0 0 0
cyclonedx/juice-shop-1.4.json => 1115 0 0 0 0 0
cyclonedx/juice-shop-nested-1.4.json => 1115 0 0 0 0 0
cyclonedx/keycloak-java-1.4.json => 903 1 0 0 0 0
cyclonedx/laravel-1.4.json => 62 0 0 0 0 0
cyclonedx/redis-commander-sbom-cdx.json => 514 0 0 0 0 0
spdx/acme-2.3.spdx.json => 1 2 0 0 1 0
spdx/chronicle-sbom.spdx.json => 575 0 0 0 0 0
spdx/examplemaven-2.3.spdx.json => 0 6 0 0 0 0
spdx/flux_0.26.3_sbom.spdx.json => 244 0 0 0 0 0
spdx/grype-sbom.spdx.json => 1159 0 0 0 1 0
spdx/hello-src-2.2.spdx.json => 0 1 0 0 0 0
spdx/julia.spdx.json => 0 5 28 0 0 1
spdx/powershell.spdx.json => 330 1 0 0 0 0
`

const order = ['covered', 'not_covered', 'no_version', 'uncomparable', 'release_unknown', 'source_lost']

/** Data decide about a package whose source is lost, and about a repository, only where a record names it. */
function stateOf({ decidability, packageKey, subject }: ComponentIdentity): string {
  return decidability === 'covered' && packageKey !== null && subject !== '' ? 'source_lost' : decidability
}
const cases = expected.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' => ')]))

function identitiesOf(file: string): ComponentIdentity[] {
  const document = readSbom(readFileSync(`${samples}/${file}`))
  const surroundings = surroundingsIn(document)
  return document.components.map((component) => identify(component, surroundings))
}

describe('public SBOMs, how much of them vulnerability data can decide (skipped where ../shared/data is absent)', () => {
  it.skipIf(!existsSync(samples)).each(cases)('%s: %s', (file = '', counts = '') => {
    const identities = identitiesOf(file)
    const byState = Map.groupBy(identities, stateOf)
    expect(order.map((state) => byState.get(state)?.length ?? 0).join(' ')).toBe(counts)
  })

  it.skipIf(!existsSync(samples))('says why wherever it cannot decide', () => {
    const identities = cases.flatMap(([file = '']) => {
      return identitiesOf(file)
    })
    expect(identities.length).toBeGreaterThan(9000)
    for (const { decidability, reason, packageKey, subject, ecosystem } of identities) {
      expect(reason === null).toBe(decidability === 'covered')
      expect(packageKey === null).toBe(ecosystem === null)
      if (packageKey === null) expect(subject).not.toBe('')
    }
  })
})
