import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const text = /\.(?:js|css|html|svg)$/
const packBrotli = promisify(brotliCompress)
const packGzip = promisify(gzip)

/** Writes .br and .gz files beside every built text file, so that the service never compresses at request time. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    writeBundle: async ({ dir = '' }) => {
      const names = await readdir(dir, { recursive: true })
      for (const name of names.filter((file) => text.test(file))) await compress(join(dir, name))
    },
  }
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  await writeFile(`${file}.br`, await packBrotli(content, { params }))
  await writeFile(`${file}.gz`, await packGzip(content, { level: 9 }))
}
