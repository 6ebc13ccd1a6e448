import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { placeOf, root, shownAttributes } from './shown-text.ts'

const contract = join(root, 'src/contract/')

/** Strings of the contract that the service itself writes: ids, times, addresses, secrets, its own words. */
const ours =
  /^(id|.*Id|.*At|at|.*On|day|from|to|slug|baseUrl|prefix|address|sha256|email|timeZone|nextCursor|secret|url|vector|statedAt|formatLabel|specVersion|label|sentence|meaning|word|words|ecosystem|source|severitySource|switchedOff|scheme|number|metadataUrl|pagesUrl|test|update|correction)$/

/** Object properties whose values are shown: options of a list, messages. */
const shownProperties = new Set(['label', 'title', 'message'])
/** Components that make untrusted text safe themselves. */
const safeAttributes = new Set([
  'PageHeader.title',
  'NameVersion.title',
  'NameText.title',
  'VersionText.title',
  'PurlText.title',
  'DetailDrawer.title',
  'CopyText.text',
  'CopyIcon.text',
  'CopyIcon.what',
  'ConfirmModal.title',
  'FormModal.title',
  'ConfirmModal.consequence',
  'ConfirmedButton.title',
  'ConfirmedButton.consequence',
])
/** Attributes nobody sees: a template in them is not text. */
const hiddenAttributes = new Set(['key', 'rowId', 'href', 'value', 'to', 'id', 'text'])

const parsed = ts.getParsedCommandLineOfConfigFile(
  join(root, 'web/tsconfig.json'),
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, ' '))
    },
  },
)
if (parsed === undefined) throw new Error('web/tsconfig.json was not read')
const program = ts.createProgram(parsed.fileNames, parsed.options)
const checker = program.getTypeChecker()

function isText(type: ts.Type): boolean {
  if (type.isUnion()) return type.types.some(isText)
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference)
    return item !== undefined && isText(item)
  }
  return (type.flags & ts.TypeFlags.String) !== 0
}

/** The property an expression reads, also after destructuring: `row.name`, `({ name }) => name`. */
function propertyOf(node: ts.Expression): ts.Symbol | undefined {
  if (ts.isPropertyAccessExpression(node)) return checker.getSymbolAtLocation(node.name)
  const declaration = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined
  if (declaration === undefined || !ts.isBindingElement(declaration)) return undefined
  const name = declaration.propertyName ?? declaration.name
  return ts.isIdentifier(name)
    ? checker.getTypeAtLocation(declaration.parent).getProperty(name.text)
    : undefined
}

function isForeign(node: ts.Expression): boolean {
  const property = propertyOf(node)
  return (
    property !== undefined &&
    !ours.test(property.name) &&
    (property.declarations ?? []).some((place) => place.getSourceFile().fileName.startsWith(contract)) &&
    isText(checker.getTypeAtLocation(node))
  )
}

/** The untrusted texts an expression may be or contain. */
function foreignIn(node: ts.Expression): ts.Expression[] {
  if (ts.isParenthesizedExpression(node)) return foreignIn(node.expression)
  if (ts.isConditionalExpression(node)) return [...foreignIn(node.whenTrue), ...foreignIn(node.whenFalse)]
  if (ts.isBinaryExpression(node))
    return [...foreignIn(node.left), ...foreignIn(node.right)].filter(isUsed(node))
  if (ts.isTemplateExpression(node))
    return node.templateSpans.flatMap(({ expression }) => foreignIn(expression))
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression))
    return foreignIn(node.expression.expression)
  if (ts.isElementAccessExpression(node)) return foreignIn(node.expression)
  const given = valueOf(node)
  return given === undefined ? (isForeign(node) ? [node] : []) : foreignIn(given).length > 0 ? [node] : []
}

/** The initialiser of a constant, where a name refers to one. */
function valueOf(node: ts.Expression): ts.Expression | undefined {
  const declaration = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node)?.valueDeclaration : undefined
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined
  const { initializer } = declaration
  return initializer === undefined || isSafe(initializer) ? undefined : initializer
}

/** Comparisons and the left side of `&&` are not text. */
function isUsed({ operatorToken: { kind }, left }: ts.BinaryExpression) {
  const joins = [
    ts.SyntaxKind.PlusToken,
    ts.SyntaxKind.BarBarToken,
    ts.SyntaxKind.QuestionQuestionToken,
    ts.SyntaxKind.AmpersandAmpersandToken,
  ].includes(kind)
  return (found: ts.Node): boolean =>
    joins &&
    !(kind === ts.SyntaxKind.AmpersandAmpersandToken && found.pos >= left.pos && found.end <= left.end)
}

function isSafe(node: ts.Node): boolean {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (
      ts.isJsxElement(at) &&
      /^((Cut)?Foreign|ForeignLines|(Name|Version|Purl)Text)$/.test(at.openingElement.tagName.getText())
    )
      return true
    if (ts.isCallExpression(at) && at.expression.getText() === 'visibleText') return true
    if (ts.isJsxAttribute(at) && hiddenAttributes.has(at.name.getText())) return true
    if (
      ts.isJsxAttribute(at) &&
      safeAttributes.has(`${at.parent.parent.tagName.getText()}.${at.name.getText()}`)
    )
      return true
  }
  return false
}

/** The text this node shows to people, if any. */
function shownBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isTemplateExpression(node)) return node
  if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return node.expression
  if (ts.isJsxAttribute(node) && shownAttributes.has(node.name.getText())) {
    const { initializer } = node
    return initializer !== undefined && ts.isJsxExpression(initializer) ? initializer.expression : undefined
  }
  if (ts.isPropertyAssignment(node) && shownProperties.has(node.name.getText())) return node.initializer
  return undefined
}

function unsafeIn(file: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    for (const foreign of foreignIn(shownBy(node) ?? ts.factory.createNull())) {
      if (isSafe(foreign)) continue
      const place = placeOf(foreign)
      found.push(`${place.file}:${place.line} ${foreign.getText()}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...new Set(found)]
}

const web = join(root, 'web/')

/** The whole web application except the code that calls the service. */
const pages = program
  .getSourceFiles()
  .filter(
    ({ fileName }) =>
      fileName.startsWith(web) &&
      !fileName.startsWith(join(web, 'kit/api/')) &&
      !fileName.endsWith('.test.ts'),
  )

it('sees the pages', () => {
  expect(pages.length).toBeGreaterThan(100)
})

it('shows text from documents and people through Foreign or visibleText alone', () => {
  expect(pages.flatMap(unsafeIn)).toEqual([])
})
