import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'

/** The exit code of a process, once all its output has arrived; null: ended by a signal. */
export async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}

/** The answer to a request, once its headers have arrived. */
export async function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return answer
}
