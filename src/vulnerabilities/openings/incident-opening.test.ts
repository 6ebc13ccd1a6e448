import { describe, expect, it } from 'vitest'
import type { IncidentObstacle } from '../../contract/findings/verdict.ts'
import { mayOpenIncident, type IncidentFacts } from './incident-opening.ts'

describe('opening of an incident', () => {
  const facts: IncidentFacts = {
    grade: 'exact',
    exploitedBy: ['kev'],
    isInActiveSbom: true,
    isFamilyArchived: false,
    verdict: null,
    verdictSource: null,
  }

  it.each<[string, Partial<IncidentFacts>]>([
    ['an exact match that a catalogue lists directly', {}],
    ['the European list alone', { exploitedBy: ['euvd'] }],
    ['a document that says affected', { verdict: 'affected', verdictSource: 'document' }],
    ['a document that is looking into it', { verdict: 'under_investigation', verdictSource: 'document' }],
    ['a member who says not affected', { verdict: 'not_affected', verdictSource: 'decision' }],
    ['a member who says fixed', { verdict: 'fixed', verdictSource: 'decision' }],
  ])('%s opens one', (_name, change) => {
    expect(mayOpenIncident({ ...facts, ...change })).toEqual({ opens: true, obstacle: null })
  })

  it.each<[string, Partial<IncidentFacts>, IncidentObstacle]>([
    ['a possible match', { grade: 'possible' }, 'not_exact'],
    ['a vulnerability that no catalogue lists directly', { exploitedBy: [] }, 'not_listed'],
    ['a replaced SBOM', { isInActiveSbom: false }, 'not_active'],
    ['an archived family', { isFamilyArchived: true }, 'archived'],
    ['a document that says not affected', { verdict: 'not_affected', verdictSource: 'document' }, 'declared'],
    ['a document that says fixed', { verdict: 'fixed', verdictSource: 'document' }, 'declared'],
  ])('%s opens none', (_name, change, obstacle) => {
    expect(mayOpenIncident({ ...facts, ...change })).toEqual({ opens: false, obstacle })
  })
})
