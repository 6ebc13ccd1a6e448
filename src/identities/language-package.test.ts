import { describe, expect, it } from 'vitest'
import { identityRow, readTable, thing } from './identity-table.ts'
import { identify } from './identify.ts'
import { noSurroundings } from './surroundings.ts'

/**
 * Rule, purl, and what becomes of it: ecosystem | name | version | release | stream | decidability, with `-` for none and
 * `?` for an unknown release.
 */
const registries = readTable(`
npm as is :: pkg:npm/JSONStream@1.0.3 => npm | JSONStream | 1.0.3 | - | - | covered
npm scope :: pkg:npm/%40babel/core@7.0.0 => npm | @babel/core | 7.0.0 | - | - | covered
npm scope behind %2F :: pkg:npm/%40babel%2Fcore@7.0.0 => npm | @babel/core | 7.0.0 | - | - | covered
npm scope without @ :: pkg:npm/babel/core@7.0.0 => npm | @babel/core | 7.0.0 | - | - | covered
npm subpath does not matter :: pkg:npm/a@1.0.0#packages/a => npm | a | 1.0.0 | - | - | covered
PEP 503 :: pkg:pypi/Ruamel._-Yaml@0.17 => PyPI | ruamel-yaml | 0.17 | - | - | covered
npm alias in the version :: pkg:npm/%40vue/vue-loader-v15@npm:vue-loader@15.10.0 => npm | vue-loader | 15.10.0 | - | - | covered
npm alias of a scope :: pkg:npm/x@npm:%40vue/compiler-sfc@3.0.0 => npm | @vue/compiler-sfc | 3.0.0 | - | - | covered
npm alias as the name :: pkg:npm/npm%3Avue-loader@15.10.0 => npm | vue-loader | 15.10.0 | - | - | covered
npm alias of a range :: pkg:npm/x@npm%3Avue-loader%40%5E15 => npm | vue-loader | - | - | - | no_version
a name with a range in it :: pkg:npm/lodash%3E=4@4.0.0 => - | pkg:npm/lodash>=4 | 4.0.0 | ? | - | not_covered
npm scope with capitals :: pkg:npm/%40Scope/x@1.0.0 => - | npm/@Scope/x | 1.0.0 | ? | - | not_covered
rebuilt by TuxCare :: pkg:npm/vm2@3.10.0-tuxcare.1 => - | pkg:npm/vm2 | 3.10.0-tuxcare.1 | ? | - | not_covered
rebuilt by TuxCare, Maven :: pkg:maven/org.springframework/spring-core@5.3.18.tuxcare.2 => - | pkg:maven/org.springframework/spring-core | 5.3.18.tuxcare.2 | ? | - | not_covered
npm path :: pkg:npm/a/b/c@1.0.0 => - | npm/@a/b/c | 1.0.0 | ? | - | not_covered
PyPI with a namespace :: pkg:pypi/a/b@1.0 => - | PyPI/a/b | 1.0 | ? | - | not_covered
Go without a host :: pkg:golang/internal/x@v1.0.0 => - | Go/internal/x | v1.0.0 | ? | - | not_covered
a crate that begins with a digit :: pkg:cargo/7z@1.0.0 => - | crates.io/7z | 1.0.0 | ? | - | not_covered
Composer without vendor :: pkg:composer/framework@9.0.0 => - | Packagist/framework | 9.0.0 | ? | - | not_covered
Hex with a hyphen :: pkg:hex/a-b@1.0.0 => - | Hex/a-b | 1.0.0 | ? | - | not_covered
Pub with a hyphen :: pkg:pub/a-b@1.0.0 => - | Pub/a-b | 1.0.0 | ? | - | not_covered
CRAN with an underscore :: pkg:cran/a_b@1.0 => - | CRAN/a_b | 1.0 | ? | - | not_covered
a template as a name :: pkg:maven/%24%7Bproject.groupId%7D/x@1.0 => - | pkg:maven/\${project.groupId}/x | 1.0 | ? | - | not_covered
extras :: pkg:pypi/celery%5Bredis%2Cpytest%5D@4.4.7 => PyPI | celery | 4.4.7 | - | - | covered
extras as a qualifier :: pkg:pypi/celery@4.4.7?extras=redis => PyPI | celery | 4.4.7 | - | - | covered
PEP 503 dots :: pkg:pypi/zope.interface@5 => PyPI | zope-interface | 5 | - | - | covered
Maven :: pkg:maven/org.apache/Commons@1.0?type=jar => Maven | org.apache:Commons | 1.0 | - | - | covered
sbt is Maven :: pkg:sbt/org.typelevel/cats-core_2.13@2.9.0 => Maven | org.typelevel:cats-core_2.13 | 2.9.0 | - | - | covered
.NET as Trivy found it :: pkg:dotnet-core/Serilog@2.10.0 => NuGet | serilog | 2.10.0 | - | - | covered
.NET with an escaped @ :: pkg:nuget/Microsoft.Sbom.DotNetTool%400.3.0 => NuGet | microsoft.sbom.dotnettool | 0.3.0 | - | - | covered
Rust as Trivy found it :: pkg:rustbinary/adler@1.0.2 => crates.io | adler | 1.0.2 | - | - | covered
Rust by its registry :: pkg:crates/adler@1.0.2 => crates.io | adler | 1.0.2 | - | - | covered
Ruby by its registry :: pkg:rubygems/rack@3.0.8 => RubyGems | rack | 3.0.8 | - | - | covered
Python by its package manager :: pkg:pip/Flask_Login@0.6.3 => PyPI | flask-login | 0.6.3 | - | - | covered
Go by its command :: pkg:go/github.com/a/b@v1.0.0 => Go | github.com/a/b | v1.0.0 | - | - | covered
gradle is Maven :: pkg:gradle/org.apache/commons@1.0 => Maven | org.apache:commons | 1.0 | - | - | covered
Maven without group :: pkg:maven/commons@1.0 => - | pkg:maven/commons | 1.0 | ? | - | not_covered
Go module :: pkg:golang/github.com/BurntSushi/toml@v1.0.0 => Go | github.com/BurntSushi/toml | v1.0.0 | - | - | covered
Go module escaped as in the module cache :: pkg:golang/github.com/%21burnt%21sushi/toml@v1.0.0 => Go | github.com/BurntSushi/toml | v1.0.0 | - | - | covered
Go module behind %2F :: pkg:golang/github.com%2Fa%2Fb@v1.0.0 => Go | github.com/a/b | v1.0.0 | - | - | covered
Go subpath of a major version :: pkg:golang/a.b/c@v2.1.0#v2 => Go | a.b/c/v2 | v2.1.0 | - | - | covered
Go major version in the name :: pkg:golang/a.b/c/v2@v2.1.0#v2 => Go | a.b/c/v2 | v2.1.0 | - | - | covered
Go subpath of a package :: pkg:golang/a.b/c@v1.1.0#cmd/c => Go | a.b/c | v1.1.0 | - | - | covered
Go /v1 is no suffix :: pkg:golang/a.b/c@v1.1.0#v1 => Go | a.b/c | v1.1.0 | - | - | covered
Go +incompatible :: pkg:golang/a.b/c@v3.0.0+incompatible => Go | a.b/c | v3.0.0+incompatible | - | - | covered
Go pseudo-version :: pkg:golang/a.b/c@v0.0.0-20190718012654-fb15b899a751 => Go | a.b/c | v0.0.0-20190718012654-fb15b899a751 | - | - | covered
Go standard library of Syft :: pkg:golang/stdlib@1.20.1 => Go | stdlib | 1.20.1 | - | - | covered
Go standard library of cyclonedx-gomod :: pkg:golang/std@1.17.2 => Go | stdlib | 1.17.2 | - | - | covered
Go standard library with go :: pkg:golang/stdlib@go1.21rc2 => Go | stdlib | go1.21rc2 | - | - | covered
Go package of the standard library :: pkg:golang/crypto/x509@go1.26.8?type=package => Go | stdlib | go1.26.8 | - | - | covered
Go package that the standard library has taken over :: pkg:golang/vendor/golang.org/x/net/idna@go1.26.8?type=package => Go | stdlib | go1.26.8 | - | - | covered
Go package of the toolchain :: pkg:golang/cmd/go@go1.26.8?type=package => Go | toolchain | go1.26.8 | - | - | covered
Go toolchain :: pkg:golang/toolchain@1.21.1 => Go | toolchain | 1.21.1 | - | - | covered
Go toolchain with experiments :: pkg:golang/stdlib@1.26.5-X%3Aboringcrypto => Go | stdlib | 1.26.5 | - | - | covered
Go toolchain with experiments as go version says it :: pkg:golang/stdlib@go1.26.5%20X:boringcrypto => Go | stdlib | go1.26.5 | - | - | covered
Go toolchain of a distributor :: pkg:golang/stdlib@1.22.7-bigcorp => Go | stdlib | 1.22.7 | - | - | covered
Go toolchain before its release :: pkg:golang/stdlib@1.21rc2-bigcorp => Go | stdlib | 1.21rc2 | - | - | covered
a prerelease of a module is one :: pkg:golang/a.b/c@v1.22.7-bigcorp => Go | a.b/c | v1.22.7-bigcorp | - | - | covered
Go (devel) :: pkg:golang/a.b/c@(devel) => Go | a.b/c | - | - | - | no_version
Go without version :: pkg:golang/a.b/c => Go | a.b/c | - | - | - | no_version
Go v0.0.0 :: pkg:golang/a.b/c@v0.0.0 => Go | a.b/c | v0.0.0 | - | - | covered
Go working copy :: pkg:golang/a.b/c@v0.0.0-20240102030405-abcdefabcdef+dirty => Go | a.b/c | - | - | - | no_version
Go replaced by a directory :: pkg:golang/a.b/c@v0.0.0-00010101000000-000000000000 => Go | a.b/c | - | - | - | no_version
cargo :: pkg:cargo/time_utils@0.1.0 => crates.io | time_utils | 0.1.0 | - | - | covered
gem platform :: pkg:gem/nokogiri@1.13.8-x86_64-linux => RubyGems | nokogiri | 1.13.8 | - | - | covered
gem java :: pkg:gem/nokogiri@1.13.8-java => RubyGems | nokogiri | 1.13.8 | - | - | covered
gem prerelease :: pkg:gem/rails@7.0.0.rc1 => RubyGems | rails | 7.0.0.rc1 | - | - | covered
NuGet lower-cased :: pkg:nuget/Newtonsoft.Json@13.0.1 => NuGet | newtonsoft.json | 13.0.1 | - | - | covered
old Syft type of NuGet :: pkg:dotnet/Newtonsoft.Json@13.0.1 => NuGet | newtonsoft.json | 13.0.1 | - | - | covered
Composer lower-cased :: pkg:composer/Laravel/Framework@9.0.0 => Packagist | laravel/framework | 9.0.0 | - | - | covered
Composer branch :: pkg:composer/laravel/framework@dev-main => Packagist | laravel/framework | dev-main | - | - | uncomparable
Hex :: pkg:hex/Phoenix@1.6.0 => Hex | phoenix | 1.6.0 | - | - | covered
Pub :: pkg:pub/http@0.13.0 => Pub | http | 0.13.0 | - | - | covered
Hackage :: pkg:hackage/aeson@2.0.0.0 => Hackage | aeson | 2.0.0.0 | - | - | covered
CRAN :: pkg:cran/ggplot2@3.3.5 => CRAN | ggplot2 | 3.3.5 | - | - | covered
Julia :: pkg:julia/HTTP@1.0.0?uuid=x => Julia | HTTP | 1.0.0 | - | - | covered
Bitnami :: pkg:bitnami/wordpress@6.2.0-3?distro=debian-11 => Bitnami | wordpress | 6.2.0-3 | - | - | covered
opam :: pkg:opam/cohttp@5.0.0 => opam | cohttp | 5.0.0 | - | - | covered
Conan :: pkg:conan/openssl.org/openssl@3.0.3?user=a&channel=b => ConanCenter | openssl | 3.0.3 | - | - | covered
Swift :: pkg:swift/github.com/Alamofire/Alamofire@5.4.3 => SwiftURL | github.com/alamofire/alamofire | 5.4.3 | - | - | covered
Swift without host :: pkg:swift/Alamofire@5.4.3 => - | pkg:swift/Alamofire | 5.4.3 | ? | - | not_covered
GitHub Actions :: pkg:github/Actions/Checkout@v3.1.0 => GitHub Actions | actions/checkout | v3.1.0 | - | - | covered
GitHub Actions moving tag :: pkg:github/actions/checkout@v3 => GitHub Actions | actions/checkout | - | - | - | no_version
GitHub Actions of GitHub's own export :: pkg:githubactions/actions/checkout@4.1.0 => GitHub Actions | actions/checkout | 4.1.0 | - | - | covered
GitHub Actions with a pattern :: pkg:githubactions/actions/checkout@4.%2A.%2A => GitHub Actions | actions/checkout | - | - | - | no_version
GitHub Actions below a repository :: pkg:githubactions/github/codeql-action/init@3.28.0 => GitHub Actions | github/codeql-action | 3.28.0 | - | - | covered
GitHub Actions commit :: pkg:github/actions/checkout@8f4b7f84864484a7bf31766abe9204da3cbe65b3 => GitHub Actions | actions/checkout | 8f4b7f84864484a7bf31766abe9204da3cbe65b3 | - | - | uncomparable
a range :: pkg:npm/a@%5E1.0.0 => npm | a | - | - | - | no_version
a placeholder :: pkg:npm/a@latest => npm | a | - | - | - | no_version
no version of this order :: pkg:npm/a@not-a-version => npm | a | not-a-version | - | - | uncomparable
architecture does not matter :: pkg:npm/a@1.0.0?arch=x64&checksum=sha1:1 => npm | a | 1.0.0 | - | - | covered
conda :: pkg:conda/numpy@1.0 => - | pkg:conda/numpy | 1.0 | ? | - | not_covered
generic :: pkg:generic/acme/thing@1.0?download_url=x => - | pkg:generic/acme/thing | 1.0 | ? | - | not_covered
no type at all :: https://example.com/a.zip => - | https://example.com/a.zip | - | ? | - | not_covered
`)

