import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receipt, refusal, StubService, uploadToken } from './stub-service.ts'

const folder = join(import.meta.dirname, '../../ci/github')

let stub: StubService

beforeAll(async () => {
  stub = await StubService.open()
})
afterAll(() => stub.close())
beforeEach(() => stub.reset())

type Ended = { exitCode: number; out: string; err: string; outputs: string }

/** The action's step on a runner, with the inputs as action.yml passes them. */
function send(inputs: Record<string, string>): Promise<Ended> {
  const output = join(stub.folder, 'outputs')
  writeFileSync(output, '')
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env['PATH'] ?? ''}`,
    GITHUB_OUTPUT: output,
    SBOM_MONITOR_URL: stub.address,
    SBOM_MONITOR_TOKEN: uploadToken,
    SBOM_MONITOR_RESULTS_TOKEN: '',
    SEND_COMMAND: 'upload',
    SEND_FILE: stub.file,
    SEND_WAIT: 'false',
    SEND_FAIL_ON: '',
    SEND_ALLOW_UNCHECKED: 'false',
    SEND_ALLOW_MALWARE: 'false',
    SEND_MAX_DATA_AGE: '',
    SEND_SARIF: '',
    SEND_JUNIT: '',
    SEND_PRODUCT_VERSION: '',
    SEND_TIMEOUT: '60',
    SEND_PACKAGE: '',
    ...inputs,
  }
  return new Promise((resolve) => {
    const child = execFile('bash', [join(folder, 'send.sh')], { env }, (_error, out, err) => {
      resolve({ exitCode: child.exitCode ?? -1, out, err, outputs: readFileSync(output, 'utf8') })
    })
  })
}

describe('the GitHub action', () => {
  it('sends the file and keeps the result as an output', async () => {
    stub.replies = [{ status: 202, body: receipt() }]
    const { exitCode, out, err, outputs } = await send({ SEND_PRODUCT_VERSION: '1.0; echo "x"' })
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '' })
    expect(err).toMatch(/^Stored: 3 components/m)
    expect(stub.received[0]?.headers['x-service-version']).toBe('1.0; echo "x"')
    const ending = {
      command: 'upload',
      sbom: receipt(),
      matches: null,
      data: null,
      worst: null,
      policy: null,
      exitCode: 0,
    }
    expect(outputs).toBe(`result=${JSON.stringify(ending)}\n`)
  })

  it('fails with the exit code of the client', async () => {
    stub.replies = [{ status: 402, body: refusal('billing_lapsed', 'The workspace is read-only.') }]
    const { exitCode, err, outputs } = await send({})
    expect(exitCode).toBe(3)
    expect(err).toMatch(/402 billing_lapsed: The workspace is read-only/)
    expect(outputs).toMatch(/^result=.*"exitCode":3}\n$/)
  })

  it('hands policy and waiting on', async () => {
    const { exitCode, err } = await send({ SEND_WAIT: 'true', SEND_FAIL_ON: 'exploited' })
    expect(exitCode).toBe(2)
    expect(err).toMatch(/--fail-on needs SBOM_MONITOR_RESULTS_TOKEN/)
  })

  it('hands --allow-unchecked on', async () => {
    const { exitCode, err } = await send({ SEND_ALLOW_UNCHECKED: 'true', SEND_COMMAND: 'vex' })
    expect(exitCode).toBe(2)
    expect(err).toMatch(/--allow-unchecked/)
  })

  it('hands --max-data-age on', async () => {
    const { exitCode, err } = await send({ SEND_MAX_DATA_AGE: 'soon', SEND_FAIL_ON: 'any' })
    expect(exitCode).toBe(2)
    expect(err).toMatch(/--max-data-age takes hours or days/)
  })

  it('hands the files to write and --allow-malware on', async () => {
    const { exitCode, err } = await send({
      SEND_SARIF: 'a.sarif',
      SEND_JUNIT: 'a.xml',
      SEND_ALLOW_MALWARE: 'true',
    })
    expect(exitCode).toBe(2)
    expect(err).toMatch(/a report needs SBOM_MONITOR_RESULTS_TOKEN/)
  })

  it('hands on every variable that the script reads', () => {
    const used = readFileSync(join(folder, 'send.sh'), 'utf8').match(/\$SEND_[A-Z_]+/g) ?? []
    const action = readFileSync(join(folder, 'action.yml'), 'utf8')
    expect(used.length).toBeGreaterThan(6)
    for (const name of used) expect(action).toContain(`        ${name.slice(1)}: \${{ inputs.`)
  })
})
