import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { DraftFacts } from './draft-facts.ts'
import { joinItems, plainText } from '../../report-forms/fit-text.ts'

const catalogueNames: Record<Catalogue, string> = {
  kev: 'the catalogue of known exploited vulnerabilities of CISA (KEV)',
  euvd: 'the European vulnerability database (EUVD)',
}

/** The maximum of list entries in a sentence. */
const listCharacters = 500

/** The affected products by their names. */
export function productNames({ products }: DraftFacts, maxCharacters: number): string {
  return joinItems(
    products.map(({ name }) => name),
    maxCharacters,
  )
}

/** `1.0, 1.1`; of several products `Pump 1.0, Valve 2.3`. */
export function productVersions({ products }: DraftFacts, maxCharacters: number): string {
  const isOne = products.length === 1
  const versions = products.flatMap(({ name, versions: own }) =>
    own.map((version) => (isOne ? version : `${name} ${version}`)),
  )
  return joinItems(versions, maxCharacters)
}

/** `log4j-core 2.14.1, …` */
export function componentNames({ components }: DraftFacts, maxCharacters: number): string {
  return joinItems(components.map(componentName), maxCharacters)
}

/** What is known of the event as a whole. */
export function summary(facts: DraftFacts): string {
  return paragraphs([facts.description, affectedSentence(facts), ...exploitedSentences(facts), known(facts)])
}

/** What is known of the vulnerability and its exploitation. */
export function vulnerabilityText(facts: DraftFacts): string {
  return paragraphs([known(facts), ...exploitedSentences(facts), removal(facts), fixedComponents(facts)])
}

/** What users can do now: the remedy, if there is one, and where they reach the manufacturer. */
export function userHelp(facts: DraftFacts): string {
  const { userContact } = facts.kept
  return paragraphs([remedy(facts), userContact === null ? null : `Contact for users: ${userContact}`])
}

/** The same for an existing remedy. */
export function userRemedy(facts: DraftFacts): string {
  return remedy(facts) === '' ? '' : userHelp(facts)
}

/** A member's own words, otherwise the versions in which it is fixed. */
function remedy({ userMeasures, fixedProducts }: DraftFacts): string {
  if (userMeasures !== null && plainText(userMeasures) !== '') return userMeasures
  const versions = joinItems(
    fixedProducts.map(({ name, version }) => `${name} ${version}`),
    listCharacters,
  )
  return versions === '' ? '' : `Update to ${versions}.`
}

/** `Critical. CVSS score 10. CVSS:3.1/AV:N/…` */
export function severityText({ vulnerability }: DraftFacts): string {
  if (vulnerability === null || vulnerability.severity === 'unknown') return ''
  const { severity, score, vector } = vulnerability
  const name = severity.slice(0, 1).toUpperCase() + severity.slice(1)
  return [`${name}.`, score === null ? '' : `CVSS score ${score}.`, vector ?? ''].filter(Boolean).join(' ')
}

const attackVectors: Readonly<Record<string, string>> = {
  N: 'Network',
  A: 'Adjacent network',
  L: 'Local',
  P: 'Physical',
}

/** The attack vector that a CVSS vector names. */
export function attackVector({ vulnerability }: DraftFacts): string {
  const metric = /(?:^|\/)AV:(?<value>[NALP])(?:\/|$)/.exec(vulnerability?.vector ?? '')?.groups?.['value']
  const name = attackVectors[metric ?? '']
  return name === undefined ? '' : `${name} (${vulnerability?.vector ?? ''})`
}

function componentName({ name, version }: { name: string; version: string | null }): string {
  return version === null ? name : `${name} ${version}`
}

function affectedSentence(facts: DraftFacts): string {
  const products = joinItems(facts.products.map(productName), listCharacters)
  const components = componentNames(facts, listCharacters)
  if (products === '' && components === '') return ''
  if (components === '') return `Affected products: ${products}.`
  const ids = joinItems([...facts.cveIds, ...facts.euvdIds], listCharacters)
  const subject = ids === '' ? 'The event' : ids
  const place = products === '' ? '' : ` in ${products}`
  return `${subject} affects ${components}${place}.`
}

function productName({ name, versions }: DraftFacts['products'][number]): string {
  const some = joinItems(versions, 100)
  return some === '' ? name : `${name} (${some})`
}

function exploitedSentences({ exploited }: DraftFacts): string[] {
  return exploited.map(({ catalogue, id, listedOn }) => {
    const since = listedOn === null ? '' : ` since ${listedOn}`
    return `${id} is listed as exploited in ${catalogueNames[catalogue]}${since}.`
  })
}

function known({ vulnerability }: DraftFacts): string {
  return vulnerability?.summary ?? ''
}

/** There is no version of malware to update to. */
function removal({ components }: DraftFacts): string {
  const malicious = components.filter(({ isMalware = false }) => isMalware)
  const names = joinItems(malicious.map(componentName), listCharacters)
  return names === '' ? '' : `Remove ${names}: it is malware.`
}

function fixedComponents({ components }: DraftFacts): string {
  const fixed = components.flatMap(({ name, fixedIn }) => (fixedIn === null ? [] : [`${name} ${fixedIn}`]))
  const versions = joinItems(fixed, listCharacters)
  return versions === '' ? '' : `Fixed in ${versions}.`
}

function paragraphs(parts: readonly (string | null)[]): string {
  return parts
    .map((part) => plainText(part ?? ''))
    .filter((part) => part !== '')
    .join('\n')
}
