import { DependencyPage, DependencyPaths, DependencyTree } from './shapes.ts'
import { answer, operation } from '../operation.ts'

const dependencies = '/workspaces/:slug/sboms/:sbom/dependencies'

export const getDependencies = operation({
  method: 'GET',
  path: dependencies,
  permission: 'any_member',
  answer: answer(DependencyTree),
})

/**
 * By name. `of`: the number of the component whose dependencies are listed; without it, where the tree begins. With `among`, or with a
 * search (which alone means all of them): components anywhere in the tree. 429 `rate_limited`: the person or the workspace searches too much at once.
 */
export const listDependencies = operation({
  method: 'GET',
  path: `${dependencies}/rows`,
  permission: 'any_member',
  query: { of: 'number', among: ['all', 'unreached'], search: 'text', cursor: 'text' },
  answer: answer(DependencyPage),
})

/** Why the component with this number is in the product. */
export const explainDependency = operation({
  method: 'GET',
  path: `${dependencies}/paths`,
  permission: 'any_member',
  query: { component: 'number' },
  answer: answer(DependencyPaths),
})
