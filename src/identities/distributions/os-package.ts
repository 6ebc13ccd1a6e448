import type { Purl } from '../../formats/purl/purl.ts'
import type { OperatingSystem, SbomComponent } from '../../formats/sbom/document.ts'
import type { Distribution } from './distributions.ts'
import { systemOf, systemPurlTypes, type Ecosystem, type System } from '../ecosystems.ts'
import { likelyOrigin } from './likely-origin.ts'
import { epochOf, foldEpoch, withoutEpoch } from './epoch.ts'
import { purlSubject, type NamedPackage, type PackageReading } from '../package-reading.ts'
import { hintedRelease } from './release-hints.ts'
import { distributionOf, readRelease, type DistributionRelease } from './releases.ts'
import {
  builtFromSigned,
  hasLostSource,
  isSourceArchitecture,
  rebuilt,
  signedSource,
  sourceOf,
  type SourcePackage,
} from './source-package.ts'
import { reasonOfOtherBuilder } from './other-builders.ts'
import { statedVersion } from '../../formats/stated-version.ts'
import type { Surroundings } from '../surroundings.ts'
import {
  extendedSupport,
  fedoraModule,
  moduleOfLabel,
  streamOfArchitecture,
  streamOfVersion,
  unknownEpoch,
} from './streams.ts'

type Built = { purl: Purl; component: SbomComponent; ecosystem: Ecosystem; system: System }

/**
 * The distribution's package behind a deb, rpm or apk purl, named and versioned as that distribution's advisories do:
 * by source where they go by source, in the release it belongs to. undefined for other types.
 */
export function readOsPackage(
  stated: Purl,
  component: SbomComponent,
  { operatingSystem, kindsWithSources }: Surroundings,
): PackageReading | undefined {
  if (!systemPurlTypes.has(stated.type)) return undefined
  const purl = withoutArchitecture(stated)
  const own = foldEpoch(statedVersion(purl.version ?? component.version), epochBeside(purl, component))
  const { distribution, release } = hinted(distributionReleaseOf(purl, operatingSystem), own)
  const ecosystem = ecosystemOf(purl, { distribution, release })
  const system = ecosystem?.system ?? null
  if (distribution === null || ecosystem === undefined || system === null)
    return notCovered(purl, distribution, own)
  const otherwise = reasonOfOtherBuilder(purl, component, { version: own, distribution, release })
  if (otherwise !== null) return notCovered(purl, distribution, own, otherwise)

  const built: Built = { purl, component, ecosystem, system }
  const isLost = system.namedBy === 'source' && hasLostSource(purl, component, kindsWithSources)
  const subject = isLost ? purlSubject(purl, distribution.id) : ''
  const isOriginStated = kindsWithSources.has(purl.type) || sourceOf(purl, component) !== null
  return packageOf(built, { own, release, subject, isOriginStated })
}

/** `libc6:amd64`, as dpkg lists what is installed for several architectures; no name has a colon. */
function withoutArchitecture(purl: Purl): Purl {
  return purl.type === 'deb' && purl.name.includes(':')
    ? { ...purl, name: purl.name.replace(/:[a-z\d-]+$/, '') }
    : purl
}

function hinted({ distribution, release }: DistributionRelease, version: string): DistributionRelease {
  const hint = distribution === null ? null : hintedRelease(distribution, version)
  return { distribution, release: release ?? hint }
}

function ecosystemOf({ type }: Purl, { distribution, release }: DistributionRelease): Ecosystem | undefined {
  return distribution === null ? undefined : systemOf(type, { distribution: distribution.id, release })
}

type Facts = { own: string; release: string | null; subject: string; isOriginStated: boolean }

function packageOf(built: Built, { own, release, subject, isOriginStated }: Facts): PackageReading {
  const { purl, ecosystem, system } = built
  const place = { ecosystem, release, needsRecord: subject !== '', basis: 'purl' as const }
  const installed = { name: purl.name, version: own, stream: streamOf(built, own) }
  const isBySource = system.namedBy === 'source'
  const { version, ...named } = isBySource ? fromSource(built, own, installed.stream) : installed
  return {
    kind: 'package',
    named: { ...place, ...named, version: system.epochs === 'absent' ? withoutEpoch(version) : version },
    origin: originBeside(built, { ...place, ...installed }, isOriginStated),
    subject,
    mayUseCpe: false,
    mayBeBuilt: isOwnSource(built, subject),
  }
}

