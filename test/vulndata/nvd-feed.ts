import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A file of NVD's feeds with its `.meta`, as a server offers them. */
export function feedFiles(
  name: string,
  vulnerabilities: readonly unknown[],
): Record<string, string | Buffer> {
  const text = JSON.stringify({
    resultsPerPage: vulnerabilities.length,
    format: 'NVD_CVE',
    version: '2.0',
    vulnerabilities,
  })
  const sha256 = createHash('sha256').update(text).digest('hex').toUpperCase()
  const modified = 'lastModifiedDate:2025-02-01T00:00:00-05:00'
  return {
    [`nvdcve-2.0-${name}.meta`]: `${modified}\r\nsize:${text.length}\r\nsha256:${sha256}\r\n`,
    [`nvdcve-2.0-${name}.json.gz`]: gzipSync(text),
  }
}
