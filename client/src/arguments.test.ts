import { describe, expect, it } from 'vitest'
import { parseArguments } from './arguments.ts'
import { Failure } from './failure.ts'

const none = {
  productVersion: null,
  source: null,
  commit: null,
  branch: null,
  repository: null,
  runUrl: null,
}
const upload = {
  kind: 'upload',
  file: 'bom.json',
  server: null,
  timeoutMs: 600_000,
  isJson: false,
  given: none,
  isWaiting: false,
  failOn: [],
  allowsUnchecked: false,
  allowsMalware: false,
  maxDataAge: null,
  reports: { summary: null, sarif: null, junit: null, annotations: null },
}
const pull = {
  kind: 'pull-dependency-track',
  server: null,
  timeoutMs: 600_000,
  isJson: false,
  tracker: null,
  projects: [],
  tag: null,
  stateFile: 'sbom-monitor-dependency-track.json',
}
const project = '3e671687-395b-41f5-a30f-a58921a69b79'

describe('what is read', () => {
  it.each([
    [['help'], { kind: 'help' }],
    [['upload', '--help'], { kind: 'help' }],
    [['-h'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
    [['upload', 'bom.json'], upload],
    [['upload', '--wait', 'bom.json'], { ...upload, isWaiting: true }],
    [['upload', 'bom.json', '--fail-on', 'exploited'], { ...upload, isWaiting: true, failOn: ['exploited'] }],
    [['upload', 'bom.json', '--timeout=5', '--json'], { ...upload, timeoutMs: 5000, isJson: true }],
    [
      ['upload', 'bom.json', '--product-version', '2.4.1', '--source', 'api', '--branch', 'b', '--repo', 'r'],
      { ...upload, given: { ...none, productVersion: '2.4.1', source: 'api', branch: 'b', repository: 'r' } },
    ],
    [
      ['upload', 'bom.json', '--commit', 'c', '--run-url', 'https://x', '--server', 'https://s'],
      { ...upload, server: 'https://s', given: { ...none, commit: 'c', runUrl: 'https://x' } },
    ],
    [
      ['upload', 'bom.json', '--sarif', 'a.sarif', '--allow-malware'],
      { ...upload, isWaiting: true, allowsMalware: true, reports: { ...upload.reports, sarif: 'a.sarif' } },
    ],
    [
      ['upload', 'bom.json', '--fail-on', 'any', '--max-data-age', '36h'],
      { ...upload, isWaiting: true, failOn: ['any'], maxDataAge: { text: '36h', ms: 129_600_000 } },
    ],
    [['pull-dependency-track'], pull],
    [['pull-dependency-track', '--tag', 'edge', '--state', 's'], { ...pull, tag: 'edge', stateFile: 's' }],
    [
      ['pull-dependency-track', '--project', project, '--project', project, '--tracker', 'https://d'],
      { ...pull, projects: [project, project], tracker: 'https://d' },
    ],
    [
      ['vex', 'vex.json'],
      { kind: 'vex', file: 'vex.json', server: null, timeoutMs: 600_000, isJson: false, given: none },
    ],
  ])('%j', (args, expected) => {
    expect(parseArguments(args)).toEqual(expected)
  })
})

describe('what is refused as usage', () => {
  it.each([
    [['bom.json'], /upload, vex or pull-dependency-track/],
    [['upload'], /exactly one file, found 0/],
    [['upload', 'a', 'b'], /exactly one file, found 2/],
    [['upload', 'a', '--version', '1'], /--product-version/],
    [['upload', 'a', '--token', 'svc_x'], /environment only/],
    [['upload', 'a', '--results-token=svc_x'], /environment only/],
    [['upload', 'a', '--fail-on', 'sever'], /--fail-on takes/],
    [['upload', 'a', '--fail-on', ''], /--fail-on takes/],
    [['upload', 'a', '--fail-on', 'high,'], /--fail-on takes/],
    [['upload', 'a', '--fail-on'], /--fail-on/],
    [['upload', 'a', '--fail-on', 'any', '--max-data-age', '24'], /--max-data-age takes hours or days/],
    [['upload', 'a', '--fail-on', 'any', '--max-data-age', '0d'], /--max-data-age takes hours or days/],
    [['upload', 'a', '--max-data-age', '1d'], /--max-data-age needs --fail-on/],
    // a template with empty values must not exit as if it had sent something
    [[], /upload, vex or pull-dependency-track/],
    [['upload', 'a', '--nonsense'], /--nonsense.*--help/],
    [['upload', 'a', '--wait=yes'], /--wait/],
    [['upload', 'a', '--timeout', '0'], /--timeout takes/],
    [['upload', 'a', '--timeout', '1.5'], /--timeout takes/],
    [['upload', 'a', '--timeout', '99999'], /--timeout takes/],
    [['upload', 'a', '--source', 'ci'], /--source takes/],
    [['vex', 'a', '--wait'], /--wait/],
    [['vex', 'a', '--commit', 'x'], /--commit/],
    [['pull-dependency-track', '--project', 'pump'], /UUID/],
    [['pull-dependency-track', '--project', project, '--tag', 'a'], /exclude each other/],
    [['pull-dependency-track', '--api-key', 'odt_x'], /environment only/],
  ])('%j', (args, message) => {
    const read = () => parseArguments(args)
    expect(read).toThrow(message)
    expect(read).toThrow(Failure)
  })
})