/** Assumed because its document states sources of other packages; Ubuntu's records tell what each source is built into. */
function isOwnSource({ purl, component, ecosystem }: Built, subject: string): boolean {
  const isSource = isSourceArchitecture(purl) || signedSource(purl.name) !== null
  return ecosystem.name === 'Ubuntu' && subject === '' && sourceOf(purl, component) === null && !isSource
}

function originBeside(built: Built, own: NamedPackage, isOriginStated: boolean): NamedPackage | null {
  const stated = built.system.namedBy === 'either' ? originOf(built, own) : signedOriginOf(built, own)
  return stated ?? (isOriginStated ? null : likelyOriginOf(built, own))
}

/** Packages of one origin have its version, except rpm packages with a version of their own (`perl-threads` of `perl`). */
function originOf({ purl, component }: Built, own: NamedPackage): NamedPackage | null {
  const source = sourceOf(purl, component)
  if (source === null || source.name === own.name) return null
  const stated = purl.type === 'rpm' ? statedVersion(source.version) : ''
  const version = stated === '' || stated === withoutEpoch(own.version) ? own.version : stated
  return { ...own, name: source.name, version }
}

/** Ubuntu's records speak of the source with the signature as well, by its own version. */
function signedOriginOf({ purl, component }: Built, own: NamedPackage): NamedPackage | null {
  const source = sourceOf(purl, component)
  const name = source?.name ?? own.name
  if (purl.type !== 'deb' || signedSource(name) === null) return null
  return { ...own, name, version: statedVersion(source?.version ?? null) || own.version }
}

/** For Alpine and Photon OS, whose records name origins, where the document states none at all: guessed from the name, which gives only possible matches. */
function likelyOriginOf({ purl, ecosystem, system }: Built, own: NamedPackage): NamedPackage | null {
  const isByOrigin =
    (ecosystem.scheme === 'apk' && system.namedBy === 'source') || ecosystem.name === 'Photon OS'
  if (!isByOrigin) return null
  const name = likelyOrigin(purl.name)
  return name === null ? null : { ...own, name, basis: 'name' }
}

function notCovered(
  purl: Purl,
  distribution: Distribution | null,
  version: string,
  reason = distribution === null
    ? 'The distribution of this package is not known, or there is no vulnerability data on it.'
    : `There is no vulnerability data on ${purl.type} packages of ${distribution.title}.`,
): PackageReading {
  return {
    kind: 'not_covered',
    reason,
    subject: purlSubject(purl, distribution?.id ?? purl.namespace),
    version,
    // A CPE names the upstream product, whose version says nothing about the fixes a distribution carried back.
    mayUseCpe: false,
  }
}

/**
 * Distribution and release of a package: purl namespace and `distro` first, then the operating system of the SBOM.
 * A text about another distribution says nothing about this package, except among distributions of one vendor, which
 * tools put into each other's namespace.
 */
function distributionReleaseOf(purl: Purl, operatingSystem: OperatingSystem | null): DistributionRelease {
  const namespace = namespaceOf(purl)
  const named = namespace === null ? null : distributionOf(namespace)
  if (namespace !== null && named === null) return { distribution: null, release: null }

  const stated = [
    ...distroTexts(purl).map((text) => readRelease(text, named)),
    // `opensuse-tumbleweed` is a release itself
    ...[readRelease(namespace ?? '', null)].filter(({ release }) => release !== null),
    releaseOfSystem(operatingSystem),
  ]
  const fitting = stated.filter(({ distribution }) => named === null || distribution?.vendor === named.vendor)
  const distribution = fitting.find((one) => one.distribution !== null)?.distribution ?? named
  if (distribution?.numbering === 'rolling') return { distribution, release: '' }
  const known = fitting.find((one) => one.distribution === distribution && one.release !== null)
  return { distribution, release: known?.release ?? null }
}

