/** The reference validator of CSAF 2.0 comes without types. */
type TestResult = {
  name: string
  isValid: boolean
  errors: { instancePath: string; message?: string }[]
  warnings: { instancePath: string; message?: string }[]
  infos: { instancePath: string; message?: string }[]
}
type DocumentTest = (document: unknown) => unknown

declare module '@secvisogram/csaf-validator-lib/validate.js' {
  // oxlint-disable-next-line house/default-export -- the library exports it so
  export default function validate(
    tests: readonly DocumentTest[],
    document: unknown,
  ): Promise<{ isValid: boolean; tests: TestResult[] }>
}

declare module '@secvisogram/csaf-validator-lib/basic.js' {
  const tests: Record<string, DocumentTest>
  export = tests
}

declare module '@secvisogram/csaf-validator-lib/optionalTests.js' {
  const tests: Record<string, DocumentTest>
  export = tests
}

declare module '@secvisogram/csaf-validator-lib/informativeTests.js' {
  const tests: Record<string, DocumentTest>
  export = tests
}

declare module '@secvisogram/csaf-validator-lib/cwe.js' {
  export const weaknesses: readonly { id: string; name: string }[]
}

declare module '@secvisogram/csaf-validator-lib/schemaTests.js' {
  const tests: Record<string, DocumentTest>
  export = tests
}
