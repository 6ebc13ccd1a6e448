/** Ecosystems have the names of OSV; products that are named by CPE are of none, and kept as one of their own. */
export function ecosystemName(ecosystem: string): string {
  return ecosystem === 'cpe' ? 'by CPE' : ecosystem
}
