/** Statement `number` of a generated document: a vulnerability of its own on the component of the same number. */
export type Statement = { cve: string; purl: string }

type Generator = (statements: readonly Statement[]) => unknown

const time = '2026-01-01T00:00:00Z'

/** Documents of many statements, each saying `not_affected` of one component. */
export const vexDocuments: Record<'openvex' | 'csaf' | 'cyclonedx', Generator> = {
  openvex: (statements) => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/vex/bench',
    author: 'Bench',
    timestamp: time,
    version: 1,
    statements: statements.map(({ cve, purl }) => ({
      vulnerability: { name: cve },
      products: [{ '@id': purl }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
    })),
  }),
  csaf: (statements) => ({
    document: {
      category: 'csaf_vex',
      csaf_version: '2.0',
      title: 'Bench',
      publisher: { category: 'vendor', name: 'Bench', namespace: 'https://example.com' },
      tracking: {
        id: 'BENCH-1',
        status: 'final',
        version: '1.0.0',
        initial_release_date: time,
        current_release_date: time,
        revision_history: [{ date: time, number: '1.0.0', summary: 'First' }],
      },
    },
    product_tree: {
      full_product_names: statements.map(({ purl }, number) => ({
        product_id: `P${number}`,
        name: purl,
        product_identification_helper: { purl },
      })),
    },
    vulnerabilities: statements.map(({ cve }, number) => ({
      cve,
      product_status: { known_not_affected: [`P${number}`] },
      flags: [{ label: 'vulnerable_code_not_in_execute_path', product_ids: [`P${number}`] }],
    })),
  }),
  cyclonedx: (statements) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    vulnerabilities: statements.map(({ cve, purl }) => ({
      id: cve,
      analysis: { state: 'not_affected', justification: 'code_not_reachable' },
      affects: [{ ref: purl }],
    })),
  }),
}
