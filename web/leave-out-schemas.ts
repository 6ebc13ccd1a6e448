import { Visitor, type ESTree, type Plugin } from 'vite'

/** Pages need the address and the permission of an operation; these fields are for the server, which validates with them. */
const leftOut = new Set(['body', 'bodyBytes', 'answer'])

/** Calls that build a schema or an operation without side effects. */
const maker = /\b(?:Type\.\w+|nullable|extended|Page|operation)\(/

/**
 * Removes schemas from browser files: operations (src/contract) lose those of body and answer, and schema constants that are unused then
 * are dropped.
 */
export function leaveOutSchemas(): Plugin {
  return {
    name: 'leave-out-schemas',
    apply: 'build',
    enforce: 'post',
    transform: {
      filter: { id: /\/src\/contract\// },
      handler(code) {
        const program = this.parse(code)
        const changes = [...schemasOfOperations(program), ...made(program, code)]
        return changes
          .sort((a, b) => b.start - a.start)
          .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code)
      },
    },
  }
}

type Change = { start: number; end: number; by: string }

function schemasOfOperations(program: ESTree.Program): Change[] {
  const changes: Change[] = []
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [given] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'operation') return
      if (given?.type !== 'ObjectExpression') return
      for (const part of given.properties) {
        if (part.type !== 'Property' || part.key.type !== 'Identifier') continue
        const { start, end } = part.value
        if (leftOut.has(part.key.name)) changes.push({ start, end, by: 'undefined' })
      }
    },
  })
  visitor.visit(program)
  return changes
}

/** Marks schema constants as pure, so that the bundler drops unused ones. */
function made({ body }: ESTree.Program, code: string): Change[] {
  return body
    .map((part) => (part.type === 'ExportNamedDeclaration' ? part.declaration : part))
    .flatMap((part) => (part?.type === 'VariableDeclaration' ? part.declarations : []))
    .flatMap(({ init }) => {
      if (init === null || !maker.test(code.slice(init.start, init.end))) return []
      const { start, end } = init
      return [
        { start, end: start, by: '/* @__PURE__ */ (() => (' },
        { start: end, end, by: '))()' },
      ]
    })
}
