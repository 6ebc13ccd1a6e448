import { expect, test } from 'vitest'
import { parsePurl } from '../../formats/purl/purl.ts'
import { thing } from '../identity-table.ts'
import { identify } from '../identify.ts'
import { noSurroundings } from '../surroundings.ts'

const samba = { name: 'samba', version: '4.17.5-1.el8', epoch: null }
const libs = 'pkg:rpm/redhat/samba-libs@4.17.5-1.el8?distro=redhat-8.9'

test.each<[what: string, purl: string, source: typeof samba | null, keys: string[]]>([
  ['a source beside the purl', libs, samba, ['Red Hat source\u001fsamba']],
  ['none', libs, null, []],
  ['one that the purl itself names', `${libs}&upstream=samba-4.17.5-1.el8.src.rpm`, samba, []],
  ['one of the same name', libs.replace('samba-libs', 'samba'), samba, []],
  ['one without a name', libs, { ...samba, name: ' ' }, []],
  ['one of another distribution', libs.replaceAll('redhat', 'almalinux'), samba, []],
])('further names of a package of Red Hat with %s', (_, purl, source, keys) => {
  const identity = identify(thing({ purl, source }), noSurroundings)
  expect(identity.packageKey?.split('\u001f')[1]).toBe(parsePurl(purl)?.name)
  expect(identity.further.map(({ packageKey }) => packageKey)).toEqual(keys)
  expect(identity.further.every(({ origin }) => origin === 'name')).toBe(true)
})
