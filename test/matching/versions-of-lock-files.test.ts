import { neighboursIn, type Neighbour, testNeighbours } from './neighbour-scene.ts'

/** What lock files and manifests have in place of a version, and malicious packages under every spelling of their names. */
const table = neighboursIn(String.raw`
pnpm peers | npm | a1 | <2.0.0 | pkg:npm/a1@1.0.0%28react%4018.0.0%29 | exact
pnpm peers, fixed | npm | a2 | <2.0.0 | pkg:npm/a2@2.0.0%28react%4018.0.0%29 | -
pnpm old peers | npm | a3 | <2.0.0 | pkg:npm/a3@1.0.0_react%4018.0.0 | exact
pnpm old peers, fixed | npm | a4 | <2.0.0 | pkg:npm/a4@2.0.0_react%4018.0.0 | -
yarn patch | npm | a5 | <2.0.0 | pkg:npm/a5@patch%3Aa5%40npm%253A1.0.0%23builtin | uncomparable
yarn locator | npm | a11 | <2.0.0 | pkg:npm/a11@npm%3A1.0.0 | exact
yarn locator, fixed | npm | a12 | <2.0.0 | pkg:npm/a12@npm%3A2.0.1 | -
yarn locator of a candidate | npm | a13 | <2.0.0 | pkg:npm/a13@npm%3A2.0.0-rc.1 | exact
yarn range | npm | a14 | <2.0.0 | pkg:npm/a14@npm%3A%5E1.0.0 | possible
yarn descriptor as name | npm | a15 | <2.0.0 | pkg:npm/a15%40npm%3A%5E1.0.0@1.2.0 | exact
yarn descriptor of a scope as name | npm | @scope/a16 | <2.0.0 | pkg:npm/%40scope/a16%40npm%3A~1.0@1.0.7 | exact
yarn locator of a scope | npm | @scope/a17 | <2.0.0 | pkg:npm/%40scope/a17@npm%3A1.0.0 | exact
npm alias of a name with a digit | npm | 7zip-a18 | <2.0.0 | pkg:npm/x@npm%3A7zip-a18 | possible
npm tag | npm | a6 | <2.0.0 | pkg:npm/a6@next | uncomparable
npm or | npm | a7 | <2.0.0 | pkg:npm/a7@1.0.0%20%7C%7C%202.0.0 | possible
npm hyphen range | npm | a8 | <2.0.0 | pkg:npm/a8@1.0.0%20-%202.0.0 | possible
npm github | npm | a9 | <2.0.0 | pkg:npm/a9@github%3Aa/b%23v1 | uncomparable
npm tarball | npm | a10 | <2.0.0 | pkg:npm/a10@https%3A//registry.npmjs.org/a10/-/a10-1.0.0.tgz | uncomparable
cargo source | crates.io | b1 | <2.0.0 | pkg:cargo/b1@1.0.0%20%28registry%2Bhttps%3A//github.com/rust-lang/crates.io-index%29 | uncomparable
cargo caret | crates.io | b2 | <2.0.0 | pkg:cargo/b2@%5E1.0 | possible
go.mod | Go | x.io/c1 | <2.0.0 | pkg:golang/x.io/c1@v1.0.0/go.mod | exact
composer flag | Packagist | d/d1 | <2.0.0 | pkg:composer/d/d1@1.0.0%40dev | uncomparable
composer as | Packagist | d/d2 | <2.0.0 | pkg:composer/d/d2@dev-main%20as%201.0.0 | uncomparable
composer tilde | Packagist | d/d3 | <2.0.0 | pkg:composer/d/d3@~1.0 | possible
nuget pinned | NuGet | E1 | <2.0.0 | pkg:nuget/E1@%5B1.0.0%5D | possible
pypi tilde | PyPI | f1 | <2.0.0 | pkg:pypi/f1@~%3D1.0 | possible
pypi unknown | PyPI | f2 | <2.0.0 | pkg:pypi/f2@UNKNOWN | possible
pypi words | PyPI | f3 | <2.0.0 | pkg:pypi/f3@git-abcdef | exact
pypi marker | PyPI | f4 | <2.0.0 | pkg:pypi/f4@3.0.0%20%3B%20python_version%20%3E%3D%20%223.8%22 | possible
pypi fixed behind spaces | PyPI | f5 | <2.0.0 | pkg:pypi/f5@%202.0.0%20 | -
rpm inline zero | Rocky Linux:9 | g1 | <0:2.0-2.el9 | pkg:rpm/rocky/g1@0%3A2.0-1.el9?arch=src&distro=rocky-9 | exact
rpm with arch behind | Rocky Linux:9 | g2 | <2.0-2.el9 | pkg:rpm/rocky/g2@2.0-2.el9.x86_64?arch=src&distro=rocky-9 | -
deb epoch zero | Debian:12 | g3 | <2.0-2 | pkg:deb/debian/g3@0%3A2.0-1?arch=source&distro=debian-12 | exact
deb name with arch | Debian:12 | g4 | <2.0-2 | pkg:deb/debian/g4%3Aamd64@2.0-1?arch=source&distro=debian-12 | exact
gem constraint | RubyGems | h1 | <2.0.0 | pkg:gem/h1@~%3E%201.0 | possible
gem git | RubyGems | h2 | <2.0.0 | pkg:gem/h2@1.0.0.abcdef1 | exact
maven property | Maven | i:i1 | <2.0.0 | pkg:maven/i/i1@%24%7Brevision%7D | possible
maven latest | Maven | i:i2 | <2.0.0 | pkg:maven/i/i2@LATEST | possible
maven release | Maven | i:i3 | <2.0.0 | pkg:maven/i/i3@RELEASE | possible
maven unspecified | Maven | i:i4 | <2.0.0 | pkg:maven/i/i4@unspecified | possible
maven group colon | Maven | i:i5 | <2.0.0 | pkg:maven/i%3Ai5@1.0.0 | exact
maven case | Maven | I.J:k | <2.0.0 | pkg:maven/I.J/k@1.0.0 | exact
swift branch | SwiftURL | github.com/j/j1 | <2.0.0 | pkg:swift/github.com/j/j1@main | uncomparable
pub sdk | Pub | flutter_k | <2.0.0 | pkg:pub/flutter_k@any | uncomparable
hex requirement | Hex | l1 | <2.0.0 | pkg:hex/l1@~%3E%201.0 | possible
`)

