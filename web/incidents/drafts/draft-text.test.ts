import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DraftValues } from '#contract/incidents/report-drafts.ts'
import type { ReportDraftDetail } from '#contract/incidents/shapes.ts'
import { ApiFailure, type FailureCode } from '../../kit/api/request.ts'
import { shownValues, type DraftChanges } from './draft-changes.ts'
import { openDraftText } from './draft-text.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const field = (id: string) =>
  ({ id, number: id, label: id, help: '', input: { kind: 'text', maxCharacters: null } }) as const

function draftOf(revision: number, values: DraftValues, savedBy: string | null = 'Vera'): ReportDraftDetail {
  const fields = ['2', '3', '14'].map((id) => ({
    ...field(id),
    requirement: 'optional' as const,
    isRequired: false,
  }))
  return {
    reportId: 'r',
    regime: 'cra',
    report: 'early_warning',
    cycle: 1,
    fieldsVersion: '1',
    form: { regime: 'cra', stage: 'early_warning', version: '1', validFrom: '', source: '', fields },
    values,
    problems: [],
    revision,
    savedBy,
    siblings: [],
    kept: [],
    savedAt: revision === 0 ? null : '2026-01-01T12:03:00.000Z',
  }
}

/** The service as one page sees it; `other` is another person's save. */
function service(first: DraftValues) {
  let stored = draftOf(1, first, 'Olga')
  let failure: ApiFailure | null = null
  let kept: DraftChanges | null = {}
  const back = Promise.withResolvers<boolean>()
  const host = {
    save: (values: DraftValues, revision: number) => {
      if (failure !== null) return Promise.reject(failure)
      if (revision !== stored.revision)
        return Promise.reject(new ApiFailure({ code: 'conflict', message: 'Vera saved it.' }))
      stored = draftOf(revision + 1, values, 'Olga')
      return Promise.resolve(stored)
    },
    read: () => Promise.resolve(stored),
    keep: (changes: DraftChanges | null) => {
      kept = changes
    },
    onSaved: () => undefined,
    signedInAgain: () => back.promise,
  }
  return {
    open: (restored?: DraftChanges) => openDraftText(stored, host, restored),
    other: (values: DraftValues) => {
      stored = draftOf(stored.revision + 1, { ...stored.values, ...values })
    },
    fail: (code: FailureCode | null, retryAfterSeconds = 0) => {
      failure = code === null ? null : new ApiFailure({ code, message: code, retryAfterSeconds })
    },
    signInAgain: () => {
      back.resolve(true)
    },
    stored: () => stored.values,
    kept: () => kept,
  }
}

const shown = (text: ReturnType<typeof openDraftText>) =>
  shownValues(text.now().saved.values, text.now().changes)

describe('a draft saves itself', () => {
  it('a moment after it was typed, and keeps no copy of what is saved', async () => {
    const one = service({ '2': 'a' })
    const text = one.open()
    text.type('2', 'ab ')
    expect(text.now().state).toBe('typed')
    expect(one.kept()).toMatchObject({ '2': { to: 'ab ' } })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.stored()).toMatchObject({ '2': 'ab ' })
    expect(text.now()).toMatchObject({ state: 'saved', saved: { revision: 2 } })
    expect(one.kept()).toBeNull()
  })

  it('also while somebody types without a pause', async () => {
    const one = service({})
    const text = one.open()
    for (const letters of ['a', 'ab', 'abc', 'abcd']) {
      text.type('3', letters)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(one.stored()['3']).toBeDefined()
  })

  it('once more when the service is back, and when the person is signed in again', async () => {
    const one = service({})
    const text = one.open()
    one.fail('unreachable')
    text.type('3', 'x')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(text.now().state).toBe('unreachable')
    one.fail('signed_out')
    await vi.advanceTimersByTimeAsync(6_000)
    expect(text.now().state).toBe('signed_out')
    expect(one.kept()).toMatchObject({ '3': { to: 'x' } })
    one.fail(null)
    one.signInAgain()
    await vi.advanceTimersByTimeAsync(0)
    expect(one.stored()['3']).toBe('x')
  })

  it.each(['unreadable', 'internal', 'timeout', 'rate_limited'] as const)(
    'once more after %s, which is not told as a service that cannot be reached',
    async (code) => {
      const one = service({})
      const text = one.open()
      one.fail(code, 20)
      text.type('3', 'x')
      await vi.advanceTimersByTimeAsync(2_000)
      expect(text.now().state).toBe(code)
      one.fail(null)
      await vi.advanceTimersByTimeAsync(19_000)
      expect(one.stored()['3']).toBeUndefined()
      await vi.advanceTimersByTimeAsync(2_000)
      expect(one.stored()['3']).toBe('x')
    },
  )

  it('and says what is refused without losing it', async () => {
    const one = service({})
    const text = one.open()
    one.fail('invalid_request')
    text.type('3', 'x')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(text.now()).toMatchObject({ state: 'refused', error: { code: 'invalid_request' } })
    expect(shown(text)).toEqual({ '3': 'x' })
    expect(one.kept()).toMatchObject({ '3': { to: 'x' } })
  })

  it('with what the browser had kept', async () => {
    const one = service({ '3': 'a' })
    const text = one.open({ '3': { from: 'a', to: 'b' } })
    expect(text.now().isRestored).toBe(true)
    await vi.advanceTimersByTimeAsync(10)
    expect(one.stored()['3']).toBe('b')
  })
})