describe('packages of registries', () => {
  it.each(registries)('$rule', ({ purl, expected }) => {
    const identity = identify(thing({ purl }), noSurroundings)
    expect(identityRow(identity)).toBe(expected)
    const isKeyed = !['maven', 'pub', 'julia'].includes(identity.scheme ?? '')
    expect(identity.versionKey !== null).toBe(identity.decidability === 'covered' && isKeyed)
  })

  it('orders no version over 512 characters', () => {
    const identity = identify(thing({ purl: `pkg:npm/a@1.0.0-${'a'.repeat(513)}` }), noSurroundings)
    expect([identity.decidability, identity.versionKey]).toEqual(['uncomparable', null])
  })

  it('covers no name over 512 characters', () => {
    const identity = identify(thing({ purl: `pkg:npm/${'a'.repeat(513)}@1.0.0` }), noSurroundings)
    expect([identity.decidability, identity.packageKey]).toEqual(['not_covered', null])
  })

  it('takes version and group from the component where the purl has none', () => {
    const identity = identify(
      thing({ purl: 'pkg:maven/commons-io', version: '2.6', group: 'org.x' }),
      noSurroundings,
    )
    expect([identity.packageKey, identity.version]).toEqual(['Maven\u001forg.x:commons-io', '2.6'])
    expect(identify(thing({ purl: 'pkg:npm/a@1.0.0', version: '2.0.0' }), noSurroundings).version).toBe(
      '1.0.0',
    )
  })

  it('takes a v0.0.0- version of an application for its working copy', () => {
    const purl = 'pkg:golang/a.b/c@v0.0.0-20190718012654-fb15b899a751'
    expect(identify(thing({ purl, type: 'application' }), noSurroundings).decidability).toBe('no_version')
  })
})