/** `distro` as the purl specification has it; other tools write `distro_name`, or as Docker Scout `os_name`, `os_version` and `os_distro`. */
function distroTexts({ qualifiers }: Purl): string[] {
  const [name, version] = [qualifiers.get('os_name'), qualifiers.get('os_version')]
  const system = name === undefined || version === undefined ? undefined : `${name} ${version}`
  const texts = [qualifiers.get('distro'), qualifiers.get('distro_name'), system, qualifiers.get('os_distro')]
  return texts.filter((text) => text !== undefined)
}

/** The type `alpine` has no namespace, it is one. */
function namespaceOf({ type, namespace }: Purl): string | null {
  return namespace ?? (type === 'alpine' ? type : null)
}

function releaseOfSystem(operatingSystem: OperatingSystem | null): DistributionRelease {
  if (operatingSystem === null) return { distribution: null, release: null }
  return readRelease(`${operatingSystem.name} ${operatingSystem.version ?? ''}`.trim(), null)
}

/**
 * The epoch of an RPM or Debian version that is written beside it: as `epoch=`, or in the component's own version where that is the same but
 * for the epoch, and for what one of the two leaves out at its end (release, architecture). apk has no epochs.
 */
function epochBeside(purl: Purl, { version }: SbomComponent): string | undefined {
  if (purl.type !== 'rpm' && purl.type !== 'deb') return undefined
  return purl.qualifiers.get('epoch') ?? (isSame(version, purl.version) ? epochOf(version ?? '') : undefined)
}

function isSame(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false
  const [shorter = '', longer = ''] = [withoutEpoch(one), withoutEpoch(other)].toSorted(
    (a, b) => a.length - b.length,
  )
  return longer.startsWith(shorter) && /^(?:[-.]|$)/.test(longer.slice(shorter.length))
}

type Named = { name: string; version: string; stream: string }

/** The source's name and version, as its advisories use them; `own` is the version of the built package, epoch included. */
function fromSource(built: Built, own: string, stream: string): Named {
  const source = sourceOf(built.purl, built.component)
  const signed = built.purl.type === 'deb' ? signedSource(source?.name ?? built.purl.name) : null
  const version = signed === null ? null : builtFromSigned(signed, own)
  if (signed !== null && (version ?? source) !== null)
    return { name: signed, version: version ?? own, stream }
  return sourceVersion(built, source, { own, stream })
}

function sourceVersion(
  { purl, system }: Built,
  source: SourcePackage | null,
  { own, stream }: { own: string; stream: string },
): Named {
  const stated = statedVersion(source?.version ?? null)
  const name = source?.name ?? purl.name
  if (source === null || stated === '') return { name, version: withoutRebuild(purl, own), stream }

  const version = foldEpoch(stated, source.epoch)
  const isEpochKnown = purl.type !== 'rpm' || source.epoch !== null || version !== withoutEpoch(version)
  if (isEpochKnown || system.epochs === 'absent') return { name, version, stream }
  // A src.rpm file name has no epoch. Packages inherit it from their source unless they have a version of their own.
  return withoutEpoch(own) === version
    ? { name, version: own, stream }
    : { name, version, stream: unknownEpoch }
}

function withoutRebuild(purl: Purl, version: string): string {
  return purl.type === 'deb' ? version.replace(rebuilt, '') : version
}

function streamOf({ purl, ecosystem }: Built, version: string): string {
  const told = streamOfVersion(ecosystem.name, version)
  if (ecosystem.scheme === 'apk') return streamOfArchitecture(ecosystem.name, purl.qualifiers.get('arch'))
  if (ecosystem.scheme !== 'rpm') return told
  const label = moduleOfLabel(purl.qualifiers.get('modularitylabel') ?? purl.qualifiers.get('rpmmod') ?? '')
  if (label !== null) return ecosystem.name === 'Fedora' ? fedoraModule : label
  return told === '' && ecosystem.name === 'Red Hat'
    ? extendedSupport(purl.qualifiers.get('repository_id') ?? '')
    : told
}
