import { readVexReceipt } from './answers.ts'
import type { VexCommand } from './arguments.ts'
import { detectCi } from './ci/detect.ts'
import { detailHeaders } from './details.ts'
import { exitCodes } from './failure.ts'
import { readBody } from './file.ts'
import { request } from './request.ts'
import { postTimeoutMs, type Ending, type Sender } from './sender.ts'
import { readSettings } from './settings.ts'
import { describeVex } from './summary.ts'

/** Sends one VEX document (docs/public-api.md, "POST /api/v1/vex"): its only details are product version and source. */
export async function sendVex(command: VexCommand, { ports, terminal, deadlineMs }: Sender): Promise<Ending> {
  const { baseUrl, uploadToken } = readSettings(ports.env, command)
  const { bytes, encoding } = await readBody(command.file)
  const details = { ...command.given, source: command.given.source ?? detectCi(ports.env).source }
  const asked = {
    method: 'POST',
    url: `${baseUrl}/api/v1/vex`,
    token: uploadToken,
    headers: {
      'content-type': 'application/json',
      'content-encoding': encoding,
      ...detailHeaders(details, ['productVersion', 'source']),
    },
    body: bytes,
    timeoutMs: postTimeoutMs,
  } as const
  const answer = await request(ports, asked, { deadlineMs, onRetry: (text) => terminal.say(text) })
  const vex = readVexReceipt(answer)
  terminal.say(describeVex(vex, command.given.productVersion))
  return { vex, exitCode: exitCodes.fine }
}
