import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'

/** The code with which a process ends, when all that it said has come; null: by a signal. */
export async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

/** What a request is answered, as soon as its headers have come. */
export async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}
