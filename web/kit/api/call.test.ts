import { describe, expect, it } from 'vitest'
import {
  archiveFamily,
  listFamilies,
  listFamilySboms,
  makeVersionCurrent,
} from '#contract/products/operations.ts'
import { downloadSbom, listComponents, listFindings } from '#contract/sbom/operations.ts'
import { getSession } from '#contract/people/operations/session.ts'
import { listTokens, revokeToken } from '#contract/tokens/operations.ts'
import { sendSbom, sendVex } from '#contract/sbom/upload-operations.ts'
import { exportVex } from '#contract/vex/operations.ts'
import { getWorkspace } from '#contract/workspace/operations.ts'
import { asked } from '../address/search.ts'
import { addressOf } from './call.ts'
import { keyOf, workspaceKey } from './query-of.ts'

const slug = 'acme'

describe('the address of a call', () => {
  it.each([
    [addressOf(getSession, {}), '/api/app/session'],
    [addressOf(getWorkspace, { params: { slug } }), '/api/app/workspaces/acme'],
    [addressOf(listFamilies, { params: { slug } }), '/api/app/workspaces/acme/families'],
    [
      addressOf(listFamilies, {
        params: { slug },
        query: asked({ archived: true, search: 'a&b', sort: '-name' }),
      }),
      '/api/app/workspaces/acme/families?archived=true&search=a%26b&sort=-name',
    ],
    [
      addressOf(archiveFamily, { params: { slug, family: 'f 1' } }),
      '/api/app/workspaces/acme/families/f%201/archive',
    ],
    [
      addressOf(makeVersionCurrent, { params: { slug, family: 'f', version: 'v' } }),
      '/api/app/workspaces/acme/families/f/versions/v/make-current',
    ],
    [
      addressOf(listFamilySboms, { params: { slug, family: 'f' }, query: { cursor: 'a&b' } }),
      '/api/app/workspaces/acme/families/f/sboms?cursor=a%26b',
    ],
    [addressOf(downloadSbom, { params: { slug, sbom: 's' } }), '/api/app/workspaces/acme/sboms/s/download'],
    [
      addressOf(listComponents, { params: { slug, sbom: 's' }, query: { search: '@babel/core' } }),
      '/api/app/workspaces/acme/sboms/s/components?search=%40babel%2Fcore',
    ],
    [
      addressOf(listFindings, {
        params: { slug, sbom: 's' },
        query: asked({ severity: 'high', exploited: true }),
      }),
      '/api/app/workspaces/acme/sboms/s/findings?severity=high&exploited=any',
    ],
    [
      addressOf(listFindings, { params: { slug, sbom: 's' }, query: asked({}) }),
      '/api/app/workspaces/acme/sboms/s/findings',
    ],
    [addressOf(revokeToken, { params: { slug, token: 't' } }), '/api/app/workspaces/acme/tokens/t/revoke'],
    [
      addressOf(sendVex, { params: { slug, family: 'f' }, query: { version: '2.4 beta' } }),
      '/api/app/workspaces/acme/families/f/vex?version=2.4+beta',
    ],
    [
      addressOf(sendSbom, { params: { slug, family: 'f' }, query: { version: undefined } }),
      '/api/app/workspaces/acme/families/f/sboms',
    ],
    [
      addressOf(exportVex, { params: { slug, family: 'f' }, query: { format: 'csaf', version: undefined } }),
      '/api/app/workspaces/acme/families/f/vex-export?format=csaf',
    ],
  ])('%s', (address, expected) => {
    expect(address).toBe(expected)
  })
})

describe('the key of a query', () => {
  it('starts with its workspace, so that an act refreshes it', () => {
    expect(keyOf(listTokens, { params: { slug } }).slice(0, 2)).toEqual(workspaceKey(slug))
    expect(keyOf(getSession, {})[0]).not.toBe(workspaceKey(slug)[0])
  })

  it('differs by operation, parameter and query', () => {
    const keys = [
      keyOf(getWorkspace, { params: { slug } }),
      keyOf(listTokens, { params: { slug } }),
      keyOf(listFindings, { params: { slug, sbom: 'a' } }),
      keyOf(listFindings, { params: { slug, sbom: 'b' } }),
      keyOf(listFindings, { params: { slug, sbom: 'b' }, query: { severity: 'high' } }),
    ]
    expect(new Set(keys.map((key) => JSON.stringify(key))).size).toBe(keys.length)
  })
})
