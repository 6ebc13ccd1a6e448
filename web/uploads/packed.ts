import { limits } from '#contract/limits.ts'
import { BrowserFailure } from '../kit/api/browser-failure.ts'

const notRead = {
  what: 'The browser can no longer read this file.',
  next: 'It was changed, moved or removed after it was chosen. Choose it again.',
}

/**
 * The bytes to send for a file. Files over the request limit are compressed first; compressed files (gzip `1f 8b`, zstd `28 b5 2f fd`) are
 * sent as they are.
 */
export async function packed(file: Blob): Promise<Blob> {
  try {
    // also of a small file: sending one that has changed on the disk ends as if there were no connection
    const isPacked = await isCompressed(file)
    if (file.size <= limits.bodySentBytes || isPacked) return file
    return await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
  } catch (error) {
    throw new BrowserFailure(notRead, error)
  }
}

async function isCompressed(file: Blob): Promise<boolean> {
  const [a, b, c, d] = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  return (a === 0x1f && b === 0x8b) || (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd)
}
