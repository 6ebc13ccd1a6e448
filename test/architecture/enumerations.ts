import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '../..')

/** A list or union of string literals, sorted. */
export type TextList = {
  file: string
  line: number
  members: string
  /** The name of a list exported `as const`; undefined for any other. */
  name?: string
}

/** Lists and unions of at least two string literals in TypeScript files below the folders, without tests. */
export function textListsIn(folders: readonly string[]): TextList[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^dist\//.test(name))
      .map((name) => `${folder}/${name}`),
  )
  return files.flatMap((file) => textListsOf(file, readFileSync(join(root, file), 'utf8')))
}

export function textListsOf(file: string, text: string): TextList[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: TextList[] = []
  const visit = (node: ts.Node): void => {
    const members = membersOf(node)
    if (members !== undefined && members.length >= 2) {
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
      const name = exportedName(node)
      const list = { file, line, members: [...members].sort().join(' | ') }
      found.push(name === undefined ? list : { ...list, name })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** undefined: it has members other than string literals, `null` and `undefined`. */
function membersOf(node: ts.Node): string[] | undefined {
  if (ts.isArrayLiteralExpression(node)) {
    const texts = node.elements.filter((element) => ts.isStringLiteral(element))
    return texts.length === node.elements.length ? texts.map(({ text }) => text) : undefined
  }
  if (!ts.isUnionTypeNode(node)) return undefined
  const members = node.types.filter((type) => !isAbsence(type)).map(textOf)
  return members.every((text) => text !== undefined) ? members : undefined
}

function isAbsence(type: ts.TypeNode): boolean {
  return (
    type.kind === ts.SyntaxKind.UndefinedKeyword ||
    (ts.isLiteralTypeNode(type) && type.literal.kind === ts.SyntaxKind.NullKeyword)
  )
}

function textOf(type: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : undefined
}

/** `export const names = ['a', 'b'] as const` */
function exportedName(node: ts.Node): string | undefined {
  const constant = node.parent
  if (!ts.isAsExpression(constant) || !ts.isConstTypeReference(constant.type)) return undefined
  const declaration = constant.parent
  if (!ts.isVariableDeclaration(declaration) || !ts.isIdentifier(declaration.name)) return undefined
  const statement = declaration.parent.parent
  const isExported =
    ts.isVariableStatement(statement) &&
    statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  return isExported ? declaration.name.text : undefined
}
