import { VulnerabilityPage, vulnerabilitySorts, ExploitedList, VulnerabilityDetail } from './shapes.ts'
import { findingFilter } from '../findings/finding-filter.ts'
import { answer, operation } from '../operation.ts'

/** `family` is an id. By urgency by default. */
export const listVulnerabilities = operation({
  method: 'GET',
  path: '/workspaces/:slug/vulnerabilities',
  permission: 'any_member',
  query: { family: 'id', ...findingFilter, sort: vulnerabilitySorts, cursor: 'text' },
  answer: answer(VulnerabilityPage),
})

/** What to fix first; `incident`: only what no open incident is about. */
export const listExploited = operation({
  method: 'GET',
  path: '/workspaces/:slug/exploited',
  permission: 'any_member',
  query: { incident: ['none'] },
  answer: answer(ExploitedList),
})

/** By any of its ids; 404 when no record knows it. */
export const getVulnerability = operation({
  method: 'GET',
  path: '/workspaces/:slug/vulnerabilities/:vulnerability',
  permission: 'any_member',
  textParameters: ['vulnerability'],
  answer: answer(VulnerabilityDetail),
})
