import { publicId } from '../../contract/public/public-id.ts'
import { packageDigests } from '../../records/osv/read-digests.ts'
import { fieldOf, listField, textField } from '../../source-files/fields.ts'
import type { StoredRecord } from './select-evidence.ts'

const spelt: Readonly<Record<string, string>> = {
  sha1: 'SHA-1',
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
  blake2b256: 'BLAKE2b-256',
}

/** Which digest of a component met which package of the record: nothing else has it, whatever the component is called. */
export function describeDigest(
  { record_id, document }: Pick<StoredRecord, 'record_id' | 'document'>,
  digest: string,
): string {
  const [algorithm = '', value = ''] = digest.split(':')
  const subject = packageWith(document, digest) ?? 'its package'
  return `The component has the ${spelt[algorithm] ?? algorithm} digest that ${publicId(record_id)} states of ${subject} (${value}), matched by hash, exact.`
}

/** `left-padd of npm`, as the record names the package that it states the digest of. */
function packageWith(document: string, digest: string): string | null {
  const record: unknown = JSON.parse(document)
  const entry = listField(record, 'affected').find((one) => packageDigests(one).includes(digest))
  const named = fieldOf(entry, 'package')
  const [name, ecosystem] = ['name', 'ecosystem'].map((key) => textField(named, key, 200))
  if (name === null || name === undefined) return null
  return ecosystem === null || ecosystem === undefined ? name : `${name} of ${ecosystem}`
}
