import { relative } from 'node:path'
import ts from 'typescript'
import type { Shape } from './shape.ts'

/** By location of its `.execute` (`src/room/file.ts:12`): the declared row type of a raw query. */
export type DeclaredRows = Record<string, Shape>

/** Nested objects are followed to this depth: nothing reads deeper. */
const maxDepth = 4

/** The row types of every raw query in src, from the compiler: each `sql<Row>…` that is executed where it is written. */
export function readDeclaredRows(root: string): DeclaredRows {
  const configPath = `${root}/tsconfig.json`
  const { config } = ts.readConfigFile(configPath, (path) => ts.sys.readFile(path)) as { config: object }
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root)
  const files = ts.sys.readDirectory(`${root}/src`, ['.ts'], ['**/*.test.ts'])
  const program = ts.createProgram(files, options)
  const checker = program.getTypeChecker()
  const declared: DeclaredRows = {}
  for (const file of program.getSourceFiles()) {
    if (
      file.isDeclarationFile ||
      !file.fileName.startsWith(`${root}/src/`) ||
      !file.text.includes('.execute(')
    )
      continue
    visit(file, (call) => {
      const row = rowOf(call, checker)
      if (row === undefined) return
      const { line } = file.getLineAndCharacterOfPosition(call.expression.name.getStart(file))
      declared[`${relative(root, file.fileName)}:${line + 1}`] = shapeOf(row, checker, maxDepth)
    })
  }
  return declared
}

type MethodCall = ts.CallExpression & { expression: ts.PropertyAccessExpression }

function visit(node: ts.Node, found: (call: MethodCall) => void): void {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) found(node as MethodCall)
  ts.forEachChild(node, (child) => {
    visit(child, found)
  })
}

/** The row type if the call executes a raw query with one; a generic row type is known only to callers. */
function rowOf(call: MethodCall, checker: ts.TypeChecker): ts.Type | undefined {
  if (!mayExecuteRaw(call)) return undefined
  const { expression } = call.expression
  const type = checker.getTypeAtLocation(expression)
  if (type.getSymbol()?.name !== 'RawBuilder') return undefined
  const [row] = checker.getTypeArguments(type as ts.TypeReference)
  const unread = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never | ts.TypeFlags.TypeParameter
  return row === undefined || (row.flags & unread) !== 0 ? undefined : row
}

/**
 * A raw query shows where it is executed. Query builders execute themselves, and transactions their callbacks: resolving their types would
 * take most of the compiler's time.
 */
function mayExecuteRaw({ expression: { name }, arguments: given }: MethodCall): boolean {
  const [where] = given
  return name.text === 'execute' && where !== undefined && !ts.isFunctionLike(where)
}

function shapeOf(type: ts.Type, checker: ts.TypeChecker, depth: number): Shape {
  const shape: Shape = { kinds: [] }
  addType(shape, type, checker, depth)
  return shape
}

function addType(shape: Shape, type: ts.Type, checker: ts.TypeChecker, depth: number): void {
  for (const part of type.isUnion() ? type.types : [type]) addPart(shape, part, checker, depth)
}

function addPart(shape: Shape, part: ts.Type, checker: ts.TypeChecker, depth: number): void {
  const { flags } = part
  if ((flags & ts.TypeFlags.StringLiteral) !== 0) {
    shape.words = [...(shape.words ?? []), (part as ts.StringLiteralType).value]
    return
  }
  const kind = simpleKinds.find(([flag]) => (flags & flag) !== 0)?.[1]
  if (kind !== undefined) shape.kinds.push(kind)
  else if (checker.isArrayType(part) || checker.isTupleType(part)) addArray(shape, part, checker, depth)
  else if (part.isIntersection() && isBranded(part)) shape.kinds.push('string')
  else addObject(shape, part, checker, depth)
}

const simpleKinds = [
  [ts.TypeFlags.StringLike, 'string'],
  [ts.TypeFlags.NumberLike, 'number'],
  [ts.TypeFlags.BooleanLike, 'boolean'],
  [ts.TypeFlags.Null, 'null'],
  [ts.TypeFlags.Undefined, 'undefined'],
  [ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter, 'any'],
] as const satisfies readonly (readonly [ts.TypeFlags, string])[]

function addArray(shape: Shape, part: ts.Type, checker: ts.TypeChecker, depth: number): void {
  shape.kinds.push('array')
  const items = checker.getTypeArguments(part as ts.TypeReference)
  if (items.length === 0 || depth === 0) return
  shape.items ??= { kinds: [] }
  for (const item of items) addType(shape.items, item, checker, depth - 1)
}

/** A branded string is a string; other intersections are objects with the fields of all members. */
function isBranded({ types }: ts.IntersectionType): boolean {
  return types.some(({ flags }) => (flags & ts.TypeFlags.StringLike) !== 0)
}

function addObject(shape: Shape, part: ts.Type, checker: ts.TypeChecker, depth: number): void {
  const name = part.getSymbol()?.name
  if (name === 'Date' || name === 'Buffer' || name === 'Uint8Array') {
    shape.kinds.push(name === 'Date' ? 'date' : 'bytes')
    return
  }
  const isFirst = !shape.kinds.includes('object')
  shape.kinds.push('object')
  const properties = checker.getPropertiesOfType(part)
  if (depth === 0 || (isFirst && properties.length === 0)) return
  addFields(shape, properties, { checker, depth, isFirst })
}

/** In a union of objects, a field may have any member's type, and be missing if a member lacks it. */
function addFields(
  shape: Shape,
  properties: ts.Symbol[],
  { checker, depth, isFirst }: { checker: ts.TypeChecker; depth: number; isFirst: boolean },
): void {
  if (!isFirst && shape.fields === undefined) return
  const known = (shape.fields ??= {})
  const names = new Set(properties.map(({ name }) => name))
  for (const [name, field] of Object.entries(known)) if (!names.has(name)) field.kinds.push('undefined')
  for (const property of properties) {
    const field = (known[property.name] ??= { kinds: isFirst ? [] : ['undefined'] })
    addType(field, checker.getTypeOfSymbol(property), checker, depth - 1)
  }
}
