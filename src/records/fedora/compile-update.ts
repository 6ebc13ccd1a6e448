import type { Severity } from '../../contract/severities.ts'
import { affectedPackage } from '../../identities/affected-package.ts'
import { keyGeneration, versionKey } from '../../versions/ordering.ts'
import { hashOf, type CompiledRange, type CompiledRanges, type CompiledRecord } from '../compiled-record.ts'
import { assertionsOfNotice } from '../cve.ts'
import { readUpdate, type Build, type Update } from './read-update.ts'

/** Raised whenever the same update compiles to other rows than before: what is stored is then replaced when it is read again. */
export const compilerGeneration = 1

const ecosystem = 'Fedora'

const severities = new Map<string, Severity>([
  ['urgent', 'critical'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
])

/**
 * Works out everything that is stored of an update. undefined: it is none of a release of Fedora, or not of security, or has not reached its
 * users. `name` says in messages where it came from. Refuses with `RefusedData`.
 */
export function compileUpdate(value: unknown, name: string): CompiledRecord | undefined {
  const update = readUpdate(value, name)
  if (update === undefined) return undefined
  const document = JSON.stringify(update.kept)
  return {
    id: update.id,
    source: 'fedora',
    class: 'vulnerability',
    summary: update.title,
    // `unspecified`: the vulnerabilities that it fixes say how severe it is
    severity: severities.get(update.severity ?? '') ?? 'unknown',
    score: null,
    vector: null,
    modifiedAt: update.modifiedAt,
    publishedAt: update.publishedAt,
    withdrawnAt: null,
    document,
    ecosystems: [ecosystem],
    decidingHash: decidingHash(update),
    documentHash: hashOf(document),
    assertions: assertionsOfNotice(ecosystem, update),
    ranges: () => rangesOf(update),
  }
}

/** What is built fixes all that was built before it in this release. */
function rangesOf({ release, builds }: Update): CompiledRanges {
  const rows = new Map<string, CompiledRange>()
  for (const build of builds)
    for (const row of rangesOfBuild(release, build)) rows.set(`${row.packageKey} ${row.introduced}`, row)
  const ranges = [...rows.values()]
  return { ranges, unorderedBounds: ranges.filter(({ doubt }) => doubt !== null).length }
}

/** Where the epoch is not known, versions of epoch 0 are below the build, and for those of higher ones it is not known. */
function rangesOfBuild(release: string, { name, version, epoch }: Build): CompiledRange[] {
  const fixed = epoch === null || epoch === 0 ? version : `${epoch}:${version}`
  const subject = affectedPackage(`${ecosystem}:${release}`, name, { fixed })
  // the updates of a module do not say which packages are in it
  if (subject === undefined || subject.stream !== '') return []
  const { packageKey, stream, scheme } = subject
  const upperKey = versionKey(scheme, fixed)
  const place = {
    packageKey,
    release: subject.release,
    stream,
    scheme,
    kind: 'range',
    upperIncluded: false,
  } as const
  const below: CompiledRange = {
    ...place,
    lowerKey: new Uint8Array(0),
    upperKey,
    introduced: '0',
    upperText: fixed,
    doubt: upperKey === null ? 'unordered_bound' : null,
  }
  if (epoch !== null) return [below]
  const introduced = '1:0'
  const higher = { ...below, introduced, lowerKey: versionKey(scheme, introduced), upperKey: null }
  return [below, { ...higher, doubt: 'unordered_bound' }]
}

/** Most edits touch texts alone. */
function decidingHash({ id, release, cves, relatedCves, builds }: Update): string {
  return hashOf(JSON.stringify([compilerGeneration, keyGeneration, id, release, cves, relatedCves, builds]))
}
