import { describe, expect, it } from 'vitest'
import { parsePurl } from './purl.ts'

/** Every type of the purl specification: what it folds, and where its namespace, version, qualifiers and subpath are. */
const readable = `
pkg:alpm/arch/pacman@6.0.1-1?arch=x86_64 => alpm | arch | pacman | 6.0.1-1 | arch=x86_64 | -
pkg:alpm/arch/containers-common@1:0.47.4-4 => alpm | arch | containers-common | 1:0.47.4-4 | - | -
pkg:apk/Alpine/Curl@7.83.0-r0?arch=x86 => apk | alpine | curl | 7.83.0-r0 | arch=x86 | -
pkg:bazel/rules_go@0.48.0#go => bazel | - | rules_go | 0.48.0 | - | go
pkg:bazel/Curl@8.8.0.bcr.1 => bazel | - | Curl | 8.8.0.bcr.1 | - | -
pkg:bitbucket/birkenfeld/pygments-main@244fd47e => bitbucket | birkenfeld | pygments-main | 244fd47e | - | -
pkg:bitnami/WordPress@6.2.0?arch=arm64&distro=photon-4 => bitnami | - | wordpress | 6.2.0 | arch=arm64 distro=photon-4 | -
pkg:brew/postgresql%4012@12.17 => brew | - | postgresql@12 | 12.17 | - | -
pkg:brew/homebrew/core/sqlite@3.43.2 => brew | homebrew/core | sqlite | 3.43.2 | - | -
pkg:cargo/rand@0.7.2 => cargo | - | rand | 0.7.2 | - | -
pkg:chrome-extension/dlpngalgnefjeiefhmpklpfiohadpglk@1.2.3.4 => chrome-extension | - | dlpngalgnefjeiefhmpklpfiohadpglk | 1.2.3.4 | - | -
pkg:cocoapods/ShareKit@2.0#Twitter => cocoapods | - | ShareKit | 2.0 | - | Twitter
pkg:cocoapods/GoogleUtilities@7.5.2#NSData+zlib => cocoapods | - | GoogleUtilities | 7.5.2 | - | NSData+zlib
pkg:composer/Laravel/Laravel@5.5.0 => composer | laravel | laravel | 5.5.0 | - | -
pkg:conan/openssl.org/openssl@3.0.3?user=u&channel=stable&compiler=Visual%20Studio => conan | openssl.org | openssl | 3.0.3 | channel=stable compiler=Visual Studio user=u | -
pkg:conda/absl-py@0.4.1?subdir=linux-64&build=py36h06a4308_0&type=tar.bz2 => conda | - | absl-py | 0.4.1 | build=py36h06a4308_0 subdir=linux-64 type=tar.bz2 | -
pkg:cpan/DROLSKY/DateTime@1.55 => cpan | DROLSKY | DateTime | 1.55 | - | -
pkg:cpan/DateTime@1.55?author=DROLSKY => cpan | - | DateTime | 1.55 | author=DROLSKY | -
pkg:cran/rJava@1.0-4 => cran | - | rJava | 1.0-4 | - | -
pkg:deb/Debian/Attr@1:2.4.47-2%2Bb1?arch=amd64 => deb | debian | attr | 1:2.4.47-2+b1 | arch=amd64 | -
pkg:deb/debian/curl@7.50.3-1?distro=jessie&arch=i386 => deb | debian | curl | 7.50.3-1 | arch=i386 distro=jessie | -
pkg:docker/customer/image@sha256:244fd47e?repository_url=gcr.io => docker | customer | image | sha256:244fd47e | repository_url=gcr.io | -
pkg:docker/cassandra@latest => docker | - | cassandra | latest | - | -
pkg:gem/jruby-launcher@1.1.2?platform=java => gem | - | jruby-launcher | 1.1.2 | platform=java | -
pkg:gem/jruby-launcher@1.1.2?Platform=java => gem | - | jruby-launcher | 1.1.2 | platform=java | -
pkg:generic/openssl@1.1.10g?download_url=https://o.org/o-1.1.0g.tar.gz&checksum=sha256:de4d => generic | - | openssl | 1.1.10g | checksum=sha256:de4d download_url=https://o.org/o-1.1.0g.tar.gz | -
pkg:generic/bitwarderl?vcs_url=git%2Bhttps://g.org/b%40cc55 => generic | - | bitwarderl | - | vcs_url=git+https://g.org/b@cc55 | -
pkg:git/codeberg.org/forgejo/forgejo@a72d2c07#options/readme.md => git | codeberg.org/forgejo | forgejo | a72d2c07 | - | options/readme.md
pkg:github/Package-url/purl-Spec@244fd47e#everybody/loves/dogs => github | package-url | purl-spec | 244fd47e | - | everybody/loves/dogs
pkg:GOLANG/google.golang.org/genproto@abcdedf#/googleapis/api/ => golang | google.golang.org | genproto | abcdedf | - | googleapis/api
pkg:golang/github.com/gorilla/context@234fd47e => golang | github.com/gorilla | context | 234fd47e | - | -
pkg:hackage/3d-graphics-examples@0.0.0.2 => hackage | - | 3d-graphics-examples | 0.0.0.2 | - | -
pkg:hackage/AC-HalfInteger@1.2.1 => hackage | - | AC-HalfInteger | 1.2.1 | - | -
pkg:hex/Acme/Foo@2.3.1 => hex | acme | foo | 2.3.1 | - | -
pkg:hex/phoenix_html@2.13.3#priv/static/phoenix_html.js => hex | - | phoenix_html | 2.13.3 | - | priv/static/phoenix_html.js
pkg:huggingface/microsoft/deberta-v3-base@559062ad => huggingface | microsoft | deberta-v3-base | 559062ad | - | -
pkg:julia/Dates@1.9.0?uuid=ade2ca70 => julia | - | Dates | 1.9.0 | uuid=ade2ca70 | -
pkg:julia/Dates => julia | - | Dates | - | - | -
pkg:luarocks/hisham/luafilesystem@1.8.0-1 => luarocks | hisham | luafilesystem | 1.8.0-1 | - | -
pkg:maven/org.apache.commons/io@1.3.4 => maven | org.apache.commons | io | 1.3.4 | - | -
pkg:Maven/org.apache/batik-anim@1.9.1?classifier=sources&repositorY_url=r.io/x => maven | org.apache | batik-anim | 1.9.1 | classifier=sources repository_url=r.io/x | -
pkg:///maven/HTTPClient/HTTPClient@0.3-3 => maven | HTTPClient | HTTPClient | 0.3-3 | - | -
pkg:maven/g/a@1.0.0%20Final?mykey=my%20value => maven | g | a | 1.0.0 Final | mykey=my value | -
pkg:mlflow/trafficsigns@10?run_id=410a&model_uuid=3623 => mlflow | - | trafficsigns | 10 | model_uuid=3623 run_id=410a | -
pkg:npm/%40angular/animation@12.3.1 => npm | @angular | animation | 12.3.1 | - | -
pkg:npm/mypackage@12.4.5?vcs_url=git://h.com/r.git%404345 => npm | - | mypackage | 12.4.5 | vcs_url=git://h.com/r.git@4345 | -
pkg:npm/@babel/core#/api/annotations/ => npm | @babel | core | - | - | api/annotations
pkg:Nuget/EnterpriseLibrary.Common@6.0.1304 => nuget | - | EnterpriseLibrary.Common | 6.0.1304 | - | -
pkg:oci/debian@sha256%3A244fd47e?repository_url=docker.io/library/debian&tag=latest => oci | - | debian | sha256:244fd47e | repository_url=docker.io/library/debian tag=latest | -
pkg:opam/conex@1.0.0 => opam | - | conex | 1.0.0 | - | -
pkg:otp/asn1@5.4.1?platform=linux#src/asn1ct.erl => otp | - | asn1 | 5.4.1 | platform=linux | src/asn1ct.erl
pkg:pub/Characters@1.2.0 => pub | - | characters | 1.2.0 | - | -
pkg:PYPI/Django_package@1.11.1.dev1 => pypi | - | django-package | 1.11.1.dev1 | - | -
pkg:pypi/django@1.11.1?file_name=Django-1.11.1-py2.py3-none-any.whl => pypi | - | django | 1.11.1 | file_name=Django-1.11.1-py2.py3-none-any.whl | -
pkg:qpkg/blackberry/com.qnx.sdp@7.0.0.SGA201702151847 => qpkg | blackberry | com.qnx.sdp | 7.0.0.SGA201702151847 | - | -
pkg:rpm/Fedora/curl@7.50.3-1.fc25?Arch=i386&Distro=fedora-25 => rpm | fedora | curl | 7.50.3-1.fc25 | arch=i386 distro=fedora-25 | -
pkg:rpm/fedora/centerim@4.22.10-1.el6?epoch=1 => rpm | fedora | centerim | 4.22.10-1.el6 | epoch=1 | -
pkg:swid/Acme/example.com/Enterprise+Server@1.0.0?tag_id=75b8 => swid | Acme/example.com | Enterprise+Server | 1.0.0 | tag_id=75b8 | -
pkg:swift/github.com/RxSwiftCommunity/RxFlow@2.12.4 => swift | github.com/RxSwiftCommunity | RxFlow | 2.12.4 | - | -
pkg:swift/Alamofire@5.4.3 => swift | - | Alamofire | 5.4.3 | - | -
pkg:vcpkg/curl@8.6.0?features=ssl%2Chttp2&triplet=x64-linux => vcpkg | - | curl | 8.6.0 | features=ssl,http2 triplet=x64-linux | -
pkg:vcpkg/zlib@1.3.1#6 => vcpkg | - | zlib | 1.3.1 | - | 6
pkg:vscode-extension/redhat/java@1.46.2025091308?platform=linux-x64 => vscode-extension | redhat | java | 1.46.2025091308 | platform=linux-x64 | -
pkg:yocto/core/glibc@2.35?layer_version=kirkstone => yocto | core | glibc | 2.35 | layer_version=kirkstone | -
`

