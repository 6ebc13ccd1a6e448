import type { Purl } from '../../formats/purl/purl.ts'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { reasonOfRebuild } from '../rebuilt.ts'
import { builders, ownDistributions, packagers, type Builders } from './builders.ts'
import type { Distribution } from './distributions.ts'
import { enterpriseLinuxRelease, hintedRelease } from './release-hints.ts'

/**
 * Why a package that is installed on a distribution is not compared with its records: somebody else built it, whose packages tools list under the name of the
 * distribution, or it was built for another release. Its records do not speak of them, and their versions count otherwise than its fixes. null: nothing else is known.
 */
export function reasonOfOtherBuilder(purl: Purl, component: SbomComponent, built: BuiltFor): string | null {
  const reason = reasonOfRebuild(purl, built.version)
  if (reason !== null || (purl.type !== 'deb' && purl.type !== 'rpm')) return reason
  const builder = builderOf(purl, component, built)
  return builder === undefined
    ? (reasonOfOtherRelease(built) ?? (purl.type === 'rpm' ? reasonOfOtherFamily(built) : null))
    : `${builder} built this package, and the records of ${built.distribution.title} do not speak of it.`
}

type BuiltFor = { version: string; distribution: Distribution; release: string | null }

/** Distributions that build all of their packages for each release, and write it into their versions. */
const builtForEach = new Set(['redhat', 'almalinux', 'rocky', 'oracle', 'amazon'])

function reasonOfOtherRelease({ version, distribution, release }: BuiltFor): string | null {
  const told = builtForEach.has(distribution.id) ? hintedRelease(distribution, version) : null
  if (told === null || release === null || told === release) return null
  return `The package was built for ${distribution.title} ${told}, and the system is of release ${release}, whose records do not speak of it.`
}

const enterpriseLinuxes = new Set(['redhat', 'centos', 'almalinux', 'rocky', 'oracle'])

/** `.el9` on Fedora or Amazon Linux: of EPEL, mostly. Some distributions leave the mark of where they took a package from before their own. */
function reasonOfOtherFamily({ version, distribution }: BuiltFor): string | null {
  const release = enterpriseLinuxes.has(distribution.id) ? null : enterpriseLinuxRelease(version)
  if (release === null || hintedRelease(distribution, version) !== null) return null
  return `The package was built for Enterprise Linux ${release}, and the records of ${distribution.title} do not speak of it.`
}

function builderOf(
  { type, name, qualifiers }: Purl,
  { supplier, origin }: SbomComponent,
  { version, distribution, release }: BuiltFor,
): string | undefined {
  const repositories = ['repository_url', 'repository_id', 'download_url'].map((key) => qualifiers.get(key))
  // Kubernetes has its own packages of kubectl and the like, and so have some distributions
  const isOfKubernetes =
    /^kube(?:adm|ctl|let)$|^kubernetes-cni$/.test(name) && /^\d[\d.]*-[\d.]+$/.test(version)
  const places = [distribution.id, `${distribution.id} ${release ?? ''}`]
  const isOther = (who: string) => !places.includes(ownDistributions.get(who) ?? '')
  const found =
    toldBy(builders.versions, [version], isOther) ??
    toldBy(builders.names, [name], isOther) ??
    (type === 'rpm' ? toldBy(builders.rpmNames, [name], isOther) : undefined) ??
    toldBy(builders.suppliers, lowered([supplier]), isOther) ??
    toldBy(builders.places, lowered(repositories), isOther) ??
    toldByOrigin(origin, isOther)
  return found ?? (isOfKubernetes ? 'The Kubernetes project' : undefined)
}

/** The first who may have built it and whose sign is in one of the texts. */
function toldBy(
  { signs, any }: Builders,
  texts: readonly string[],
  mayBe: (who: string) => boolean,
): string | undefined {
  if (!texts.some((text) => any.test(text))) return undefined
  return signs.find(([who, sign]) => texts.some((text) => sign.test(text)) && mayBe(who))?.[0]
}

/** The homepage of an author is no sign of who built it. */
function toldByOrigin(origin: string | undefined, mayBe: (who: string) => boolean): string | undefined {
  if (origin === undefined) return undefined
  const text = origin.toLowerCase()
  return (
    toldBy(builders.suppliers, [text], (who) => packagers.has(who) && mayBe(who)) ??
    toldBy(builders.places, text.split('\n'), mayBe)
  )
}

function lowered(texts: readonly (string | null | undefined)[]): string[] {
  return texts.flatMap((text) => text?.toLowerCase() ?? [])
}

/** Who the document says to have built a package, beside its supplier, version and name; null: nobody who is known here. */
export function builderByOrigin({ origin }: SbomComponent): string | null {
  return toldByOrigin(origin, () => true) ?? null
}
