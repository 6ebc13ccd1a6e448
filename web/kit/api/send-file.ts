import type { AnswerOf } from '#contract/operation.ts'
import { addressOf, type Args, type Callable } from './call.ts'
import { ApiFailure, failureOf, isFailure, unreachable } from './request.ts'
import { sessionEnded } from './session-end.ts'

type Receiving = Callable & { body: 'file' }
type Sending = { file: Blob; onProgress: (share: number) => void }

/**
 * Sends a file as it is. Uses XMLHttpRequest, the only API that reports upload progress: `onProgress` gets 0 to 1 of the bytes sent; after
 * 1 the service still has to read the file. When the session has ended, the file waits until the person has signed in again.
 */
export async function sendFile<Known extends Receiving>(
  known: Known,
  args: Args<Known>,
  { file, onProgress }: Sending,
): Promise<AnswerOf<Known>> {
  const path = addressOf(known, args)
  try {
    return await sendOnce<AnswerOf<Known>>(path, file, onProgress)
  } catch (error) {
    if (isFailure(error, 'signed_out') && (await sessionEnded()) === true)
      return sendFile(known, args, { file, onProgress })
    throw error
  }
}

function sendOnce<T>(path: string, file: Blob, onProgress: (share: number) => void): Promise<T> {
  const sending = new XMLHttpRequest()
  return new Promise<T>((resolve, reject) => {
    sending.open('POST', path)
    sending.setRequestHeader('accept', 'application/json')
    sending.setRequestHeader('content-type', 'application/octet-stream')
    sending.upload.onprogress = ({ loaded, total }) => {
      onProgress(total === 0 ? 1 : loaded / total)
    }
    sending.onload = () => {
      const answer = parsed(sending.responseText)
      if (sending.status >= 200 && sending.status < 300) resolve(answer as T)
      else reject(failureOf(sending.status, sending.getResponseHeader('retry-after'), answer))
    }
    sending.onerror = () => {
      reject(new ApiFailure(unreachable))
    }
    sending.send(file)
  })
}

/** Undefined if it is not JSON, and so not the service's answer. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
