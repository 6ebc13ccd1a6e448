/** The guides of docs/ that users read on the running service. */
export const guides = [
  { name: 'pipelines', title: 'Sending from a pipeline' },
  { name: 'vex', title: 'VEX documents' },
  { name: 'alerts', title: 'Alerts' },
  { name: 'dependency-track', title: 'Dependency-Track' },
  { name: 'public-api', title: 'Rules of the public interface' },
  { name: 'operating', title: 'Operating' },
] as const

export type Guide = (typeof guides)[number]['name']

export function isGuide(name: string): name is Guide {
  return guides.some((guide) => guide.name === name)
}
