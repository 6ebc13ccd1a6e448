/** Rules of this project alone, for the linter (`.oxlintrc.json`). */

const isNamed = (node, name) => node.type === 'Identifier' && node.name === name

const ambientMembers = [
  ['Date', 'now', 'Take `now` as an argument.'],
  ['Math', 'random', 'Take random bytes from Deps.'],
  ['process', 'env', 'The environment is read in program.ts and platform/ only.'],
]

/** The wall clock, chance and the environment enter only through main.ts, parse.ts, program.ts and platform/. */
const ambient = {
  create: (context) => ({
    NewExpression(node) {
      if (isNamed(node.callee, 'Date') && node.arguments.length === 0) {
        context.report({ node, message: 'Take `now` as an argument.' })
      }
    },
    MemberExpression(node) {
      const found = ambientMembers.find(
        ([object, property]) => isNamed(node.object, object) && isNamed(node.property, property),
      )
      if (found !== undefined) context.report({ node, message: found[2] })
    },
  }),
}

const defaultExport = {
  create: (context) => ({
    ExportDefaultDeclaration: (node) => context.report({ node, message: 'Name the export.' }),
  }),
}

/** `{ ...{ a: 1 } }` says no more than `{ a: 1 }`. */
const spread = {
  create: (context) => {
    const judge = (node) => {
      if (node.argument.type === 'ObjectExpression') {
        context.report({ node, message: 'Write the properties themselves.' })
      }
    }
    return { SpreadElement: judge, JSXSpreadAttribute: judge }
  },
}

export default {
  meta: { name: 'house' },
  rules: { ambient, 'default-export': defaultExport, spread },
}
