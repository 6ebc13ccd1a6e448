import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { textIn } from '../support/read-as.ts'

export type Frame = { kind: string; payload: Buffer }

/** The frames of a backup except the last one, changed, with a recomputed end: only the rows reveal the change. */
export function signedAgain(backup: Buffer, change: (frames: Frame[]) => Frame[]): Buffer {
  const bytes = change(framesOf(gunzipSync(backup)).slice(0, -1)).map(bytesOf)
  const sha256 = createHash('sha256').update(Buffer.concat(bytes)).digest('hex')
  const end = bytesOf({ kind: 'F', payload: Buffer.from(JSON.stringify({ sha256 })) })
  return gzipSync(Buffer.concat([...bytes, end]))
}

export function bytesOf({ kind, payload }: Frame): Buffer {
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeUInt32BE(payload.length, 1)
  return Buffer.concat([head, payload])
}

function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length;) {
    const from = at + 5
    const end = from + bytes.readUInt32BE(at + 1)
    frames.push({ kind: bytes.toString('latin1', at, at + 1), payload: bytes.subarray(from, end) })
    at = end
  }
  return frames
}

/** The frames of one table, from its name to its end. */
export function tableIn(frames: readonly Frame[], name: string): { from: number; to: number } {
  const from = frames.findIndex(({ kind, payload }) => kind === 'T' && nameOf(payload) === name)
  const to = frames.findIndex(({ kind }, index) => index > from && kind === 'E')
  if (from === -1) throw new Error(`the backup has no table ${name}`)
  return { from, to }
}

function nameOf(payload: Buffer): string {
  return textIn(JSON.parse(payload.toString()), 'name')
}