it('a copy of what was saved as the page was left is dropped', () => {
  const one = service({ '3': 'b' })
  one.open({ '3': { from: 'a', to: 'b' } })
  expect(one.kept()).toBeNull()
})

describe('two people in one draft', () => {
  it('who write in different fields lose nothing and are asked nothing', async () => {
    const one = service({ '2': 'a', '3': 'b' })
    const text = one.open()
    one.other({ '2': 'theirs' })
    text.type('3', 'mine')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.stored()).toEqual({ '2': 'theirs', '3': 'mine' })
    expect(text.now()).toMatchObject({ taken: { fields: ['2'], by: 'Vera' }, state: 'saved' })
  })

  it('each change of others is told until the page is left, with who saved last and when', () => {
    const one = service({ '2': 'a', '3': 'b' })
    const text = one.open()
    text.takeOver(draftOf(2, { '2': 'theirs', '3': 'b' }))
    text.takeOver(draftOf(3, { '2': 'theirs', '3': 'more' }, 'Per'))
    const at = '2026-01-01T12:03:00.000Z'
    expect(text.now().taken).toEqual({ fields: ['2', '3'], by: 'Per', at })
  })

  it('who write in the same field are shown both texts: neither is saved over the other', async () => {
    const one = service({ '2': 'a', '3': 'b' })
    const text = one.open()
    one.other({ '3': 'theirs' })
    text.type('3', 'mine')
    text.type('2', 'another')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.stored()).toEqual({ '2': 'another', '3': 'theirs' })
    expect(shown(text)['3']).toBe('mine')
    expect(text.now().changes['3']?.theirs?.by).toBe('Vera')
    expect(one.kept()).toMatchObject({ '3': { to: 'mine' } })
    text.type('3', 'mine too')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.stored()['3']).toBe('theirs')
  })

  it.each([
    ['mine', 'mine'],
    ['theirs', 'theirs'],
    ['both', 'mine\n\ntheirs'],
  ] as const)('one chooses %s', async (choice, result) => {
    const one = service({ '3': 'b' })
    const text = one.open()
    one.other({ '3': 'theirs' })
    text.type('3', 'mine')
    await vi.advanceTimersByTimeAsync(2_000)
    text.choose('3', choice)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(one.stored()['3']).toBe(result)
    expect(shown(text)['3']).toBe(result)
    expect(one.kept()).toBeNull()
  })

  it('a choice that was left open waits after a reload', () => {
    const one = service({ '3': 'b' })
    one.other({ '3': 'theirs' })
    const text = one.open({ '3': { from: 'b', to: 'mine' } })
    expect(text.now().changes['3']?.theirs).toEqual({ by: 'Vera', at: '2026-01-01T12:03:00.000Z' })
    expect(shown(text)['3']).toBe('mine')
  })
})
