import { readSbomReceipt, type Result, type SbomReceipt } from './answers.ts'
import type { UploadCommand } from './arguments.ts'
import { detectCi } from './ci/detect.ts'
import { outdatedIn, tooOld } from './data-age.ts'
import { detailHeaders, type Details } from './details.ts'
import { exitCodes, Failure, type ExitCode } from './failure.ts'
import { readBody, type Body } from './file.ts'
import { isUnchecked, judge, type PolicyHit } from './policy.ts'
import type { Environment } from './ports.ts'
import type { Judged } from './reports/report.ts'
import { wantsAll, writeReports } from './reports/write-reports.ts'
import { request } from './request.ts'
import { postTimeoutMs, type Ending, type Sender } from './sender.ts'
import { readSettings, type Settings } from './settings.ts'
import {
  describePolicy,
  describeReceipt,
  describeResult,
  describeTooOld,
  describeUnchecked,
} from './summary.ts'
import { askUntilMatched, resendUntilMatched } from './wait.ts'

/**
 * Sends one SBOM, waits for its matching if requested, and judges the counts: settings, file, upload, wait, policy. Problems of settings or
 * file are reported before anything is sent.
 */
export async function upload(command: UploadCommand, sender: Sender): Promise<Ending> {
  const { ports, terminal } = sender
  const settings = readSettings(ports.env, command)
  const body = await readBody(command.file)
  const headers = sbomHeaders(command.given, body, ports.env)
  const send = () => post(settings, { headers, body }, sender)

  const sent = await send()
  terminal.say(describeReceipt(sent, command.given.productVersion))
  if (!command.isWaiting) {
    return { sbom: sent, ...noResult, ...notJudged }
  }
  try {
    const waiting = { settings, send, sender, wantsAll: wantsAll(command.reports) || command.allowsMalware }
    const { sbom, result } = await awaitMatching(sent, waiting)
    if (result === null) return { sbom, ...noResult, ...notJudged }
    const judged = applyPolicy(command, result, sender)
    writeReports(
      { file: command.file, sbom, result, judged: judged.judged },
      command.reports,
      ports.env,
      terminal,
    )
    return { sbom, ...result, policy: judged.policy, exitCode: judged.exitCode }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(error.exitCode, error.message, error.refusal, { sbom: sent })
  }
}

const noResult = { matches: null, data: null, worst: null }
const notJudged = { policy: null, exitCode: exitCodes.fine }

type Waiting = {
  settings: Settings
  send: () => Promise<SbomReceipt>
  sender: Sender
  wantsAll: boolean
}

/** Waits with the available token and prints the result; null if only a results token could get it. */
async function awaitMatching(
  sent: SbomReceipt,
  { settings, send, sender, wantsAll }: Waiting,
): Promise<{ sbom: SbomReceipt; result: Result | null }> {
  const { sbom, result } =
    settings.resultsToken === null
      ? { sbom: await resendUntilMatched(sent, send, sender), result: null }
      : await askUntilMatched(sent, { ...settings, resultsToken: settings.resultsToken, wantsAll }, sender)
  if (sbom.status === 'failed') {
    throw new Failure(
      exitCodes.noResult,
      `the service could not match this SBOM; run matching again there: ${sbom.url}`,
    )
  }
  sender.terminal.say(result === null ? countsUnknown : describeResult(sbom, result))
  return { sbom, result }
}

const countsUnknown = 'Matched. What was found is not known here: set SBOM_MONITOR_RESULTS_TOKEN to see it.'

type Judgement = {
  judged: Judged | null
  policy: {
    failOn: readonly string[]
    hits: PolicyHit[]
    unchecked: boolean
    tooOld: string | null
  } | null
  exitCode: ExitCode
}

/** Findings come before what could not be checked, or only with old data: "nothing found" is no pass there. */
function applyPolicy(
  { failOn, allowsUnchecked, allowsMalware, maxDataAge }: UploadCommand,
  result: Result,
  { terminal }: Sender,
): Judgement {
  if (failOn.length === 0) return { judged: null, ...notJudged }
  const { matches, data } = result
  const policy = { failOn, allowsMalware }
  const [hits, unchecked] = [judge(policy, result), isUnchecked(matches)]
  const isUnjudged = hits.length === 0 && unchecked && !allowsUnchecked
  const isOld = tooOld(result, maxDataAge)
  const ended = {
    judged: { policy, hits, isUnjudged, tooOld: isOld },
    policy: { failOn, hits, unchecked, tooOld: isOld },
  }
  if (hits.length > 0) {
    terminal.say(describePolicy(policy, hits, result), 'red')
    return { ...ended, exitCode: exitCodes.policyHit }
  }
  if (isOld !== null) {
    terminal.say(describeTooOld(failOn, isOld), 'red')
    return { ...ended, exitCode: exitCodes.unchecked }
  }
  if (!unchecked) {
    terminal.say(describePolicy(policy, hits, result), outdatedIn(data).length > 0 ? 'yellow' : 'green')
    return { ...ended, exitCode: exitCodes.fine }
  }
  terminal.say(describeUnchecked(failOn, allowsUnchecked), allowsUnchecked ? undefined : 'red')
  return { ...ended, exitCode: allowsUnchecked ? exitCodes.fine : exitCodes.unchecked }
}

async function post(
  { baseUrl, uploadToken }: Settings,
  { headers, body }: { headers: Record<string, string>; body: Body },
  { ports, terminal, deadlineMs }: Sender,
): Promise<SbomReceipt> {
  const url = `${baseUrl}/api/v1/sboms`
  const asked = {
    method: 'POST',
    url,
    token: uploadToken,
    headers,
    body: body.bytes,
    timeoutMs: postTimeoutMs,
  } as const
  return readSbomReceipt(await request(ports, asked, { deadlineMs, onRetry: (text) => terminal.say(text) }))
}

function sbomHeaders(given: Details, body: Body, env: Environment): Record<string, string> {
  const ci = detectCi(env)
  const details = {
    productVersion: given.productVersion,
    source: given.source ?? ci.source,
    commit: given.commit ?? ci.commit,
    branch: given.branch ?? ci.branch,
    repository: given.repository ?? ci.repository,
    runUrl: given.runUrl ?? ci.runUrl,
  }
  return {
    'content-type': 'application/json',
    'content-encoding': body.encoding,
    ...detailHeaders(details, ['productVersion', 'source', 'commit', 'branch', 'repository', 'runUrl']),
  }
}