const unreadable = [
  'EnterpriseLibrary.Common@6.0.1304',
  'pkg:EnterpriseLibrary.Common@6.0.1304',
  'pkg:n&g?inx/nginx@0.8.9',
  'pkg:3nginx/nginx@0.8.9',
  'pkg:nginx:a/nginx@0.8.9',
  'pkg%3Amaven/org.apache.commons/io',
  'pkg:maven/@1.3.4',
  'pkg:cran/@0.9.1',
  'pkg:julia/@1.9.0',
  'pkg:vcpkg/@1.0.8',
  'pkg:hackage',
  'pkg:swift/github.com/Alamofire/@5.4.3',
  'pkg:npm/myartifact@1.0.0?in%20production=true',
]

/** As a row of the table: type, namespace, name, version, qualifiers by key, subpath. */
function rowOf(text: string): string | undefined {
  const purl = parsePurl(text)
  if (purl === undefined) return undefined
  const qualifiers = [...purl.qualifiers].map(([key, value]) => `${key}=${value}`).toSorted()
  const parts = [
    purl.type,
    purl.namespace,
    purl.name,
    purl.version,
    qualifiers.join(' ') || null,
    purl.subpath,
  ]
  return parts.map((part) => part ?? '-').join(' | ')
}

const rows = readable
  .trim()
  .split('\n')
  .map((line) => line.split(' => '))

describe('purls of every type', () => {
  it.each(rows)('reads %s', (text, row) => {
    expect(rowOf(text)).toBe(row)
  })

  it('has a row for every type of the specification', () => {
    expect(new Set(rows.map(([, row]) => row?.split(' ')[0])).size).toBe(42)
  })

  it.each(unreadable)('refuses %s', (text) => {
    expect(parsePurl(text)).toBeUndefined()
  })
})
