import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openZip } from '../../src/source-files/zip-entries.ts'

type Zip = Awaited<ReturnType<typeof openZip>>

/** Opens a zip file of these bytes while `use` runs. */
export async function withZip<T>(bytes: Buffer, use: (zip: Zip) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'zip-'))
  const path = join(folder, 'test.zip')
  writeFileSync(path, bytes)
  try {
    const zip = await openZip(path)
    try {
      return await use(zip)
    } finally {
      await zip.close()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The JSON files of a zip file by name. */
export async function readZip(bytes: Buffer): Promise<Record<string, string>> {
  return withZip(bytes, async (zip) => {
    const files: Record<string, string> = {}
    for await (const { name, bytes: content } of zip.read()) files[name] = content.toString()
    return files
  })
}
