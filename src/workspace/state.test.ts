import { describe, expect, it } from 'vitest'
import { effectiveState, refuseWhenReadOnly } from './state.ts'

const now = new Date('2026-01-01T00:00:00Z')
const past = new Date('2025-12-31T23:59:59.999Z')
const future = new Date('2026-01-01T00:00:00.001Z')
const dates = {
  trial_ends_at: null,
  paid_until: null,
  closed_at: null,
  suspended_at: null,
  moving_at: null,
  moved_to: null,
}

describe('effective state', () => {
  it.each([
    ['a running trial', { ...dates, plan: 'trial', trial_ends_at: future }, 'trial'],
    ['a trial that ends now', { ...dates, plan: 'trial', trial_ends_at: now }, 'free'],
    ['an ended trial', { ...dates, plan: 'trial', trial_ends_at: past }, 'free'],
    ['a subscription without end', { ...dates, plan: 'core' }, 'core'],
    ['a suspended subscription', { ...dates, plan: 'plus', suspended_at: past }, 'suspended'],
    [
      'a suspended workspace that is closed',
      { ...dates, plan: 'plus', suspended_at: past, closed_at: past },
      'closed',
    ],
    ['a workspace that is frozen for a move', { ...dates, plan: 'free', moving_at: past }, 'moving'],
    [
      'one that has moved',
      { ...dates, plan: 'core', moving_at: past, moved_to: 'https://new.example' },
      'moved',
    ],
    ['a paid subscription', { ...dates, plan: 'plus', paid_until: future }, 'plus'],
    ['an ended subscription', { ...dates, plan: 'starter', paid_until: past }, 'free'],
    ['trial dates do not end a subscription', { ...dates, plan: 'core', trial_ends_at: past }, 'core'],
    ['free', { ...dates, plan: 'free' }, 'free'],
    ['closed wins over everything', { ...dates, plan: 'core', closed_at: past }, 'closed'],
    ['closing in the future', { ...dates, plan: 'core', closed_at: future }, 'core'],
  ] as const)('%s', (_name, workspace, expected) => {
    expect(effectiveState(workspace, now)).toBe(expected)
  })

  it('says whether a workspace is read-only or closed', () => {
    expect(() => refuseWhenReadOnly('free')).toThrow(/read-only/)
    expect(() => refuseWhenReadOnly('closed')).toThrow(/closed/)
    expect(() => refuseWhenReadOnly('moving')).toThrow(/being moved/)
    expect(() => refuseWhenReadOnly('moved')).toThrow(/has moved/)
    expect(() => refuseWhenReadOnly('trial')).not.toThrow()
  })
})
