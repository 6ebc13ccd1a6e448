import { amazonLinux1 } from './amazon-linux-1.ts'
import { amazonLinux } from './amazon-linux.ts'
import { cveList } from './cve-list.ts'
import { epss } from './epss.ts'
import { eukev } from './eukev.ts'
import { euvdMapping } from './euvd-mapping.ts'
import { euvdScores } from './euvd-scores.ts'
import { euvd } from './euvd.ts'
import { fedora } from './fedora.ts'
import { kev } from './kev.ts'
import { nvdOverrides } from './nvd-overrides.ts'
import { nvd } from './nvd.ts'
import { oracleLinux } from './oracle-linux.ts'
import { osv, osvRecords } from './osv.ts'
import { redHatVex } from './redhat-vex.ts'
import type { Feed, RecordKind, Source } from './source.ts'
import { vulnrichment } from './vulnrichment.ts'

/**
 * Every source of vulnerability data, and the only list of them: configuration, command line, schedule, import, metrics and pages read it.
 * Those that only score CVEs take precedence in this order (docs/decisions/0006-severities.md), and a file belongs to the first source
 * that recognises it.
 */
export const sources: readonly Source[] = [
  osv,
  amazonLinux,
  amazonLinux1,
  oracleLinux,
  kev,
  eukev,
  euvd,
  euvdMapping,
  epss,
  nvd,
  nvdOverrides,
  cveList,
  vulnrichment,
  euvdScores,
  fedora,
  redHatVex,
]

/** Sources that are asked by themselves. */
export const fetchedSources: readonly (Source & { feed: Feed })[] = sources.flatMap((source) =>
  source.feed === undefined ? [] : [{ ...source, feed: source.feed }],
)

/** What the configuration reads of a source. */
export const configuredSources = fetchedSources.map(({ id, feed: { variable, address } }) => ({
  id,
  variable,
  address,
}))

/** Documents that no source knows are read, and refused, as OSV records. */
export const anySource: RecordKind = osvRecords

export function sourceOf(id: string): Source | undefined {
  return sources.find((source) => source.id === id)
}
