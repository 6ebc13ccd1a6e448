import { describe, expect, it } from 'vitest'
import { destinationRefusal, refusal, revokeRefusal } from './access.ts'

describe('refusal', () => {
  it.each([
    ['owner', 'trial', 'manage_families', undefined],
    ['lead', 'core', 'manage_families', undefined],
    ['editor', 'core', 'manage_families', 'Your role is editor. This needs owner, admin or lead.'],
    ['viewer', 'free', 'edit_versions', 'Your role is viewer. This needs owner, admin, lead or editor.'],
    ['lead', 'core', 'manage_workspace_tokens', 'Your role is lead. This needs owner or admin.'],
    [
      'owner',
      'free',
      'manage_families',
      'The workspace is read-only because its trial or subscription has ended.',
    ],
    ['owner', 'closed', 'manage_families', 'The workspace is closed.'],
    ['owner', 'suspended', 'manage_families', 'The operator of this service has suspended this workspace.'],
  ] as const)('%s in state %s: %s → %s', (role, state, permission, reason) => {
    expect(refusal({ role, state }, permission)).toBe(reason)
  })
})

describe('revokeRefusal', () => {
  it.each([
    ['owner', 'free', undefined],
    ['owner', 'closed', 'The workspace is closed.'],
    ['editor', 'free', 'Your role is editor. This needs owner, admin or lead.'],
  ] as const)('%s in state %s → %s', (role, state, reason) => {
    expect(revokeRefusal({ role, state }, 'manage_upload_tokens')).toBe(reason)
  })
})

describe('destinationRefusal', () => {
  it.each([
    ['owner', 'trial', undefined],
    ['admin', 'plus', undefined],
    ['owner', 'starter', 'Adding needs Core or Plus.'],
    ['owner', 'free', 'The workspace is read-only because its trial or subscription has ended.'],
    ['lead', 'starter', 'Your role is lead. This needs owner or admin.'],
  ] as const)('%s in state %s → %s', (role, state, reason) => {
    expect(destinationRefusal({ role, state }, 'Adding')).toBe(reason)
  })
})
