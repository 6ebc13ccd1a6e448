/** What the id of a notice says: `ALAS-2018-939`, `ALAS2-2018-939`, `ALAS2GOLANG1.19-2023-001`, `ALAS2023LIVEPATCH-2023-001`. */
export type AdvisoryId = {
  /** With the release. */
  ecosystem: string
  /** The topic of the repository that has the packages, in capitals; null: the main one. */
  topic: string | null
  /** Where the publisher shows it. */
  url: string
}

const form = /^ALAS(2023|2022|2)?([A-Z][A-Z0-9.+_-]{0,60}?)?-(\d{4}-\d{1,6})$/
const site = 'https://alas.aws.amazon.com'

/** undefined: no such id. */
export function readAdvisoryId(id: string): AdvisoryId | undefined {
  const [, stated, topic = null, number] = form.exec(id) ?? []
  if (number === undefined) return undefined
  // the first release has no topics
  const release = stated ?? (topic === null ? '1' : '2')
  if (release === '1') return { ecosystem: 'Amazon Linux 1', topic, url: `${site}/ALAS-${number}.html` }
  const folder = `${site}/AL${release}`
  const page = `ALAS${topic ?? (release === '2' ? '' : release)}-${number}.html`
  return { ecosystem: `Amazon Linux:${release}`, topic, url: `${folder}/${page}` }
}
