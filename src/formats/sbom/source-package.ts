import { cleanOptional, cleanText } from '../json/clean.ts'
import type { JsonObject } from '../json/object.ts'
import { textLimits } from './component-fields.ts'
import type { OperatingSystem, SourcePackage } from './document.ts'
import type { Hints } from './hints.ts'

/** CycloneDX properties of package managers that are `true` on what is needed for development alone (CycloneDX property taxonomy). */
const developmentNames = [
  'cdx:npm:package:development',
  'cdx:composer:package:isDevRequirement',
  'cdx:sbt:package:development',
]

/** A component has one for each category of Pipfile.lock that lists it (CycloneDX property taxonomy); a category locks everything that it needs. */
const pipenvCategory = 'cdx:pipenv:category'
const pipenvDevelopment = 'develop'

/**
 * The CycloneDX properties, by generator, that say what an operating-system package was built from and where it belongs, and what a package
 * of a language is needed for.
 */
const recordedNames = new Set([
  ...developmentNames,
  pipenvCategory,
  'aquasecurity:trivy:SrcName',
  'aquasecurity:trivy:SrcVersion',
  'aquasecurity:trivy:SrcRelease',
  'aquasecurity:trivy:SrcEpoch',
  'syft:metadata:source',
  'syft:metadata:sourceVersion',
  'syft:metadata:originPackage',
  'syft:metadata:sourceRpm',
  'syft:distro:id',
  'syft:distro:versionID',
])

const epochAndRest = /^(\d{1,9}):(.+)$/
const epochOnly = /^\d{1,9}$/
const sourceRpmSuffix = '.src.rpm'
const spdxSourcePrefix = 'built package from: '

/** The recorded properties of a CycloneDX component; of repeated names the first, of Pipenv's categories the first that is not for development. */
export function recordedProperties(component: JsonObject, hints: Hints): ReadonlyMap<string, string> {
  let recorded: Map<string, string> | undefined
  for (const property of component.lenientObjects('properties')) {
    const name = property.lenientString('name')
    if (name === null) hints.note('unreadable_property', property.place)
    if (name === null || !recordedNames.has(name)) continue
    const first = recorded?.get(name)
    if (first !== undefined && (name !== pipenvCategory || first !== pipenvDevelopment)) continue
    const value = cleanOptional(property.lenientString('value'), textLimits.name)
    if (value !== null) (recorded ??= new Map()).set(name, value)
  }
  return recorded ?? nothingRecorded
}

/** Most components are no packages of an operating system. */
const nothingRecorded: ReadonlyMap<string, string> = new Map()

export function isForDevelopment(recorded: ReadonlyMap<string, string>): boolean {
  if (recorded.get(pipenvCategory) === pipenvDevelopment) return true
  return developmentNames.some((name) => recorded.get(name)?.toLowerCase() === 'true')
}

/** The source package out of Trivy's or syft's properties; null when they name none. */
export function sourceOfProperties(recorded: ReadonlyMap<string, string>): SourcePackage | null {
  if (recorded.size === 0) return null
  const trivyName = recorded.get('aquasecurity:trivy:SrcName')
  if (trivyName !== undefined) return trivySource(trivyName, recorded)
  const dpkgName = recorded.get('syft:metadata:source')
  if (dpkgName !== undefined) return sourcePackage(dpkgName, recorded.get('syft:metadata:sourceVersion'))
  const apkName = recorded.get('syft:metadata:originPackage')
  if (apkName !== undefined) return sourcePackage(apkName)
  return sourceOfRpmFile(recorded.get('syft:metadata:sourceRpm') ?? '')
}

/** `openssl-3.0.7-24.el9.src.rpm`: name, version and release, never an epoch. */
function sourceOfRpmFile(file: string): SourcePackage | null {
  if (!file.endsWith(sourceRpmSuffix)) return null
  const stem = file.slice(0, -sourceRpmSuffix.length)
  const release = stem.lastIndexOf('-')
  const version = stem.lastIndexOf('-', release - 1)
  return release < 1 || version < 1 ? null : sourcePackage(stem.slice(0, version), stem.slice(version + 1))
}

/** The source package that Trivy writes as text into SPDX `sourceInfo`: `built package from: openssl 1:3.0.2-1`. */
export function sourceOfSpdxInfo(sourceInfo: string | null): SourcePackage | null {
  const text = cleanText(sourceInfo ?? '', spdxSourcePrefix.length + textLimits.name + textLimits.version)
  if (!text.startsWith(spdxSourcePrefix)) return null
  const [name, version] = text.slice(spdxSourcePrefix.length).split(' ', 2)
  return name ? sourcePackage(name, version) : null
}

/** The distribution that a CycloneDX component of type `operating-system` stands for: syft's own words before its name. */
export function operatingSystemOf(
  component: { name: string; version: string | null },
  recorded: ReadonlyMap<string, string>,
): OperatingSystem {
  return {
    name: recorded.get('syft:distro:id') ?? component.name,
    version: recorded.get('syft:distro:versionID') ?? component.version,
  }
}

/** Trivy records epoch, version and release apart; Debian's revision is its release. */
function trivySource(name: string, recorded: ReadonlyMap<string, string>): SourcePackage {
  const release = recorded.get('aquasecurity:trivy:SrcRelease')
  const version = recorded.get('aquasecurity:trivy:SrcVersion')
  const full = version !== undefined && release !== undefined ? `${version}-${release}` : version
  const source = sourcePackage(name, full)
  const epoch = recorded.get('aquasecurity:trivy:SrcEpoch') ?? ''
  return { ...source, epoch: source.epoch ?? (epochOnly.test(epoch) ? epoch : null) }
}

/** By its name and version, which may have the epoch in front. */
export function sourcePackage(name: string, version?: string): SourcePackage {
  const [, epoch = null, rest] = epochAndRest.exec(version ?? '') ?? []
  return {
    name: cleanText(name, textLimits.name),
    version: cleanOptional(rest ?? version, textLimits.version),
    epoch,
  }
}
