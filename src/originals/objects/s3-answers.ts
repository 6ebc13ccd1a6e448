import type { StoredKey } from './object-store.ts'

/** The code of an error, such as `NoSuchKey`; empty where there is none. */
export function codeOf(body: Buffer): string {
  return /<Code>([A-Za-z0-9]{1,64})<\/Code>/.exec(body.toString('utf8', 0, 4_096))?.[1] ?? ''
}

/** A page of `ListObjectsV2`; null: it is none. The texts are of one level and known names: nothing of XML but its escapes is met. */
export function readListing(text: string): { keys: StoredKey[]; next: string | null } | null {
  if (!text.includes('<ListBucketResult')) return null
  const keys = [...text.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: textOf(entry, 'Key'),
    sizeBytes: Number(textOf(entry, 'Size')),
    writtenAt: new Date(textOf(entry, 'LastModified')),
  }))
  const isTruncated = textOf(text, 'IsTruncated') === 'true'
  return { keys, next: isTruncated ? textOf(text, 'NextContinuationToken') : null }
}

function textOf(entry: string, name: string): string {
  return unescaped(new RegExp(`<${name}>([^<]*)</${name}>`).exec(entry)?.[1] ?? '')
}

const escapes: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));/g,
    (all: string, decimal?: string, hex?: string, name?: string) => {
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      return escapes[name ?? ''] ?? all
    },
  )
}
