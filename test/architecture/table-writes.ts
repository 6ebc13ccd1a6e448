/** Tables that a statement in this text writes, and writes whose table the text does not show. */
export type TableWrites = { tables: Set<string>; untold: string[] }

const named = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`]([a-z_]+)/g,
  /\b(?:copy(?:Into|Rows)|cutLeasesOfLaterClock)(?:<[^(]*>)?\(\s*\w+,\s*\{\s*table:\s*['"`]([a-z_]+)/g,
  /\binsert into\s+([a-z_]+)\s*(?:\(|select|as )/gi,
  /\bdelete from\s+(?:only\s+)?([a-z_]+)/gi,
  /\bmerge into\s+([a-z_]+)/gi,
  /\btruncate\s+(?:table\s+)?([a-z_]+)/gi,
  /(?:^|[\s(`'"])update\s+([a-z_]+)\s+(?:as\s+)?(?:[a-z_]+\s+)?set\b/gi,
]

/** The tables of a room that lose the rows of a deleted family. */
const ofFamily = /\bdeleteOfFamily\(\s*\w+,\s*(\w+|\[[^\]]*\])/g

/** A table named by a variable, in Kysely or in SQL. */
const variable = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?!['"`\s])([^)]*)\)/g,
  /\b(?:insert into|delete from|merge into|truncate|update)\s+\$\{([^}]*)\}/gi,
]

export function findWrites(text: string): TableWrites {
  const tables = new Set<string>()
  for (const pattern of named) for (const [, table = ''] of text.matchAll(pattern)) tables.add(table)
  const untold: string[] = []
  for (const [whole, list = ''] of text.matchAll(ofFamily)) {
    const known = listed(text, list)
    if (known.length === 0) untold.push(whole)
    for (const table of known) tables.add(table)
  }
  for (const pattern of variable) {
    for (const [whole, expression = ''] of text.matchAll(pattern)) {
      const known = tablesOfLoop(text, expression.replace(/^sql\.(?:table|ref|id)\((\w+)\)?$/, '$1').trim())
      if (known.length === 0) untold.push(whole)
      for (const table of known) tables.add(table)
    }
  }
  return { tables, untold }
}

/** The literal names a loop gives the variable: `for (const table of ['a', 'b'])`, or of a constant in the file. */
function tablesOfLoop(text: string, name: string): string[] {
  if (!/^\w+$/.test(name)) return []
  return [...text.matchAll(new RegExp(`for \\(const ${name} of (\\w+|\\[[^\\]]*\\])`, 'g'))].flatMap(
    ([, list = '']) => listed(text, list),
  )
}

/** The names in a list, or in the constant of the file that is called so. */
function listed(text: string, list: string): string[] {
  return namesIn(list.startsWith('[') ? list : constantOf(text, list))
}

function constantOf(text: string, name: string): string {
  return new RegExp(`const ${name} = (\\[[^\\]]*\\])`).exec(text)?.[1] ?? ''
}

function namesIn(list: string): string[] {
  return [...list.matchAll(/['"`]([a-z_]+)['"`]/g)].map(([, table = '']) => table)
}
