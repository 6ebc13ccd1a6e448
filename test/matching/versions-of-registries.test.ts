import { neighboursIn, testNeighbours } from './neighbour-scene.ts'

/**
 * Versions as registries and their tools write them. Expected answers are those of packaging (PEP 440), go/version, Maven's
 * ComparableVersion, node-semver, NuGet, Composer, RubyGems and Julia's VersionNumber.
 */
const table = neighboursIn(String.raw`
pypi dev of post | PyPI | a1 | <1.0.post1 | pkg:pypi/a1@1.0.post1.dev0 | exact
pypi post fixed | PyPI | a2 | <1.0.post1 | pkg:pypi/a2@1.0.post1 | -
pypi alpha words | PyPI | a3 | =1.0a1 | pkg:pypi/a3@1.0.alpha.1 | exact
pypi alpha hyphen | PyPI | a4 | =1.0a1 | pkg:pypi/a4@1.0-alpha1 | exact
pypi c is rc | PyPI | a5 | =1.0rc1 | pkg:pypi/a5@1.0c1 | exact
pypi preview is rc | PyPI | a6 | =1.0rc1 | pkg:pypi/a6@1.0-preview-1 | exact
pypi epoch bound | PyPI | a7 | <1!1.0 | pkg:pypi/a7@5.0 | exact
pypi epoch in list | PyPI | a8 | =1!1.0 | pkg:pypi/a8@1%211.0.0 | exact
pypi legacy | PyPI | a9 | <2005a | pkg:pypi/a9@2004d | exact
pypi dev of last | PyPI | a10 | <=1.0 | pkg:pypi/a10@1.0.dev1 | exact
pypi rev is post | PyPI | a11 | =1.0.post2 | pkg:pypi/a11@1.0-r2 | exact
pypi listed local | PyPI | a12 | =1.0+cu1 | pkg:pypi/a12@1.0%2Bcu.1 | -
pypi introduced local | PyPI | a13 | [{"introduced":"1.0+2"},{"fixed":"2.0"}] | pkg:pypi/a13@1.0%2B10 | exact
pypi wildcard version | PyPI | a14 | <2.0 | pkg:pypi/a14@1.%2A | possible
pypi specifier | PyPI | a15 | <2.0 | pkg:pypi/a15@%3E%3D1.0 | possible
pypi == | PyPI | a16 | <2.0 | pkg:pypi/a16@%3D%3D1.0 | possible
go pseudo | Go | x.io/b1 | <1.2.4 | pkg:golang/x.io/b1@v1.2.4-0.20240101000000-abcdefabcdef | exact
go pseudo after | Go | x.io/b2 | <1.2.4 | pkg:golang/x.io/b2@v1.2.5-0.20240101000000-abcdefabcdef | -
go pseudo of pre | Go | x.io/b3 | <1.2.4-rc.2 | pkg:golang/x.io/b3@v1.2.4-rc.1.0.20240101000000-abcdefabcdef | exact
go pseudo incompatible | Go | x.io/b4 | <2.0.1 | pkg:golang/x.io/b4@v2.0.1-0.20200101000000-abcdefabcdef%2Bincompatible | exact
go toolchain module | Go | toolchain | [{"introduced":"1.80.0-0"},{"fixed":"1.80.6"}] | pkg:golang/golang.org/toolchain@v0.0.1-go1.80.5.linux-amd64 | exact
go stdlib v | Go | stdlib | [{"introduced":"1.81.0-0"},{"fixed":"1.81.6"}] | pkg:golang/stdlib@v1.81.5 | exact
go stdlib two numbers | Go | stdlib | [{"introduced":"1.82.0-0"},{"fixed":"1.82.1"}] | pkg:golang/stdlib@go1.82 | exact
go stdlib beta | Go | stdlib | [{"introduced":"1.83.0-0"},{"fixed":"1.83.0"}] | pkg:golang/stdlib@1.83beta1 | exact
go devel stdlib | Go | stdlib | [{"introduced":"1.84.0-0"},{"fixed":"1.84.1"}] | pkg:golang/stdlib@devel%20go1.84-abcdef | uncomparable
go gopkg | Go | gopkg.in/yaml.v2 | <2.2.8 | pkg:golang/gopkg.in/yaml.v2@v2.2.1 | exact
go version suffix dirty | Go | x.io/b10 | <1.3.0 | pkg:golang/x.io/b10@v1.2.3%2Bdirty | exact
go zero | Go | x.io/b11 | <1.3.0 | pkg:golang/x.io/b11@v0.0.0 | possible
go type qualifier | Go | x.io/b12 | <1.3.0 | pkg:golang/x.io/b12@v1.0.0?type=module&goos=linux&goarch=amd64 | exact
go name encoded upper | Go | github.com/Sirupsen/logrus | <1.3.0 | pkg:golang/github.com/sirupsen/logrus@v1.0.0 | exact
go std named | Go | stdlib | [{"introduced":"1.85.0-0"},{"fixed":"1.85.6"}] | pkg:golang/std@1.85.5 | exact
maven rc | Maven | g:c1 | <1.0 | pkg:maven/g/c1@1.0-RC1 | exact
maven release word | Maven | g:c2 | <1.0.1 | pkg:maven/g/c2@1.0.0.RELEASE | exact
maven release equal | Maven | g:c3 | <1.0.0 | pkg:maven/g/c3@1.0.0.RELEASE | -
maven ga | Maven | g:c4 | <1.0.0 | pkg:maven/g/c4@1.0.0.GA | -
maven sp | Maven | g:c5 | <1.0.0 | pkg:maven/g/c5@1.0.0.SP1 | -
maven redhat | Maven | g:c6 | <1.0.1 | pkg:maven/g/c6@1.0.0.Final-redhat-00001 | exact
maven m1 | Maven | g:c7 | <2.0.0 | pkg:maven/g/c7@2.0.0.M1 | exact
maven snapshot of fix | Maven | g:c8 | <2.0.0 | pkg:maven/g/c8@2.0.0-SNAPSHOT | exact
maven snapshot stamp | Maven | g:c9 | <2.0.0 | pkg:maven/g/c9@2.0.0-20240101.010101-1 | exact
maven snapshot stamp behind | Maven | g:c17 | <2.0.0 | pkg:maven/g/c17@2.0.1-20240101.010101-1 | -
maven snapshot stamp of a candidate | Maven | g:c18 | <=2.0.0-rc1 | pkg:maven/g/c18@2.0.0-rc1-20240101.010101-12 | exact
maven snapshot listed | Maven | g:c19 | =2.0.0-SNAPSHOT | pkg:maven/g/c19@2.0.0-20240101.010101-1 | exact
maven date without a count | Maven | g:c20 | <2.0.0 | pkg:maven/g/c20@2.0.0-20240101.010101 | -
maven date alone | Maven | g:c21 | <20240101.1 | pkg:maven/g/c21@20240101.010101-1 | -
maven snapshot stamp of gradle | Maven | g:c22 | <2.0.0 | pkg:gradle/g/c22@2.0.0-20240101.010101-1 | exact
maven cr | Maven | g:c10 | <2.0.0 | pkg:maven/g/c10@2.0.0.CR2 | exact
maven list case | Maven | g:c11 | =1.0-rc1 | pkg:maven/g/c11@1.0-RC1 | exact
maven other repo | Maven:https://repo.spring.io/release | g:c12 | <2.0 | pkg:maven/g/c12@1.0 | exact
maven repo qualifier | Maven | g:c13 | <2.0 | pkg:maven/g/c13@1.0?repository_url=https://repo.maven.apache.org/maven2 | exact
maven private repo | Maven | g:c14 | <2.0 | pkg:maven/g/c14@1.0?repository_url=https://nexus.example.com/repository | exact
gradle plugin marker | Maven | g:c15 | <2.0 | pkg:gradle/g/c15@1.0 | exact
maven range | Maven | g:c16 | <2.0 | pkg:maven/g/c16@%5B1.0%2C2.0%29 | possible
nuget beta case | NuGet | D1 | <1.0.0-beta | pkg:nuget/d1@1.0.0-BETA | -
nuget beta numbers | NuGet | D2 | <1.0.0-beta.11 | pkg:nuget/D2@1.0.0-beta.2 | exact
nuget meta | NuGet | D3 | =1.0.0 | pkg:nuget/D3@1.0.0%2Bsha.abc | exact
nuget zeros | NuGet | D4 | =1.0.0 | pkg:nuget/D4@1.0 | exact
nuget leading zero | NuGet | D5 | =1.2.3 | pkg:nuget/D5@1.02.3 | exact
nuget four | NuGet | D6 | <=1.2.3.4 | pkg:nuget/D6@1.2.3.5 | -
nuget float | NuGet | D7 | <2.0.0 | pkg:nuget/D7@1.2.%2A | possible
npm caret | npm | e1 | <2.0.0 | pkg:npm/e1@%5E1.0.0 | possible
npm x | npm | e2 | <2.0.0 | pkg:npm/e2@1.x | possible
npm latest | npm | e3 | <2.0.0 | pkg:npm/e3@latest | possible
npm two numbers | npm | e4 | <2.0.0 | pkg:npm/e4@1.0 | exact
npm equals | npm | e5 | <2.0.0 | pkg:npm/e5@%3D1.0.0 | possible
npm alias bare | npm | e6 | <2.0.0 | pkg:npm/my-e6@npm:e6@1.0.0 | exact
npm file | npm | e7 | <2.0.0 | pkg:npm/e7@file%3A../e7 | uncomparable
npm four | npm | e8 | <2.0.0 | pkg:npm/e8@1.0.0.1 | exact
npm big | npm | e9 | <99999999999999999999.0.0 | pkg:npm/e9@1.0.0 | exact
npm prerelease order | npm | e10 | <1.0.0-beta.11 | pkg:npm/e10@1.0.0-beta.2 | exact
npm prerelease text | npm | e11 | <1.0.0-beta | pkg:npm/e11@1.0.0-alpha.99 | exact
npm hash sri | npm | e13 | <2.0.0 | pkg:npm/e13@1.0.0?checksum=sha1:abc | exact
npm namespace without at | npm | @scope/e14 | <2.0.0 | pkg:npm/scope/e14@1.0.0 | exact
cargo alpha | crates.io | f1 | <1.0.0 | pkg:cargo/f1@1.0.0-alpha.1 | exact
cargo build | crates.io | f2 | =1.0.0+a | pkg:cargo/f2@1.0.0%2Bb | exact
cargo two | crates.io | f3 | <1.1.0 | pkg:cargo/f3@1.0 | exact
gem pre | RubyGems | h1 | <1.0.0 | pkg:gem/h1@1.0.0.pre1 | exact
gem letters | RubyGems | h2 | <1.0.0 | pkg:gem/h2@1.0.0.a | exact
gem arm darwin | RubyGems | h3 | <1.0.1 | pkg:gem/h3@1.0.0-arm64-darwin-22 | exact
gem ucrt | RubyGems | h4 | <1.0.1 | pkg:gem/h4@1.0.0-x64-mingw-ucrt | exact
gem gnu | RubyGems | h5 | <1.0.1 | pkg:gem/h5@1.0.1-x86_64-linux-gnu | -
gem musl | RubyGems | h6 | <=1.0.1 | pkg:gem/h6@1.0.1-aarch64-linux-musl | exact
gem zeros | RubyGems | h7 | =1.0 | pkg:gem/h7@1.0.0 | exact
gem java | RubyGems | h8 | <=1.0.1 | pkg:gem/h8@1.0.1-java | exact
composer beta | Packagist | i/i1 | <1.0.0 | pkg:composer/i/i1@v1.0.0-beta2 | exact
composer patch | Packagist | i/i2 | <1.0.0 | pkg:composer/i/i2@1.0.0-p1 | -
composer dev branch | Packagist | i/i3 | <2.0.0 | pkg:composer/i/i3@dev-main | uncomparable
composer x-dev | Packagist | i/i4 | <2.0.0 | pkg:composer/i/i4@1.0.x-dev | uncomparable
composer RC case | Packagist | i/i5 | =1.0.0-RC1 | pkg:composer/i/i5@1.0.0-rc1 | exact
composer drupal | Packagist:https://packages.drupal.org/8 | drupal/i6 | <2.0.0 | pkg:composer/drupal/i6@1.0.0 | exact
composer zeros | Packagist | i/i7 | =1.0.0 | pkg:composer/i/i7@1.0 | exact
hex rc | Hex | j1 | <1.0.0 | pkg:hex/j1@1.0.0-rc.0 | exact
hex org | Hex | j2 | <1.0.0 | pkg:hex/acme/j2@0.9.0 | -
pub build | Pub | k1 | <1.0.0+2 | pkg:pub/k1@1.0.0%2B1 | exact
pub build fixed | Pub | k2 | <1.0.0+2 | pkg:pub/k2@1.0.0%2B2 | -
pub dev | Pub | k3 | <1.0.0 | pkg:pub/k3@1.0.0-dev.1 | exact
swift host | SwiftURL | github.com/vapor/l1 | <2.0.0 | pkg:swift/github.com/vapor/l1@1.0.0 | exact
swift git | SwiftURL | https://github.com/vapor/l2.git | <2.0.0 | pkg:swift/github.com/Vapor/L2@1.0.0 | exact
swift https in name | SwiftURL | github.com/vapor/l3 | <2.0.0 | pkg:swift/https%3A//github.com/vapor/l3.git@1.0.0 | exact
swift product | SwiftURL | github.com/MacPaw/OpenAI | <2.0.0 | pkg:swift/github.com/MacPaw/openai:OpenAI@0.4.8 | exact
action by its address in the record | GitHub Actions | https://github.com/Example/bad-action | <2.0.0 | pkg:githubactions/example/bad-action@v1.2.3 | exact
action in a folder in the record | GitHub Actions | owner/parts/one | <2.0.0 | pkg:githubactions/owner/parts@v1.2.3#one | exact
swift v | SwiftURL | github.com/vapor/l4 | <2.0.0 | pkg:swift/github.com/vapor/l4@v1.0.0 | exact
swift no host | SwiftURL | github.com/vapor/l5 | <2.0.0 | pkg:swift/vapor/l5@1.0.0 | not_covered
cran hyphen | CRAN | m1 | <1.7.1 | pkg:cran/m1@1.7-1 | -
cran below | CRAN | m2 | <1.7-2 | pkg:cran/m2@1.7.1 | exact
hackage prefix | Hackage | n1 | <1.0.0 | pkg:hackage/n1@1.0 | exact
julia | Julia | o1 | <1.0.0 | pkg:julia/o1@0.9.0%2B1?uuid=abc | exact
julia library before the build with the fix | Julia | O2_jll | <2.13.6+1 | pkg:julia/O2_jll@2.13.6%2B0 | exact
julia library of the build with the fix | Julia | O3_jll | <2.13.6+1 | pkg:julia/O3_jll@2.13.6%2B1 | -
julia library behind the last build | Julia | O4_jll | <=1.2.3+0 | pkg:julia/O4_jll@1.2.3%2B1 | -
julia library before the first build | Julia | O5_jll | [{"introduced":"6.1.1+1"},{"fixed":"6.1.2+0"}] | pkg:julia/O5_jll@6.1.1%2B0 | -
julia library without a build | Julia | O6_jll | <3.0.0+1 | pkg:julia/O6_jll@3.0.0 | exact
bitnami rc | Bitnami | p1 | <1.2.3 | pkg:bitnami/p1@1.2.3-rc.1 | exact
bitnami revision | Bitnami | p2 | <1.2.3 | pkg:bitnami/p2@1.2.3-4?arch=amd64&distro=debian-12 | -
opam tilde | opam | q1 | <1.0 | pkg:opam/q1@1.0~beta1 | exact
conda | PyPI | r1 | <1.0 | pkg:conda/r1@0.9 | not_covered
action sha listed | GitHub Actions | s/s1 | =0123456789012345678901234567890123456789 | pkg:githubactions/s/s1@0123456789012345678901234567890123456789 | possible
action tag listed | GitHub Actions | s/s2 | =v1.2.3 | pkg:githubactions/s/s2@1.2.3 | exact
action branch all | GitHub Actions | s/s3 | all | pkg:githubactions/s/s3@main | uncomparable
action two numbers | GitHub Actions | s/s4 | <2.0.0 | pkg:githubactions/s/s4@v1.2 | possible
docker | npm | t1 | <2.0.0 | pkg:docker/library/t1@1.0.0 | not_covered
conan user | ConanCenter | u1 | <2.0.0 | pkg:conan/acme/u1@1.0.0?user=acme&channel=stable | exact
vscode | VSCode | a/v1 | <2.0.0 | pkg:vscode-extension/a/v1@1.0.0?platform=linux-x64 | exact
`)

testNeighbours(table)
