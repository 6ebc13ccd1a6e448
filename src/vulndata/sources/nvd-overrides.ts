import { compileCve, idPrefixes } from '../../records/nvd/compile-cve.ts'
import { isOverride } from '../../records/nvd/read-cve.ts'
import type { Source } from './source.ts'

/** Configurations that correct what NVD says about a CVE (https://github.com/anchore/nvd-data-overrides). */
export const nvdOverrides: Source = {
  id: 'nvd-overrides',
  label: 'NVD overrides',
  brings: 'more',
  records: {
    is: isOverride,
    compile: (value, _, name) => compileCve(value, name),
    prefixes: [idPrefixes['nvd-overrides']],
  },
}
