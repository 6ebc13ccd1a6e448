import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** `name epoch version release`, and an architecture where it differs. */
export type AlasPackage = readonly [
  name: string,
  version: string,
  release: string,
  more?: { epoch?: string; arch?: string },
]

export type Alas = {
  id: string
  severity?: string
  type?: string
  cves?: readonly string[]
  packages: readonly AlasPackage[]
}

/** `updateinfo.xml` as in the Amazon Linux repositories. */
export function updateinfo(...notices: readonly Alas[]): string {
  return `<?xml version="1.0" ?>\n<updates>${notices.map(update).join('')}</updates>\n`
}

function update({ id, severity = 'important', type = 'security', cves = [], packages }: Alas): string {
  const title = `Amazon Linux - ${id}: ${severity} priority package update for ${packages[0]?.[0] ?? ''}`
  const references = cves.map(
    (cve) =>
      `<reference href="http://cve.mitre.org/cgi-bin/cvename.cgi?name=${cve}" id="${cve}" title="" type="cve" />`,
  )
  const listed = packages.map(
    ([name, version, release, { epoch = '0', arch = 'x86_64' } = {}]) =>
      `<package arch="${arch}" epoch="${epoch}" name="${name}" release="${release}" version="${version}"><filename>Packages/${name}-${version}-${release}.${arch}.rpm</filename></package>`,
  )
  return [
    `<update author="linux-security@amazon.com" from="linux-security@amazon.com" status="final" type="${type}" version="1.4">`,
    `<id>${id}</id><title>${title}</title><issued date="2023-02-17 20:41" /><updated date="2023-02-22 23:22" />`,
    `<severity>${severity}</severity><description>Package updates &amp;amp; more:\n\tA flaw &lt;was&gt; found.</description>`,
    `<references>${references.join('')}</references>`,
    `<pkglist><collection short="amazon-linux"><name>Amazon Linux</name>${listed.join('')}</collection></pkglist></update>`,
  ].join('')
}

const repositories: Record<string, { list: string; at: string }> = {
  '2': { list: '2/core/latest/x86_64/mirror.list', at: '2/core/2.0/x86_64/221a4af0' },
  '2022': { list: 'al2022/core/mirrors/latest/x86_64/mirror.list', at: 'al2022/core/guids/6f01/x86_64' },
  '2023': { list: 'al2023/core/mirrors/latest/x86_64/mirror.list', at: 'al2023/core/guids/46ff/x86_64' },
  livepatch: {
    list: 'al2023/kernel-livepatch/mirrors/latest/x86_64/mirror.list',
    at: 'al2023/kernel-livepatch/guids/77aa/x86_64',
  },
  nvidia: {
    list: 'al2023/nvidia/mirrors/latest/x86_64/mirror.list',
    at: 'al2023/nvidia/guids/b9db/x86_64',
  },
}

/** The publisher's files, below its address: mirror lists, indexes and notices of its repositories, and of topics (`golang1.19`). */
export function alasMirror(notices: Record<string, readonly Alas[]>): Record<string, string | Buffer> {
  const topics = Object.keys(notices).filter((name) => !(name in repositories))
  const files: Record<string, string | Buffer> = {
    '2/extras-catalog.json': JSON.stringify({
      motd: '',
      status: 'ok',
      version: 1,
      topics: ['never-affected', ...topics].map((n) => ({ n, inst: ['x'], versions: ['stable'] })),
    }),
  }
  for (const [name, { list, at }] of Object.entries(repositories))
    Object.assign(files, repository(list, at, notices[name] ?? []))
  for (const name of topics)
    Object.assign(
      files,
      repository(
        `2/extras/${name}/latest/x86_64/mirror.list`,
        `2/extras/${name}/2.0/x86_64/99`,
        notices[name] ?? [],
      ),
    )
  Object.assign(
    files,
    repository(
      '2/extras/never-affected/latest/x86_64/mirror.list',
      '2/extras/never-affected/2.0/x86_64/98',
      null,
    ),
  )
  return files
}

function repository(
  list: string,
  at: string,
  notices: readonly Alas[] | null,
): Record<string, string | Buffer> {
  const content = gzipSync(updateinfo(...(notices ?? [])))
  const sha256 = createHash('sha256').update(content).digest('hex')
  const data = `<data type="updateinfo"><checksum type="sha256">${sha256}</checksum><location href="repodata/updateinfo.xml.gz" /></data>`
  return {
    [list]: `https://cdn.amazonlinux.com/${at}\n\n`,
    [`${at}/repodata/repomd.xml`]: `<repomd xmlns="http://linux.duke.edu/metadata/repo"><revision>1</revision><data type="primary_db"><location href="repodata/primary.sqlite.gz" /></data>${notices === null ? '' : data}</repomd>`,
    ...(notices === null ? {} : { [`${at}/repodata/updateinfo.xml.gz`]: content }),
  }
}
