/** Paths that are not feed files, as sent on the wire: spellings of real ones, other folders, traversals, and overlong ones. */
export function hostileFeedPaths({
  slug,
  year,
  file,
}: {
  slug: string
  year: number
  file: string
}): string[] {
  const feed = `/csaf/${slug}`
  const real = [
    `${feed}/provider-metadata.json`,
    `${feed}/white/index.txt`,
    `${feed}/white/changes.csv`,
    ...['', '.sha256', '.sha512'].map((hash) => `${feed}/white/${year}/${file}${hash}`),
  ]
  const spelt = real.flatMap((path) => [
    `${path}/`,
    `${path}.`,
    `${path}%20`,
    `${path}%00`,
    `${path}%0a`,
    `${path}%2f`,
    `${path};a=b`,
    `${path}.asc`,
    `${path}.sha1`,
    `${path}~`,
    path.toUpperCase().replace('/CSAF', '/csaf'),
    path.replace(slug, slug.toUpperCase()),
    path.replace('.', '%2e'),
    path.replace('.', '%252e'),
    path.replace('-', '%2d'),
    path.replace(`${feed}/`, `${feed}//`),
    path.replace(`${feed}/`, `${feed}/./`),
    path.replace(`${feed}/`, `${feed}/%2e/`),
    path.replace(`${feed}/`, `${feed}/x/../`),
    path.replace(`${feed}/`, `${feed}\\`),
    path.replace(`${feed}/`, `${feed}%5c`),
    path.replace(slug, 'nobody'),
    path.replace(slug, `${slug}%00`),
    path.replace(slug, `${slug}.`),
    path.replace('/csaf/', '/csaf//'),
  ])
  const folders = ['green', 'amber', 'red', 'White', 'WHITE', 'clear', 'w', 'white%2f', 'whiteness']
  const others = folders.flatMap((folder) => [
    `${feed}/${folder}/`,
    `${feed}/${folder}/index.txt`,
    `${feed}/${folder}/changes.csv`,
    `${feed}/${folder}/${year}/${file}`,
  ])
  const numbers = [year - 1, year + 1, `0${year}`, `+${year}`, `${year}.0`, '..', '', '*', '99999']
  const paths = new Set([
    ...spelt,
    ...others,
    ...numbers.map((number) => `${feed}/white/${number}/${file}`),
    ...['/csaf', '/csaf/', feed, `${feed}/`, `${feed}/white`, `${feed}/white/`, `${feed}/white/${year}`],
    `${feed}/white/${year}/`,
    `${feed}/white/${file}`,
    `${feed}/${year}/${file}`,
    `${feed}/white/${year}/${file.replace('.json', '')}`,
    `${feed}/white/${year}/${file.replace('.json', '.json.json')}`,
    `${feed}/white/${year}/${file.replace('.json', '.xml')}`,
    `${feed}/white/${year}/${'a'.repeat(65)}.json`,
    `${feed}/white/${year}/${'a'.repeat(6_000)}.json`,
    `/csaf/${'a'.repeat(6_000)}/provider-metadata.json`,
    ...[
      '../../../../etc/passwd',
      '..%2f..%2fetc%2fpasswd',
      '%c0%ae%c0%ae/x',
      "'or'1'='1",
      '%27%20or%201=1--',
      '${7*7}',
      '<script>',
      '%F0%9F%92%A9',
      '%ff',
      '%',
      '%zz',
    ].flatMap((words) => [
      `${feed}/${words}`,
      `${feed}/white/${words}`,
      `${feed}/white/${year}/${words}`,
      `/csaf/${words}`,
    ]),
    ...[
      '.well-known/csaf/provider-metadata.json',
      'index.txt',
      'changes.csv',
      'service.json',
      'rolie.json',
      'white/index.html',
      'white/feed.atom',
      'openpgp/key.asc',
    ].map((name) => `${feed}/${name}`),
  ])
  // a replacement that finds nothing leaves a real path
  return [...paths.difference(new Set(real))]
}
