/**
 * The rooms of src/ in the order in which data flows. A room imports itself and earlier rooms, never a later one;
 * http, worker, parser and cli are the only places that know all rooms. See docs/architecture.md.
 */
const rooms = [
  'audit',
  'workspace',
  'products',
  'people',
  'provision',
  'sbom',
  'vex',
  'source-files',
  'records',
  'cve-records',
  'vulndata',
  'matching',
  'findings',
  'metrics',
  'inventory',
  'vulnerabilities',
  'report-forms',
  'incidents',
  'advisories',
  'disclosure',
  'notices',
  'alerts',
  'move',
]
/** Reads across the rooms above: what commands, the dashboard and exports of a whole workspace show. */
const views = 'views'
/** What every room may use, in an order of its own: each imports earlier ones only. */
const ground = [
  'contract',
  'formats',
  'versions',
  'identities',
  'database',
  'html',
  'platform',
  'queue',
  'originals',
  'schema',
  'backup',
]
/** The folders of `records` and `cve-records` that belong to one source each: all but those of a format that several have. */
const ofOneSource = 'records/(?!cpe/|rpm-advisories/)[a-z-]+|cve-records/[a-z-]+'
const tops = ['parser', 'docs-site', 'disclosure-site', 'operator', 'http', 'worker', 'cli']

const laterRooms = rooms.map((room, index) => ({
  name: `${room}-imports-earlier-rooms-only`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: {
    path: `^src/(${[...rooms.slice(index + 1), views, ...tops].join('|')})/|^src/(main|parse|program)\\.ts$`,
  },
}))

const laterGround = ground.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-earlier-ground-only`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: `^src/(${ground.slice(index + 1).join('|')})/` },
}))

const tests = '\\.test\\.ts$'

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'those of web/ are found in a pass of their own: .dependency-cruiser-web.mjs',
      severity: 'error',
      from: { pathNot: '^web/' },
      to: { circular: true },
    },
    ...laterRooms,
    ...laterGround,
    {
      name: 'views-serve-pages-and-commands',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(views|operator|http|cli)/' },
      to: { path: `^src/${views}/` },
    },
    {
      name: 'reads-decide-nothing',
      comment: 'what a page shows of a room is for pages, commands and what else reads',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(views|operator|http|cli|worker|inventory|vulnerabilities)/|^src/[^/]+/reads/',
      },
      to: { path: '^src/[^/]+/reads/' },
    },
    {
      name: 'views-import-no-top',
      severity: 'error',
      from: { path: `^src/${views}/` },
      to: { path: `^src/(${tops.join('|')})/|^src/(main|parse|program)\\.ts$` },
    },
    {
      name: 'contract-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/contract/' },
      to: { path: '^src/(?!contract/)' },
    },
    {
      name: 'formats-are-pure',
      comment: 'bytes to values to bytes: no store, no clock, no process',
      severity: 'error',
      from: { path: '^src/formats/', pathNot: tests },
      to: { path: '^src/(?!contract/|formats/)|^(node:)?(process|fs|net|http|child_process)$' },
    },
    {
      name: 'versions-identities-records-and-report-forms-are-pure',
      comment: 'values to values: no store, no clock, no process',
      severity: 'error',
      from: { path: '^src/(versions|identities|records|cve-records|report-forms)/', pathNot: tests },
      to: {
        path: '^src/(?!contract/|formats/|versions/|identities/|source-files/|records/|cve-records/|report-forms/)|^(node:)?(process|fs|net|http|child_process)$',
      },
    },
    {
      name: 'ground-imports-no-room',
      severity: 'error',
      from: { path: `^src/(${ground.join('|')})/` },
      to: { path: `^src/(${[...rooms, views, ...tops].join('|')})/` },
    },
    {
      name: 'a-source-reads-no-other-source',
      comment:
        'a value and its folder share the first word of their names; what several sources need is beside them',
      severity: 'error',
      from: { path: '^src/vulndata/sources/(?!all\\.ts)([a-z]+)' },
      to: {
        path: '^src/vulndata/sources/',
        pathNot: '^src/vulndata/sources/(source\\.ts$|$1[-./])',
      },
    },
    {
      name: 'records-of-a-source-read-no-other',
      severity: 'error',
      from: { path: `^src/(${ofOneSource})/` },
      to: { path: `^src/(${ofOneSource})/`, pathNot: '^src/$1/' },
    },
    {
      name: 'what-sources-share-knows-none',
      comment: 'only the list names them',
      severity: 'error',
      from: {
        path: '^src/(vulndata|records|cve-records)/',
        pathNot: `^src/vulndata/sources/|^src/(${ofOneSource})/|${tests}`,
      },
      to: { path: `^src/vulndata/sources/(?!(all|source)\\.ts$)|^src/(${ofOneSource})/` },
    },
    {
      name: 'queries-are-private',
      comment: 'the statements that several files of a room share, wherever in the room they are',
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/.+/queries\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'web-imports-contract-only',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^src/(?!contract/)' },
    },
    {
      name: 'the-kit-knows-no-subject',
      comment: 'what it needs of one comes as a property',
      severity: 'error',
      from: { path: '^web/kit/', pathNot: tests },
      to: { path: '^web/(?!kit/|icon\\.svg$)|^src/contract/[^/]+/' },
    },
    {
      name: 'a-page-is-shown-by-its-subject-alone',
      comment: 'what several subjects show is a part, and no page',
      severity: 'error',
      from: { path: '^web/([^/]+)/' },
      to: { path: '^web/[^/]+/.+Page\\.tsx$', pathNot: '^web/($1|kit)/' },
    },
    {
      name: 'an-area-imports-no-part',
      comment:
        'every subject leads to pages of the others, so that what names these must not need what they show: it is loaded when it is opened',
      severity: 'error',
      from: { path: '^web/[^/]+/area\\.ts$' },
      to: { path: '^web/(?!kit/|(parent-routes|area-item)\\.ts$)', dynamic: false },
    },
    {
      name: 'subjects-know-no-frame',
      severity: 'error',
      from: { path: '^web/[^/]+/', pathNot: '^web/frame/' },
      to: { path: '^web/(frame/|routes\\.ts$|(app|main)\\.tsx$)' },
    },
    {
      name: 'client-is-self-contained',
      comment: 'its package holds nothing else and has no dependencies',
      severity: 'error',
      from: { path: '^client/', pathNot: tests },
      to: { path: '^(src|web|test|e2e|bench|assure)/|^node_modules/' },
    },
    {
      name: 'src-never-imports-web-or-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: tests },
      to: { path: '^(web|client|test|e2e|bench|assure)/' },
    },
    {
      name: 'the-job-catalogue-imports-nothing',
      severity: 'error',
      from: { path: '^src/jobs\\.ts$' },
      to: { path: '.', pathNot: '^src/contract/' },
    },
    {
      name: 'one-door-to-the-network',
      comment: 'every outbound request passes the guard of platform/outbound',
      severity: 'error',
      from: { path: '^src/', pathNot: `^src/platform/outbound/|^src/cli/demo|${tests}` },
      to: { path: '^undici$|^(node:)?(https|tls|dgram)$' },
    },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^web/(dist|\\.dist-[^/]*)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
