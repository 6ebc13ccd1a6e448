import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { placeOf, root, shownAttributes } from './shown-text.ts'

/**
 * Text a person can read, and where it is written. The kind says how it is shown: `text` of a page, the name of an attribute, `refusal` of
 * the service, `error` of a command or a log, or `words`: anything else that looks like words.
 */
export type ShownString = { file: string; line: number; kind: string; text: string }

/** Attributes read by machines. */
const machineAttributes =
  /^(className|style|styles|sx|key|id|href|to|src|w|h|mah|maw|p[xytblr]?|m[xytblr]?|gap|size|color|c|variant|rel|type|autoComplete|d|viewBox|grid.*|pattern|accept|template|columns|transform|points)$/
/** Functions whose arguments are not words: SQL, patterns, event names. */
const machineCalls =
  /(^|\.)(includes|startsWith|endsWith|replace|replaceAll|split|test|match|querySelector(All)?|addEventListener|get|has|ref|raw|val|lit|createHash|encode|column|select|orderBy|where|header)$/
/** Tags of SQL templates. */
const machineTags = /^(sql|.*Sql|String\.raw)(<.*>)?$/
/** SQL, column aliases, media types. */
const machineText =
  /^(SELECT|INSERT|UPDATE|DELETE|COPY|SET|BEGIN|ALTER|DROP|CREATE|TRUNCATE|ANALYZE|NOTIFY|LISTEN)\s|^[a-z_.]+ as \w+$|^(is|is not|repeatable read|read only)$|; charset=|var\(--|^[\d.]+(px|%)/
const twoWords = /\p{L}{2}[\p{L}’',:;.)]*\s+[\p{L}\d{(“"]/u
const capitalised = /^\p{Lu}[\p{Ll}’]+[.…]?$/u

/** Every string a person can see in pages, answers, mails, alerts and on the command line, in file order. */
export function shownStrings(): ShownString[] {
  return sourcePaths().flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return stringsIn(ts.createSourceFile(join(root, path), text, ts.ScriptTarget.Latest, true))
  })
}

function sourcePaths(): string[] {
  const globs = ['web/**/*.{ts,tsx}', 'src/**/*.ts', 'client/src/**/*.ts']
  const exclude = ['web/dist/**', '**/*.test.ts', 'src/database/**', 'src/schema/**', '**/*.d.ts']
  return globSync(globs, { cwd: root, exclude }).sort()
}

function stringsIn(source: ts.SourceFile): ShownString[] {
  const found: ShownString[] = []
  const keep = (node: ts.Node, kind: string, raw: string) => {
    const text = raw
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\p{Cc}/gu, '\u{fffd}')
      .trim()
    if (/\p{L}/u.test(text)) found.push({ ...placeOf(node), kind, text })
  }
  const visit = (node: ts.Node): void => {
    if (isMachine(node)) return
    if (ts.isJsxElement(node) || ts.isJsxFragment(node)) {
      if (node.children.some((child) => ts.isJsxText(child))) {
        keep(node, 'text', node.children.map(childText).join(''))
      }
    } else if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'html') {
      for (const part of htmlParts(templateText(node.template))) keep(node, 'text', part)
    } else if (isString(node) && isShown(node)) {
      keep(node, kindOf(node), templateText(node))
    }
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return found
}

type Text = ts.StringLiteral | ts.TemplateLiteral

function isString(node: ts.Node): node is Text {
  return (
    (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) &&
    !ts.isTaggedTemplateExpression(node.parent)
  )
}

/** `SBOM {name} was sent`: placeholders are shown as their expression. */
function templateText(node: Text): string {
  if (!ts.isTemplateExpression(node)) return node.text
  const spans = node.templateSpans.map(
    ({ expression, literal }) => `{${isSimple(expression) ? expression.getText() : '…'}}${literal.text}`,
  )
  return node.head.text + spans.join('')
}

function childText(child: ts.JsxChild): string {
  if (ts.isJsxText(child)) return child.text
  if (ts.isJsxExpression(child)) {
    const { expression } = child
    if (expression === undefined) return ''
    return ts.isStringLiteral(expression)
      ? expression.text
      : `{${isSimple(expression) ? expression.getText() : '…'}}`
  }
  return '<…>'
}

function isSimple(node: ts.Expression): boolean {
  return node.getText().length <= 40 && !/['"`<]/.test(node.getText())
}

/** Texts between tags, and attribute values. */
function htmlParts(markup: string): string[] {
  const attributes = [...markup.matchAll(/\s(?:aria-label|title|alt|placeholder|content)="([^"]+)"/g)]
  return [...markup.split(/<[^>]*>/), ...attributes.map(([, value = '']) => value)].filter((part) =>
    /\p{L}{2}/u.test(part.replaceAll(/\{[^}]*\}/g, '')),
  )
}

/** True if nothing in it is shown. */
function isMachine(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isJsxAttribute(node)) return machineAttributes.test(node.name.getText())
  if (ts.isTaggedTemplateExpression(node)) return machineTags.test(node.tag.getText())
  return ts.isCaseClause(node.parent) && node.parent.expression === node
}

function isShown(node: Text): boolean {
  const { parent } = node
  const text = templateText(node).trim()
  if (isCompared(node) || ts.isElementAccessExpression(parent) || machineText.test(text)) return false
  if (ts.isCallExpression(parent) && machineCalls.test(parent.expression.getText())) return false
  if (ts.isJsxAttribute(parent) && shownAttributes.has(parent.name.getText())) return true
  return twoWords.test(text) || capitalised.test(text)
}

function isCompared({ parent }: ts.Node): boolean {
  if (!ts.isBinaryExpression(parent)) return false
  const { kind } = parent.operatorToken
  return kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.ExclamationEqualsEqualsToken
}

function kindOf(node: ts.Node): string {
  for (let at = node; !ts.isSourceFile(at.parent); at = at.parent) {
    if (ts.isJsxAttribute(at)) return at.name.getText()
    if (ts.isJsxElement(at) || ts.isFunctionLike(at)) break
    if (ts.isNewExpression(at)) {
      return /Error$/.test(at.expression.getText()) && at.expression.getText() !== 'Error'
        ? 'refusal'
        : 'error'
    }
  }
  return 'words'
}