const malware = neighboursIn(String.raw`
listed | npm | m1 | =1.0.0 | pkg:npm/m1@1.0.0 | exact
beside the list | npm | m2 | =1.0.0 | pkg:npm/m2@1.0.1 | -
all versions | npm | m3 | all | pkg:npm/m3@9.0.0 | exact
no version | npm | m4 | all | pkg:npm/m4 | possible
of another registry | npm | m5 | all | pkg:npm/m5@1.0.0?repository_url=https://npm.example.com | possible
an alias to it | npm | m6 | all | pkg:npm/harmless@npm%3Am6%401.0.0 | exact
PyPI by another spelling | PyPI | m-7 | all | pkg:pypi/M_7@1.0 | exact
VS Code | VSCode | evil/m8 | all | pkg:vscode-extension/Evil/m8@1.0.0 | exact
Go | Go | github.com/Evil/m9 | all | pkg:golang/github.com/evil/m9@v1.0.0 | exact
RubyGems | RubyGems | m10 | all | pkg:gem/m10@1.0.0-java | exact
crates | crates.io | m11_x | all | pkg:cargo/m11-x@1.0.0 | exact
NuGet | NuGet | Evil.M12 | all | pkg:nuget/evil.m12@1.0.0 | exact
range | npm | m13 | ^1.0.0 | pkg:npm/m13@2.0.0 | -
branch | npm | m14 | all | pkg:npm/m14@git%2Bhttps://x/y.git | uncomparable
Maven | Maven | evil:m15 | all | pkg:maven/evil/m15@1.0 | exact
Composer | Packagist | evil/m16 | all | pkg:composer/Evil/M16@dev-main | uncomparable
`).map((one, at): Neighbour => ({
  ...one,
  rule: `malware ${one.rule}`,
  record: { ...one.record, id: `MAL-2026-${100 + at}` },
}))

const all = [...table, ...malware]
testNeighbours(all)
