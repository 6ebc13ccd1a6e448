import { oneFile } from '../one-file/one-file.ts'
import { isMappingHeader } from './euvd/mapping-header.ts'

/** Which CVE an id of the European vulnerability database stands for. */
export const euvdMapping = oneFile({
  id: 'euvdMapping',
  label: 'EUVD to CVE mapping (ENISA)',
  brings: 'more',
  feed: {
    variable: 'EUVD_MAPPING_URL',
    address: 'https://euvdservices.enisa.europa.eu/api/dump/cve-euvd-mapping',
  },
  begins: ({ line, isCompressed }) => !isCompressed && isMappingHeader(line),
  takeOver: async (tx, taking) => (await import('./euvd/mapping.ts')).takeOverMapping(tx, taking),
})
