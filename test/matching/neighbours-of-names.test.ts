import { expect, test } from 'vitest'
import { describeVulnerability } from '../../src/vulnerabilities/describe-vulnerability.ts'
import { testNow } from '../support/clock.ts'
import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/** One package under the names tools write for it: registries, then distributions with their releases. */
const table = neighboursIn(String.raw`
Go as it is | Go | github.com/BurntSushi/toml | <1.0.0 | pkg:golang/github.com/BurntSushi/toml@v0.3.1 | exact
Go in lower case (Trivy) | Go | github.com/Azure/go-ntlmssp | <1.0.0 | pkg:golang/github.com/azure/go-ntlmssp@v0.3.1 | exact
Go in lower case, fixed | Go | github.com/Azure/fixed | <1.0.0 | pkg:golang/github.com/azure/fixed@v1.0.0 | -
Go listed, in lower case | Go | github.com/Azure/listed | =1.0.0 | pkg:golang/github.com/azure/listed@v1.0.0 | exact
Go escaped | Go | github.com/Masterminds/goutils | <1.1.1 | pkg:golang/github.com/%21masterminds/goutils@v1.1.0 | exact
Go escaped in the open | Go | github.com/Masterminds/sprig | <3.0.0 | pkg:golang/github.com/!masterminds/sprig@v2.0.0 | exact
Go behind %2F | Go | github.com/gin-gonic/gin | <1.9.0 | pkg:golang/github.com%2Fgin-gonic%2Fgin@v1.8.0 | exact
Go major version as subpath | Go | github.com/foo/bar/v2 | <2.9.0 | pkg:golang/github.com/foo/bar@v2.8.0#v2 | exact
Go +incompatible | Go | github.com/docker/docker | <20.10.0 | pkg:golang/github.com/docker/docker@v19.3.0%2Bincompatible | exact
Go package of a module | Go | golang.org/x/net | <0.38.0 | pkg:golang/golang.org/x/net@v0.37.0#html | exact
Go without v | Go | github.com/a/b | <1.0.0 | pkg:golang/github.com/a/b@0.9.0 | exact
Go pseudo-version | Go | github.com/a/c | <0.0.0-20220315160706-3147a52a75dd | pkg:golang/github.com/a/c@v0.0.0-20210101000000-aaaaaaaaaaaa | exact
npm scope | npm | @babel/traverse | <7.23.2 | pkg:npm/%40babel/traverse@7.23.0 | exact
npm scope in the open | npm | @babel/core | <7.23.2 | pkg:npm/@babel/core@7.23.0 | exact
npm scope behind %2F | npm | @babel/cli | <7.23.2 | pkg:npm/%40babel%2Fcli@7.23.0 | exact
npm with capitals | npm | JSONStream | <2.0.0 | pkg:npm/JSONStream@1.3.5 | exact
npm in lower case is another package | npm | JSONThing | <2.0.0 | pkg:npm/jsonthing@1.3.5 | -
npm alias | npm | vue-loader | <15.11.0 | pkg:npm/vue-loader-15@npm:vue-loader@15.10.0 | exact
npm alias of a scope | npm | @scope/p | <2.0.0 | pkg:npm/alias@npm%3A%40scope%2Fp%401.0.0 | exact
npm from a workspace | npm | ws | <2.0.0 | pkg:npm/ws@workspace%3A%2A | possible
npm from git | npm | from-git | <2.0.0 | pkg:npm/from-git@git%2Bhttps://github.com/a/b.git%231.0.0 | uncomparable
PyPI with a point | PyPI | ruamel-yaml | <0.18 | pkg:pypi/ruamel.yaml@0.17 | exact
PyPI as the record spells it | PyPI | Flask_Foo.Bar | <2.0 | pkg:pypi/flask-foo-bar@1.0 | exact
PyPI with two hyphens | PyPI | zope.interface | <2.0 | pkg:pypi/Zope--Interface@1.0 | exact
PyPI extras | PyPI | celery | <5.2.2 | pkg:pypi/celery%5Bredis%5D@5.0 | exact
PyPI extras behind a space | PyPI | kombu | <5.2.2 | pkg:pypi/kombu%20%5Bredis,auth%5D@5.0 | exact
NuGet | NuGet | Newtonsoft.Json | <13.0.1 | pkg:nuget/newtonsoft.json@12.0.3 | exact
NuGet, four numbers | NuGet | Four | <1.2.3.4 | pkg:nuget/Four@1.2.3.3 | exact
NuGet, a zero behind | NuGet | Five | <1.2.3 | pkg:nuget/Five@1.2.3.0 | -
NuGet property | NuGet | Six | <1.2.3 | pkg:nuget/Six@$(Version) | possible
Composer | Packagist | Symfony/Http-Kernel | <5.4.20 | pkg:composer/symfony/http-kernel@v5.4.1 | exact
Maven with classifier | Maven | io.netty:netty-codec | <4.1.100.Final | pkg:maven/io.netty/netty-codec@4.1.99.Final?classifier=linux-x86_64&type=jar | exact
Maven, Final is the release | Maven | org.hibernate:core | <5.4.24 | pkg:maven/org.hibernate/core@5.4.24.Final | -
Maven of a repository | Maven:https://repo1.maven.org/maven2 | a:b | <2.0 | pkg:maven/a/b@1.9-SNAPSHOT | exact
Maven property | Maven | a:c | <2.0 | pkg:maven/a/c@$%7Bproject.version%7D | possible
cargo as Rust writes it | crates.io | tokio-util | <2.0.0 | pkg:cargo/tokio_util@1.0.0 | exact
cargo the other way | crates.io | time_utils | <2.0.0 | pkg:cargo/time-utils@1.0.0 | exact
cargo with capitals | crates.io | Inflector | <2.0.0 | pkg:cargo/inflector@1.0.0 | exact
cargo build | crates.io | openssl-src | <300.0.9 | pkg:cargo/openssl-src@300.0.8%2B3.0.6 | exact
RubyGems platform | RubyGems | nokogiri | <1.13.9 | pkg:gem/nokogiri@1.13.8-x86_64-linux | exact
RubyGems with capitals | RubyGems | RedCloth | <4.3 | pkg:gem/RedCloth@4.2 | exact
Hex | Hex | phoenix | <1.6.14 | pkg:hex/Phoenix@1.6.0 | exact
Pub | Pub | http | <0.13.3 | pkg:pub/http@0.13.2%2B1 | exact
Swift | SwiftURL | https://github.com/Apple/swift-nio | <2.0.0 | pkg:swift/github.com/apple/swift-nio.git@1.9.0 | exact
Hackage | Hackage | HTTP | <2.0.1.0 | pkg:hackage/HTTP@2.0.0.0 | exact
CRAN | CRAN | commonmark | <1.8 | pkg:cran/commonmark@1.7-1 | exact
action | GitHub Actions | tj-actions/Changed-files | <46.0.1 | pkg:githubactions/tj-actions/changed-files@v45.0.0 | exact
action below its repository | GitHub Actions | github/codeql-action | <3.28.3 | pkg:githubactions/github/codeql-action@v3.28.2#init | exact
action by a branch | GitHub Actions | a/act | <2.0.0 | pkg:githubactions/a/act@main | uncomparable
VS Code | VSCode | ms-python/python | <2024.1.0 | pkg:vscode-extension/ms-python/Python@2023.1.0 | exact
Debian by number | Debian:12 | a | <3.0.11-1~deb12u1 | pkg:deb/debian/a@3.0.9-1?arch=source&distro=debian-12 | exact
Debian by code name | Debian:12 | b | <3.0.11-1~deb12u1 | pkg:deb/debian/libb1@3.0.9-1?arch=amd64&distro=bookworm&upstream=b | exact
Debian of another release | Debian:11 | c | <2-1 | pkg:deb/debian/c@1-1?arch=source&distro=debian-12 | -
Debian, distro_name | Debian:12 | d | <2-1 | pkg:deb/debian/d@1-1?arch=source&distro_name=bookworm | exact
Debian as Docker Scout writes it | Debian:12 | e | <2-1 | pkg:deb/debian/e@1-1?arch=source&os_distro=bookworm&os_name=debian&os_version=12 | exact
Debian epoch as qualifier | Debian:12 | f | <1:2.3-4~deb12u2 | pkg:deb/debian/f@2.3-4~deb12u1?epoch=1&arch=source&distro=debian-12 | exact
Debian told by its version | Debian:12 | g | <2.3-4+deb12u2 | pkg:deb/debian/g@2.3-4+deb12u1?arch=source | exact
Debian, release unknown | Debian:12 | h | <2-1 | pkg:deb/debian/h@1-1?arch=source | release_unknown
Ubuntu LTS | Ubuntu:22.04:LTS | i | <2-1ubuntu1 | pkg:deb/ubuntu/i@1-1?arch=source&distro=jammy | exact
Ubuntu Pro | Ubuntu:Pro:18.04:LTS | j | <2-1ubuntu1+esm1 | pkg:deb/ubuntu/j@1-1?arch=source&distro=ubuntu-18.04 | -
Alpine | Alpine:v3.20 | k | <3.3.1-r1 | pkg:apk/alpine/k@3.3.1-r0?arch=x86_64&distro=alpine-3.20.3 | exact
Alpine as Docker Scout writes it | Alpine:v3.18 | l | <2-r1 | pkg:apk/alpine/l@1-r1?os_name=alpine&os_version=3.18 | exact
Alpine edge | Alpine:v3.20 | m | <3.3.1-r1 | pkg:apk/alpine/m@3.3.1-r0?distro=alpine-edge | release_unknown
Rocky | Rocky Linux:9 | n | <0:2.4.53-11.el9_2.5 | pkg:rpm/rocky/n-tools@2.4.53-7.el9?arch=x86_64&distro=rocky-9.2&upstream=n-2.4.53-7.el9.src.rpm | exact
Red Hat by content | Red Hat:enterprise_linux:9::appstream | o | <1:2.4.53-11.el9_2.5 | pkg:rpm/redhat/o@2.4.53-7.el9?epoch=1&arch=x86_64&distro=rhel-9.2 | exact
Red Hat of another release | Red Hat:enterprise_linux:8::appstream | p | <0:2.4.53-11.el8 | pkg:rpm/redhat/p@2.4.53-7.el9?distro=rhel-9.2 | -
AlmaLinux | AlmaLinux:9 | q | <2-2.el9 | pkg:rpm/alma/q@2-1.el9?distro=alma-9 | exact
SUSE by module | SUSE:Linux Enterprise Module for Basesystem 15 SP5 | r | <1.1.1-150500.2 | pkg:rpm/suse/r@1.1.1-150500.1?arch=src&distro=sles-15.5 | exact
openSUSE | openSUSE:Leap 15.5 | s | <1.1.1-2 | pkg:rpm/opensuse/s@1.1.1-1?arch=src&distro=opensuse-leap-15.5 | exact
openEuler | openEuler:22.03-LTS-SP1 | t | <1.1.1-2 | pkg:rpm/openeuler/t@1.1.1-1?arch=src&distro=openEuler-22.03-LTS-SP1 | exact
Azure Linux by its former name | Azure Linux:2 | u | <1.1.1-2.cm2 | pkg:rpm/mariner/u@1.1.1-1.cm2?arch=src&distro=mariner-2.0 | exact
Wolfi | Wolfi | v | <1.1.1-r2 | pkg:apk/wolfi/v@1.1.1-r1?arch=x86_64&distro=wolfi-20230201 | exact
Chainguard by origin | Chainguard | w | <1.1.1-r2 | pkg:apk/chainguard/w-libs@1.1.1-r1?arch=x86_64&upstream=w | exact
`)

const scene = testNeighbours(table)

test.each(['Go in lower case (Trivy)', 'cargo as Rust writes it'])(
  '%s: the page names the package once',
  async (rule) => {
    const { record } = table.find((neighbour) => neighbour.rule === rule) ?? { record: { id: '' } }
    const { records } = await describeVulnerability(scene().db, scene().workspaceId, record.id, testNow)
    const names = records.flatMap(({ ranges }) => ranges.map((range) => range.package))
    expect(names).toEqual([rule.startsWith('Go') ? 'github.com/Azure/go-ntlmssp' : 'tokio-util'])
  },
)
