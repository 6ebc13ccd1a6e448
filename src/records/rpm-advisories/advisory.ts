import { cleanText } from '../../formats/json/clean.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { isCveId } from '../cve.ts'

/**
 * A distribution's notice on its own RPM packages, as returned by `read…` of its source. It is also the stored document, so its field names
 * must not change.
 */
export type RpmAdvisory = {
  id: string
  /** As in the table of ecosystems, with the release: `Amazon Linux:2023`. */
  platforms: RpmPlatform[]
  title: string
  /** The distribution's own word. */
  severity: string
  /** CVSS vectors of its CVEs, where the notice gives them. */
  vectors: string[]
  issued: string | null
  updated: string | null
  cves: string[]
  references: { type: 'ADVISORY' | 'WEB'; url: string }[]
}

export type RpmPlatform = { ecosystem: string; fixes: RpmFix[] }

/** A package and the version in which it is fixed: every lower one is affected. */
export type RpmFix = {
  name: string
  /** `epoch:version-release`, without an epoch of 0. */
  fixed: string
  /** Versions below it belong to another line of builds, which the notice does not cover. */
  from?: string
  /** `nodejs:18`, where the notice is about a stream of a module. */
  module?: string
  /** The package may come from another repository with builds of the same name. */
  isOfRepository?: true
}

/** Far above every real notice: that of a kernel has some hundred packages. */
const maxFixes = 20_000
const maxCves = 5_000

/** Cleans a notice for the store. Refuses (`RefusedData`) what is larger than any real one, or has no usable id. */
export function checkedAdvisory(advisory: RpmAdvisory, idForm: RegExp): RpmAdvisory {
  const { id, platforms, title, cves, references } = advisory
  if (id.length > 100 || !idForm.test(id))
    throw new RefusedData(`expected the id of an advisory, found "${cleanText(id, 60)}"`)
  const fixes = platforms.reduce((sum, platform) => sum + platform.fixes.length, 0)
  if (fixes > maxFixes || cves.length > maxCves)
    throw new RefusedData(`${id}: names more than ${maxFixes} packages or ${maxCves} CVEs`)
  return {
    ...advisory,
    title: cleanText(title, 300),
    cves: [...new Set(cves.filter(isCveId))].sort(),
    references: references.filter(({ url }) => /^https?:\/\/\S{1,500}$/.test(url)).slice(0, 500),
  }
}
