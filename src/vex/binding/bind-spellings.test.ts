import { describe, expect, it } from 'vitest'
import { bindsTo, keysOfComponent, keysOfTarget, readComponent, readTarget } from './bind-target.ts'

function binds(stated: string, component: string, version: string | null = null): boolean {
  const [target, read] = [
    readTarget({ purl: stated }),
    readComponent({ purl: component, cpe: null, version }),
  ]
  const isFound = keysOfTarget(target).some((key) => keysOfComponent(read).includes(key))
  return isFound && bindsTo(target, read, 'not_affected')
}

/** Generators write more into a name or version than records have. */
describe('a statement on what records name', () => {
  it.each([
    ['pkg:gem/nokogiri@1.13.8', 'pkg:gem/nokogiri@1.13.8-x86_64-linux'],
    ['pkg:gem/nokogiri@1.13.8', 'pkg:gem/nokogiri@1.13.8?platform=java'],
    ['pkg:gem/nokogiri@1.13.8-java', 'pkg:gem/nokogiri@1.13.8?platform=java'],
    ['pkg:gem/nokogiri@1.13.8?platform=java', 'pkg:gem/nokogiri@1.13.8-java'],
    ['pkg:gem/nokogiri?platform=java', 'pkg:gem/nokogiri@1.13.8?platform=java'],
    ['pkg:npm/left@1.0.0', 'pkg:npm/left@1.0.0%28react%4018.0.0%29'],
    ['pkg:npm/left@1.0.0', 'pkg:npm/left@1.0.0_react%4018.0.0'],
    ['pkg:npm/left@1.0.0', 'pkg:npm/pad@npm:left@1.0.0'],
    ['pkg:maven/org.acme/lib@1.0-SNAPSHOT', 'pkg:maven/org.acme/lib@1.0-20240102.030405-6'],
    ['pkg:maven/org.acme/lib@1.0', 'pkg:maven/org.acme%3Alib@1.0'],
    ['pkg:maven/org.acme:lib@1.0', 'pkg:maven/org.acme/lib@1.0'],
    ['pkg:maven/org.acme/lib@1.0', 'pkg:gradle/org.acme/lib@1.0'],
    ['pkg:nuget/Acme.Lib@1.0.0', 'pkg:dotnet/acme.lib@1.0.0'],
    ['pkg:swift/github.com/apple/swift-nio@2.0.0', 'pkg:swift/https://github.com/apple/swift-nio.git@2.0.0'],
    ['pkg:swift/https://github.com/Apple/swift-nio@2.0.0', 'pkg:swift/github.com/apple/swift-nio@2.0.0'],
    ['pkg:swift/github.com/macpaw/openai@0.2.0', 'pkg:swift/github.com/macpaw/openai:OpenAI@0.2.0'],
    ['pkg:pypi/celery@5.0', 'pkg:pypi/celery%5Bredis%5D@5.0'],
    ['pkg:conan/openssl@3.0.1', 'pkg:conan/bincrafters/openssl@3.0.1?channel=stable&user=bincrafters'],
    ['pkg:githubactions/github/codeql-action@v2.1.0', 'pkg:githubactions/GitHub/codeql-action/init@v2.1.0'],
    ['pkg:golang/github.com/a/b/v2@v2.0.0', 'pkg:golang/github.com/a/b@v2.0.0#v2'],
    ['pkg:golang/github.com/a/b@v2.0.0', 'pkg:golang/github.com/a/b@v2.0.0%2Bincompatible'],
    ['pkg:golang/github.com/a/b@v2.0.0+incompatible', 'pkg:golang/github.com/a/b@v2.0.0'],
    ['pkg:golang/github.com/a/b@v1.0.0', 'pkg:golang/github.com/a/b@v1.0.0%2Fgo.mod'],
    ['pkg:golang/github.com/Acme/Pump@v1.0.0', 'pkg:golang/github.com/acme/pump@v1.0.0'],
    ['pkg:golang/github.com/acme/pump@v1.0.0', 'pkg:golang/github.com/Acme/Pump@v1.0.0'],
    ['pkg:deb/debian/libc6@2.36-9', 'pkg:deb/debian/libc6:amd64@2.36-9'],
  ])('%s acts on %s', (stated, component) => {
    expect(binds(stated, component)).toBe(true)
  })

  it('acts where the version is beside the purl', () => {
    expect(binds('pkg:gem/nokogiri@1.13.8', 'pkg:gem/nokogiri', '1.13.8-java')).toBe(true)
  })

  /** Not affected is one build, or one spelling, of what may be another in the rest. */
  it.each([
    ['pkg:gem/nokogiri@1.13.8-x86_64-linux', 'pkg:gem/nokogiri@1.13.8'],
    ['pkg:gem/nokogiri@1.13.8-x86_64-linux', 'pkg:gem/nokogiri@1.13.8-java'],
    ['pkg:gem/nokogiri@1.13.8', 'pkg:gem/nokogiri@1.13.8-rc1'],
    ['pkg:npm/left@1.0.0%28react%4018.0.0%29', 'pkg:npm/left@1.0.0'],
    ['pkg:npm/pad@1.0.0', 'pkg:npm/pad@npm:left@1.0.0'],
    ['pkg:maven/org.acme/lib@1.0-20240102.030405-6', 'pkg:maven/org.acme/lib@1.0-SNAPSHOT'],
    ['pkg:maven/org.acme/lib@1.0', 'pkg:maven/org.acme/lib@1.0-20240102.030405-6'],
    ['pkg:swift/github.com/macpaw/openai:OpenAI', 'pkg:swift/github.com/macpaw/openai@0.2.0'],
    ['pkg:pypi/celery%5Bredis%5D', 'pkg:pypi/celery@5.0'],
    ['pkg:conan/bincrafters/openssl', 'pkg:conan/openssl@3.0.1'],
    ['pkg:githubactions/github/codeql-action/init', 'pkg:githubactions/github/codeql-action/analyze@v2.1.0'],
    ['pkg:githubactions/github/codeql-action/init', 'pkg:githubactions/github/codeql-action@v2.1.0'],
    ['pkg:golang/stdlib@go1.21.3%20X:boringcrypto', 'pkg:golang/stdlib@go1.21.3'],
    ['pkg:golang/stdlib@1.22.7-bigcorp', 'pkg:golang/stdlib@go1.22.7'],
    ['pkg:golang/github.com/Acme/Pump', 'pkg:golang/github.com/ACME/pump@v1.0.0'],
    ['pkg:golang/github.com/a/b@v2.0.0%2Bother', 'pkg:golang/github.com/a/b@v2.0.0'],
    ['pkg:rpm/redhat/bind@9.16-1.el9?epoch=0', 'pkg:rpm/redhat/bind@9.16-1.el9?epoch=32'],
  ])('%s never on %s', (stated, component) => {
    expect(binds(stated, component)).toBe(false)
  })
})

describe('versions that a statement is narrowed to', () => {
  const component = readComponent({
    purl: 'pkg:maven/org.acme/lib@1.0-20240102.030405-6',
    cpe: null,
    version: null,
  })
  it.each([
    ['vers:maven/>=1.0', false],
    ['vers:maven/<1.0', true],
  ])('%s holds for a build of the snapshot: %s', (range, holds) => {
    const target = readTarget({ purl: 'pkg:maven/org.acme/lib', versions: [{ range, status: 'unaffected' }] })
    expect(bindsTo(target, component, 'not_affected')).toBe(holds)
  })
})
