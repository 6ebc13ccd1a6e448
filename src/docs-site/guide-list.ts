/** What the guides are about, in the order of the index at /docs. */
const guideTasks = [
  { id: 'send', title: 'Send files' },
  { id: 'react', title: 'React and publish' },
  { id: 'workspace', title: 'Run a workspace' },
  { id: 'operate', title: 'Run the service' },
  { id: 'assess', title: 'Assess the service' },
] as const

type GuideEntry = {
  /** The file `docs/<name>.md`, served at `/docs/<name>`. */
  name: string
  title: string
  task: (typeof guideTasks)[number]['id']
  /** For the index: what a reader can do afterwards, in one sentence. */
  about: string
}

/** The guides of docs/ that users read on the running service, in reading order within each task. */
export const guides = [
  {
    name: 'first-upload',
    title: 'The first upload',
    task: 'send',
    about: 'From an empty workspace to the first finding, in ten minutes.',
  },
  {
    name: 'pipelines',
    title: 'Sending from a pipeline',
    task: 'send',
    about: 'GitHub, GitLab, Jenkins, Azure DevOps, Bitbucket, curl: upload, and fail the build by policy.',
  },
  {
    name: 'vex',
    title: 'VEX documents',
    task: 'send',
    about: 'Say which vulnerabilities affect a product and which do not, and export the verdicts.',
  },
  {
    name: 'dependency-track',
    title: 'Dependency-Track',
    task: 'send',
    about: 'Let OWASP Dependency-Track send each BOM that it processes.',
  },
  {
    name: 'alerts',
    title: 'Alerts',
    task: 'react',
    about: 'Tell chat channels and your own systems, and check that a message is genuine.',
  },
  {
    name: 'incidents',
    title: 'Incidents',
    task: 'react',
    about: 'Know what opens an incident, which clocks run, and what must be filed when.',
  },
  {
    name: 'disclosure',
    title: 'Disclosure',
    task: 'react',
    about: 'Take vulnerability reports from outside, answer them, and publish your policy.',
  },
  {
    name: 'advisories',
    title: 'Advisories and the feed',
    task: 'react',
    about: 'Publish advisories for people and as a CSAF 2.0 feed.',
  },
  {
    name: 'members',
    title: 'Members',
    task: 'workspace',
    about: 'Sign up, invite people, choose their roles, and let them go.',
  },
  {
    name: 'plans',
    title: 'Plans, closing and export',
    task: 'workspace',
    about: 'What each plan allows, how it ends, and how to close, export and delete a workspace.',
  },
  {
    name: 'metrics',
    title: 'Metrics',
    task: 'workspace',
    about: 'See how findings, exposure and coverage developed, and how each is counted.',
  },
  {
    name: 'audit',
    title: 'The audit trail',
    task: 'workspace',
    about: 'Who did what and when, how to export it, and how to prove that nothing was changed.',
  },
  {
    name: 'signing-in',
    title: 'Signing in',
    task: 'workspace',
    about: 'Second factors, passkeys, signing in with the company, and what owners can ask of members.',
  },
  {
    name: 'operating',
    title: 'Operating',
    task: 'operate',
    about: 'Configure, watch, back up and restore an installation.',
  },
  {
    name: 'deploying',
    title: 'Deploying',
    task: 'operate',
    about: 'Run it with systemd, in containers or on Kubernetes, and watch it with Prometheus.',
  },
  {
    name: 'object-storage',
    title: 'Originals in object storage',
    task: 'operate',
    about:
      'Keep the files that were sent in an S3 bucket, move and check them, and know when they are erased.',
  },
  {
    name: 'backups',
    title: 'Backups that grow',
    task: 'operate',
    about:
      'Check every backup by restoring it, and take over with pgBackRest or snapshots when one file is too slow.',
  },
  {
    name: 'offline',
    title: 'Without internet access',
    task: 'operate',
    about:
      'Run it offline or on an air-gapped network: which files to fetch elsewhere, and how to load them.',
  },
  {
    name: 'moving',
    title: 'Moving a workspace',
    task: 'operate',
    about: 'Take one company to another installation: what moves, what stays, and how pipelines follow.',
  },
  {
    name: 'scaling',
    title: 'Scaling',
    task: 'operate',
    about: 'What one machine does, what more processes buy, and where to go from there.',
  },
  {
    name: 'troubleshooting',
    title: 'Troubleshooting',
    task: 'operate',
    about: 'By symptom: what it means and what to do.',
  },
  {
    name: 'coverage',
    title: 'What is checked, and what is not',
    task: 'assess',
    about: 'Kind by kind of component: who publishes vulnerability data, and what stays open.',
  },
  {
    name: 'security',
    title: 'Security and data',
    task: 'assess',
    about: 'What is stored, sealed and hashed, who else sees it, and what it is defended against.',
  },
  {
    name: 'asvs',
    title: 'OWASP ASVS, level 2',
    task: 'assess',
    about: 'Requirement by requirement, with evidence and with what is not met.',
  },
  {
    name: 'public-api',
    title: 'Rules of the public interface',
    task: 'assess',
    about: 'What senders and receivers can rely on, in addition to the schemas of the API reference.',
  },
] as const satisfies readonly GuideEntry[]

/** The guides of each task, without tasks that have none. */
export const guidesByTask = guideTasks
  .map(({ id, title }) => ({ id, title, guides: guides.filter(({ task }) => task === id) }))
  .filter((task) => task.guides.length > 0)

export type Guide = (typeof guides)[number]['name']

export function isGuide(name: string): name is Guide {
  return guides.some((guide) => guide.name === name)
}
