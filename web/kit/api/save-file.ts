import type { AppOperation } from '#contract/operation.ts'
import { addressOf, type Args } from './call.ts'
import { confirmationNeeded } from './confirmation.ts'
import { answerOf, refusalOf } from './request.ts'

type Downloading = AppOperation & { answer: 'file' }

/** Fetches a file and hands it to the browser to save. A refusal is thrown; a plain link would save it as the file. */
export async function saveFile<Known extends Downloading>(
  known: Known,
  args: Args<Known>,
  fallbackName: string,
): Promise<void> {
  const response = await answerOf(addressOf(known, args), { credentials: 'same-origin' })
  if (!response.ok) {
    const refusal = await refusalOf(response)
    if (refusal.code === 'confirmation_required' && (await confirmationNeeded()) === true)
      return saveFile(known, args, fallbackName)
    throw refusal
  }
  keep(await response.blob(), fileNameIn(response.headers.get('content-disposition')) ?? fallbackName)
}

/** Hands a text to the browser to save. */
export function saveText(fileName: string, text: string): void {
  keep(new Blob([text], { type: 'text/plain' }), fileName)
}

function keep(content: Blob, fileName: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  URL.revokeObjectURL(address)
}

/** `attachment; filename="pump.openvex.json"` → `pump.openvex.json`. */
export function fileNameIn(disposition: string | null): string | undefined {
  return /filename="([^"]+)"/.exec(disposition ?? '')?.[1]
}
