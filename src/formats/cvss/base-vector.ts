export type CvssVersion = '2.0' | '3.0' | '3.1' | '4.0'

const maxVectorCharacters = 400

type Metric = { name: string; values: ReadonlySet<string> }

const version3 = metricsOf('AV:NALP AC:LH PR:NLH UI:NR S:UC C:HLN I:HLN A:HLN')

/** The base metrics of a version with the values that its standard knows, in the standard's order. */
const baseMetrics: Record<CvssVersion, readonly Metric[]> = {
  '2.0': metricsOf('AV:LAN AC:HML Au:MSN C:NPC I:NPC A:NPC'),
  '3.0': version3,
  '3.1': version3,
  '4.0': metricsOf('AV:NALP AC:LH AT:NP PR:NLH UI:NPA VC:HLN VI:HLN VA:HLN SC:HLN SI:HLN SA:HLN'),
}

function metricsOf(text: string): Metric[] {
  return text.split(' ').map((metric) => {
    const [name = '', values = ''] = metric.split(':')
    return { name, values: new Set(values) }
  })
}

/**
 * The base metrics of a vector such as `AV:N/AC:L/…` (without its version prefix), in the standard's order and without the others: the
 * text is hostile, the answer is one of a bounded number. Undefined when a part is not `name:value`, a metric is given twice (CVSS 3.1
 * §6: each metric at most once), or a base metric is missing or has a value that the standard does not know.
 */
export function readBaseVector(text: string, version: CvssVersion): string | undefined {
  if (text.length > maxVectorCharacters) return undefined
  const given = new Map<string, string>()
  for (const part of text.split('/')) {
    const colon = part.indexOf(':')
    const name = part.slice(0, colon)
    if (colon < 1 || colon === part.length - 1 || given.has(name)) return undefined
    given.set(name, part.slice(colon + 1))
  }
  let base = ''
  for (const { name, values } of baseMetrics[version]) {
    const value = given.get(name)
    if (value === undefined || !values.has(value)) return undefined
    base += base === '' ? `${name}:${value}` : `/${name}:${value}`
  }
  return base
}
