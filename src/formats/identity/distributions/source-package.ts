import type { Purl } from '../../purl/purl.ts'
import type { SbomComponent } from '../../sbom/document.ts'

/** The source an operating-system package was built from, as far as the SBOM says. */
export type SourcePackage = {
  name: string
  /** null when it is the version of the built package. */
  version: string | null
  epoch: string | null
}

/**
 * From the purl's `upstream` (Syft: `util-linux@2.36.1-8`, `bind-9.11.36-5.el8.src.rpm`), else from what the generator
 * recorded beside the purl; null when neither says, and the package then stands for its source.
 */
export function sourceOf(purl: Purl, component: SbomComponent): SourcePackage | null {
  const upstream = purl.qualifiers.get('upstream')
  if (upstream !== undefined) return readUpstream(upstream)
  const { source } = component
  if (source === null || source.name.trim() === '') return null
  const read = readUpstream(source.name)
  return {
    name: read.name,
    version: source.version?.trim() ?? read.version,
    epoch: source.epoch ?? read.epoch,
  }
}

function readUpstream(text: string): SourcePackage {
  const trimmed = text.trim()
  if (trimmed.endsWith('.rpm')) return readSourceRpm(trimmed)
  const at = trimmed.lastIndexOf('@')
  if (at < 1) return { name: trimmed, version: null, epoch: null }
  return { name: trimmed.slice(0, at), version: trimmed.slice(at + 1) || null, epoch: null }
}

/** `name-version-release.src.rpm`; the file name has no epoch, though some tools put one in front. */
function readSourceRpm(file: string): SourcePackage {
  const [, epoch, stem = ''] = /^(?:(\d{1,10}):)?(.*?)(?:[.-](?:no)?src)?\.rpm$/.exec(file) ?? []
  const release = stem.lastIndexOf('-')
  const version = stem.lastIndexOf('-', release - 1)
  if (version < 1) return { name: stem, version: null, epoch: epoch ?? null }
  return { name: stem.slice(0, version), version: stem.slice(version + 1), epoch: epoch ?? null }
}
