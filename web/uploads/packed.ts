import { limits } from '#contract/limits.ts'

/**
 * The bytes to send for a file. Files over the request limit are compressed first; compressed files (gzip `1f 8b`, zstd `28 b5 2f fd`) are
 * sent as they are.
 */
export async function packed(file: Blob): Promise<Blob> {
  if (file.size <= limits.bodySentBytes || (await isCompressed(file))) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

async function isCompressed(file: Blob): Promise<boolean> {
  const [a, b, c, d] = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  return (a === 0x1f && b === 0x8b) || (a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd)
}
