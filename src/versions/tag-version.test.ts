import { describe, expect, it } from 'vitest'
import { versionKey } from './ordering.ts'
import { versionOfTag } from './tag-version.ts'

const keyOf = (tag: string, repository: string) => {
  const key = versionKey('generic', versionOfTag(tag, repository))
  return key === null ? null : Buffer.from(key).toString('hex')
}

/** `repository: tags of one version`. */
const sameVersion = `
github.com/madler/zlib: v1.2.11 1.2.11 zlib-1.2.11 V1.2.11 refs/tags/v1.2.11 zlib-v1.2.11 release-1.2.11
github.com/curl/curl: curl-8_5_0 8.5.0 v8.5.0 curl-8.5.0 CURL_8_5_0
github.com/openssl/openssl: openssl-3.0.7 3.0.7 OpenSSL_3_0_7 v3.0.7
github.com/openssl/openssl: OpenSSL_1_1_1k 1.1.1k openssl-1.1.1k
github.com/openssl/openssl: openssl-3.0.0-alpha1 3.0.0-alpha1
github.com/libexpat/libexpat: R_2_4_1 2.4.1 expat-2.4.1
github.com/freetype/freetype: VER-2-13-0 2.13.0
github.com/openssh/openssh-portable: V_9_3_P1 9.3p1 openssh-9.3p1
github.com/postgres/postgres: REL_14_2 14.2 REL14_2
github.com/sqlite/sqlite: version-3.40.0 3.40.0
github.com/nginx/nginx: release-1.21.0 1.21.0
github.com/php/php-src: php-8.1.0RC1 8.1.0RC1 8.1.0-rc1
github.com/ffmpeg/ffmpeg: n4.4.1 4.4.1
github.com/libssh2/libssh2: libssh2-1.10.0 1.10.0
github.com/llvm/llvm-project: llvmorg-15.0.0 15.0.0
github.com/ghc/ghc: ghc-9.4.7-release 9.4.7 ghc-9.4.7
github.com/torvalds/linux: v6.1-rc3 6.1-rc3
gitlab.com/gnutls/gnutls: gnutls_3_7_0 3.7.0
sourceware.org/glibc: glibc-2.35 2.35
w1.fi/hostap: hostap_2_10 2.10
github.com/imagemagick/imagemagick: 7.1.0-4 v7.1.0-4
github.com/project/x: release-v1.2 tags/v1.2 v1.2 1.2
`

/** `repository: a tag, and one that names no or another version`. */
const others = `
github.com/madler/zlib: v1.2.11 1.2.1
github.com/madler/zlib: v1.2.11 1.2.11.1
github.com/madler/zlib: v1.2.11 v1.2.11-rc1
github.com/madler/zlib: v1.2.11 docs-1.2.11
github.com/madler/zlib: v1.2.11 minizip-1.2.11
github.com/madler/zlib: v1.2.11 debian/1.2.11
github.com/curl/curl: curl-8_5_0 8.50
github.com/curl/curl: curl-8_5_0 tiny-curl-8_5_0
github.com/openssl/openssl: openssl-2.0.1 OpenSSL-fips-2_0_1
github.com/openssl/openssl: OpenSSL_1_1_1k OpenSSL_1_1_1
github.com/openssl/openssl: OpenSSL_1_0_2 10.2
github.com/openssl/openssl: openssl-3.0.7 curl-3.0.7
github.com/libssh/libssh: libssh-2.1 libssh2-1
github.com/project/x: v1.2 main
github.com/project/x: v1.2 v1.2-docs
`

const lines = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [repository = '', tags = ''] = line.split(': ')
      return { repository, tags: tags.split(' '), line }
    })

describe('tags of a repository', () => {
  it.each(lines(sameVersion))('$line are one version', ({ repository, tags }) => {
    const keys = tags.map((tag) => keyOf(tag, repository))
    expect(keys[0]).not.toBeNull()
    expect(keys).toEqual(keys.map(() => keys[0]))
  })

  it.each(lines(others))('$line are not', ({ repository, tags }) => {
    const [one, other] = tags.map((tag) => keyOf(tag, repository))
    expect(one).not.toBeNull()
    expect(other).not.toBe(one)
  })

  it('reads a commit and a tag of another product as what they are, which nothing orders', () => {
    const commit = '7CA2D6BD0A0B0C0D0E0F1A1B1C1D1E1F2A2B2C2D'
    expect(versionOfTag(commit, 'github.com/madler/zlib')).toBe(commit.toLowerCase())
    expect(keyOf(commit, 'github.com/madler/zlib')).toBeNull()
    expect(versionOfTag('OpenSSL-fips-2_0_1', 'github.com/openssl/openssl')).toBe('OpenSSL-fips-2_0_1')
  })
})
