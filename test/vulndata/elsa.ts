/** A package with its fixed version; for one architecture if given. */
export type ElsaPackage = readonly [name: string, fixed: string, arch?: string]

export type Elsa = {
  id: string
  release?: string
  severity?: string
  cves?: readonly string[]
  /** `nodejs:12` */
  module?: string
  title?: string
  packages: readonly ElsaPackage[]
}

const namespaces =
  'xmlns="http://oval.mitre.org/XMLSchema/oval-definitions-5" xmlns:oval="http://oval.mitre.org/XMLSchema/oval-common-5"'

/** An OVAL file as Oracle publishes it, including its tests. */
export function oval(...notices: readonly Elsa[]): string {
  return [
    `<oval_definitions ${namespaces}>\n<generator>\n<oval:product_name>Oracle Errata System</oval:product_name>\n`,
    '<oval:schema_version>5.3</oval:schema_version>\n<oval:timestamp>2021-09-09T12:49:02</oval:timestamp>\n</generator>\n',
    `<definitions>\n${notices.map(definition).join('')}</definitions>\n<!--\n ~~~ rpminfo tests ~~~\n -->\n<tests>\n`,
    '<rpminfo_test xmlns="http://oval.mitre.org/XMLSchema/oval-definitions-5#linux" id="oval:com.oracle.elsa:tst:1" version="501" comment="x is earlier than 0:9-9"/>\n</tests>\n',
    '</oval_definitions>\n',
  ].join('')
}

function definition({
  id,
  release = '8',
  severity = 'IMPORTANT',
  cves = [],
  module,
  title,
  packages,
}: Elsa): string {
  const number = id.replaceAll(/\D/g, '')
  const named = cves.map(
    (cve) =>
      `<cve cvss3="8.1/CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H" href="https://linux.oracle.com/cve/${cve}.html" public="20220506">${cve}</cve>`,
  )
  const architectures = [...new Set(packages.map(([, , arch = 'x86_64']) => arch))].map(
    (arch) =>
      `<criteria operator="AND">${criterion(`Oracle Linux arch is ${arch}`)}<criteria operator="OR">${packages
        .filter(([, , of = 'x86_64']) => of === arch)
        .map(packageCriteria)
        .join('')}</criteria></criteria>`,
  )
  const inModule = module === undefined ? '' : criterion(`Module ${module} is enabled`)
  return [
    `<definition id="oval:com.oracle.elsa:def:${number}" version="501" class="patch">\n<metadata>\n<title>\n${id}:  ${title ?? `${packages[0]?.[0] ?? ''} security update`} (${severity})\n</title>\n`,
    `<affected family="unix">\n<platform>Oracle Linux ${release}</platform>\n\n</affected>\n`,
    `<reference source="elsa" ref_id="${id}" ref_url="https://linux.oracle.com/errata/${id}.html"/>\n`,
    ...cves.map(
      (cve) =>
        `<reference source="CVE" ref_id="${cve}" ref_url="https://linux.oracle.com/cve/${cve}.html"/>\n`,
    ),
    `<description>\n[1.0]\n- &lt;fix&gt; [Orabug: 1]\n</description>\n<!--\n ~~~ advisory details ~~~\n-->\n<advisory>\n<severity>${severity}</severity>\n`,
    `<rights>Copyright 2022 Oracle, Inc.</rights>\n<issued date="2022-05-31"/>\n${named.join('\n')}\n</advisory>\n</metadata>\n`,
    `<criteria operator="AND">${criterion(`Oracle Linux ${release} is installed`)}${inModule}<criteria operator="OR">${architectures.join('')}</criteria></criteria>\n</definition>\n`,
  ].join('')
}

function packageCriteria([name, fixed]: ElsaPackage): string {
  const signed = criterion(`${name} is signed with the Oracle Linux key`)
  const more = fixed.includes('ksplice') ? criterion(`${name} is ksplice-based`) : ''
  return `<criteria operator="AND">${criterion(`${name} is earlier than ${fixed}`)}${signed}${more}</criteria>`
}

function criterion(comment: string): string {
  return `<criterion test_ref="oval:com.oracle.elsa:tst:1" comment="${comment}"/>`
}
