import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleComponent } from '../test/support/sample-sbom.ts'
import type { Laboratory } from './laboratory.ts'

type Stretch = { first: number; count: number; every: number }

/** Imports a record on every so-maniest of the sample components of these numbers, so that their SBOMs have findings. */
export async function importFindings(
  { service, folder }: Pick<Laboratory, 'service' | 'folder'>,
  { first, count, every }: Stretch,
): Promise<void> {
  const lines: string[] = []
  for (let number = first; number < first + count; number += every)
    lines.push(JSON.stringify(recordOf(number)))
  const file = join(folder, `records-${first}.ndjson`)
  await writeFile(file, lines.join('\n'))
  await service.cli(['vulnerabilities', 'import', file])
}

function recordOf(number: number): unknown {
  const { name, version } = sampleComponent(number)
  return {
    schema_version: '1.6.0',
    id: `GHSA-bench-${number}`,
    modified: '2026-01-01T00:00:00Z',
    aliases: [`CVE-2024-${1_000_000 + number}`],
    summary: 'Generated',
    affected: [{ package: { ecosystem: 'npm', name }, versions: [version] }],
  }
}
