import { expect, test } from 'vitest'
import { parsePurl } from '../../formats/purl/purl.ts'
import { isOfOtherRegistry } from './public-registries.ts'

test.each<[string, string, boolean]>([
  ['npm', 'pkg:npm/a@1', false],
  ['npm', 'pkg:npm/a@1?repository_url=https://registry.npmjs.org', false],
  ['npm', 'pkg:npm/a@1?repository_url=https%3A%2F%2FRegistry.npmjs.org%2F', false],
  ['npm', 'pkg:npm/a@1?repository_url=registry.npmjs.org:443/x', false],
  ['npm', 'pkg:npm/a@1?repository_url=https%3A%2F%2Fnpm.pkg.github.com', true],
  ['npm', 'pkg:npm/a@1?repository_url=https%3A%2F%2Fnpmjs.org.evil.example', true],
  ['npm', 'pkg:npm/a@1?repository_url=https%3A%2F%2Fnotnpmjs.org', true],
  ['npm', 'pkg:npm/a@1?repository_url=https%3A%2F%2F%5B', true],
  ['Maven', 'pkg:maven/a/b@1?repository_url=repo.spring.io%2Frelease', true],
  ['Maven', 'pkg:maven/a/b@1?repository_url=https://repo1.maven.org/maven2', false],
  ['crates.io', 'pkg:cargo/a@1?repository_url=https://github.com/rust-lang/crates.io-index', false],
  ['crates.io', 'pkg:cargo/a@1?repository_url=https://github.com/acme/crates.io-index', true],
  ['crates.io', 'pkg:cargo/a@1?repository_url=sparse%2Bhttps://index.crates.io/', false],
  ['PyPI', 'pkg:pypi/a@1?repository_url=https://pypi.org/simple', false],
  ['PyPI', 'pkg:pypi/a@1?repository_url=https://test.pypi.org/simple', true],
  ['crates.io', 'pkg:cargo/a@1?repository_url=sparse%2Bhttps://index.staging.crates.io/', true],
  ['Hex', 'pkg:hex/a@1?repository_url=https://repo.hex.pm', false],
  ['Hex', 'pkg:hex/a@1?repository_url=https://repo.hex.pm/repos/acme', true],
  ['crates.io', 'pkg:cargo/a@1?download_url=file://.', true],
  ['npm', 'pkg:npm/a@1?download_url=file%3Apackages%2Fa', true],
  ['npm', 'pkg:npm/a@1?download_url=git%2Bssh%3A%2F%2Fgit%40github.com%2Facme%2Fa.git', true],
  ['npm', 'pkg:npm/a@1?download_url=GIT://git.acme.example/a', true],
  ['npm', 'pkg:npm/a@1?download_url=https://registry.npmjs.org/a/-/a-1.tgz', false],
  // a mirror has what the registry has
  ['npm', 'pkg:npm/a@1?download_url=https://mirror.acme.example/npm/a-1.tgz', false],
  // whatever is registered has its source somewhere
  ['npm', 'pkg:npm/a@1?vcs_url=git%2Bhttps://github.com/acme/a.git', false],
  ['Julia', 'pkg:julia/a@1?download_url=file:a', false],
  ['Julia', 'pkg:julia/a@1?repository_url=https://github.com/HolyLab/HolyLabRegistry', false],
])('%s: %s is of another registry: %s', (ecosystem, text, expected) => {
  const purl = parsePurl(text)
  expect(purl && isOfOtherRegistry(ecosystem, purl)).toBe(expected)
})
