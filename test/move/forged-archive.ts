import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { sealOf } from '../../src/move/archive.ts'
import { objectIn } from '../support/read-as.ts'
import type { Installation, MoveScene } from './move-scene.ts'

export type Frame = { kind: string; payload: Buffer }

export function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = []
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readUInt32BE(at + 1)
    frames.push({
      kind: bytes.toString('latin1', at, at + 1),
      payload: bytes.subarray(at + 5, at + 5 + length),
    })
    at += 5 + length
  }
  return frames
}

export function bytesOf(frames: readonly Frame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(({ kind, payload }) => {
      const head = Buffer.alloc(5)
      head.write(kind)
      head.writeUInt32BE(payload.length, 1)
      return [head, payload]
    }),
  )
}

export const mebibyte: Frame = { kind: 'D', payload: Buffer.alloc(1024 * 1024) }
export const json = (kind: string, value: unknown): Frame => ({
  kind,
  payload: Buffer.from(JSON.stringify(value)),
})

/** The archive `whole.gz` of a scene. */
export const whole = async (scene: MoveScene) => gunzipSync(await readFile(scene.file('whole.gz')))

/** With its records changed by somebody who has the key: digests and seal fit. */
export async function forged(
  scene: MoveScene,
  name: string,
  change: (frames: Frame[]) => Frame[],
): Promise<string> {
  const frames = change(framesOf(await whole(scene)).filter(({ kind }) => kind !== 'F'))
  let hash = createHash('sha256')
  const fitting = frames.map((frame) => {
    if (frame.kind === 'T' || frame.kind === 'O') hash = createHash('sha256')
    if (frame.kind === 'D') hash.update(frame.payload)
    if (frame.kind !== 'E') return frame
    const rows = objectIn(frame.payload.toString())['rows']
    return json('E', { rows, sha256: hash.digest('hex') })
  })
  const sha256 = createHash('sha256').update(bytesOf(fitting)).digest('hex')
  const end = json('F', { sha256, seal: sealOf(scene.transport, sha256) })
  await writeFile(scene.file(name), gzipSync(bytesOf([...fitting, end])))
  return name
}

export function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
  return changed
}

export const firstSbom = (frames: Frame[]) =>
  frames.findIndex((frame) => frame.kind === 'O' && frame.payload.includes('"sbom"'))

/** With the frames of one SBOM, between those before and after. */
export const around =
  (change: (before: Frame[], one: Frame[], after: Frame[]) => Frame[]) => (frames: Frame[]) => {
    const place = firstSbom(frames)
    const end = frames.findIndex((frame, at) => at > place && frame.kind === 'E') + 1
    return change(frames.slice(0, place), frames.slice(place, end), frames.slice(end))
  }

/** Nothing of a workspace is there. */
export async function expectNothing(target: Installation): Promise<void> {
  for (const table of ['workspace', 'member', 'person', 'family', 'finding', 'audit_event', 'job'])
    expect({ table, ...(await countOf(target, table)) }).toEqual({ table, rows: 0 })
}

async function countOf(target: Installation, table: string): Promise<{ rows: number } | undefined> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(table)}`.execute(
    target.store.db,
  )
  return rows[0]
}
