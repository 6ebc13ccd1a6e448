import { describe, expect, it } from 'vitest'
import { uploadDetails, type GivenDetails } from './upload-details.ts'

const nothing: GivenDetails = {
  productVersion: null,
  source: null,
  commit: null,
  branch: null,
  repository: null,
  runUrl: null,
}

type Row = [rule: string, given: Partial<GivenDetails>, stored: Record<string, unknown>]

const rows: Row[] = [
  ['absent stays absent, the source is the API', {}, { ...nothing, source: 'api' }],
  ['a known source is kept', { source: 'sbom_hub' }, { source: 'sbom_hub' }],
  ['an unknown source is the API', { source: 'jenkins' }, { source: 'api' }],
  ['the application is no source that a pipeline can name', { source: 'application' }, { source: 'api' }],
  ['a blank version is absent', { productVersion: '   ' }, { productVersion: null }],
  ['80 emoji are 80 characters', { productVersion: '😀'.repeat(80) }, { productVersion: '😀'.repeat(80) }],
  ['a version is cut at 100', { productVersion: '😀'.repeat(101) }, { productVersion: '😀'.repeat(100) }],
  ['a commit is cut at 80', { commit: 'a'.repeat(81) }, { commit: 'a'.repeat(80) }],
  ['refs/heads/ is removed', { branch: 'refs/heads/main' }, { branch: 'main' }],
  ['refs/heads/ is removed once', { branch: 'refs/heads/refs/heads/x' }, { branch: 'refs/heads/x' }],
  ['refs/heads/ alone is no branch', { branch: 'refs/heads/' }, { branch: null }],
  ['a tag is kept whole', { branch: 'refs/tags/v1' }, { branch: 'refs/tags/v1' }],
  [
    'a branch is cut at 300 after the prefix',
    { branch: `refs/heads/${'b'.repeat(301)}` },
    { branch: 'b'.repeat(300) },
  ],
  ['a repository is cut at 300', { repository: 'r'.repeat(301) }, { repository: 'r'.repeat(300) }],
  ['control characters go', { repository: ' acme\u0000/pump\r\n' }, { repository: 'acme/pump' }],
  ['an https link is kept', { runUrl: 'https://ci.example/1' }, { runUrl: 'https://ci.example/1' }],
  ['an http link is kept', { runUrl: 'http://ci.example/1' }, { runUrl: 'http://ci.example/1' }],
  ['another scheme is dropped', { runUrl: 'javascript:alert(1)' }, { runUrl: null }],
  [
    'a scheme hidden behind a control character is dropped',
    { runUrl: 'java\u0001script:alert(1)' },
    { runUrl: null },
  ],
  [
    'user name and password of a link go',
    { runUrl: 'https://me:pa@ss@ci.example/1?a=b@c' },
    { runUrl: 'https://ci.example/1?a=b@c' },
  ],
  ['a token of a link goes', { runUrl: 'HTTPS://glpat-x@ci.example' }, { runUrl: 'HTTPS://ci.example' }],
  [
    'user name and password of a repository go',
    { repository: 'https://oauth2:secret@git.example/acme/pump.git' },
    { repository: 'https://git.example/acme/pump.git' },
  ],
  [
    'a repository for SSH is kept',
    { repository: 'git@git.example:acme/pump.git' },
    { repository: 'git@git.example:acme/pump.git' },
  ],
  ['a link without a host is dropped', { runUrl: 'https:evil' }, { runUrl: null }],
  ['one with a single slash too', { runUrl: 'https:/evil.example' }, { runUrl: null }],
  ['one with three slashes too', { runUrl: 'https:///evil.example' }, { runUrl: null }],
  ['one with back slashes too', { runUrl: 'https:\\\\evil.example' }, { runUrl: null }],
  ['credentials without a host too', { runUrl: 'https://me:pass@' }, { runUrl: null }],
  ['no address is dropped', { runUrl: 'build 7' }, { runUrl: null }],
  [
    'a link of 2 000 characters is kept',
    { runUrl: `https://ci.example/${'a'.repeat(1981)}` },
    { runUrl: `https://ci.example/${'a'.repeat(1981)}` },
  ],
  [
    'a longer link is dropped, never cut',
    { runUrl: `https://ci.example/${'a'.repeat(1982)}` },
    { runUrl: null },
  ],
]

describe('details of an upload', () => {
  it.each(rows)('%s', (_rule, given, stored) => {
    expect(uploadDetails({ ...nothing, ...given })).toMatchObject(stored)
  })

  it.each(['hosted_ci', 'pipeline_ci', 'sbom_tracker', 'sbom_hub', 'api'])(
    'the source %s is kept',
    (source) => {
      expect(uploadDetails({ ...nothing, source })).toMatchObject({ source })
    },
  )
})
