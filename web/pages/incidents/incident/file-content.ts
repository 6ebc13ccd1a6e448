/** The bytes of a file, as they go into JSON. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const parts: string[] = []
  const partBytes = 0x8000
  for (let at = 0; at < bytes.length; at += partBytes) {
    parts.push(String.fromCharCode(...bytes.subarray(at, at + partBytes)))
  }
  return btoa(parts.join(''))
}
