import { openCompaniesScene } from './companies-scene.ts'

/** The workspace acme with its own issuer and verified domain, and a stopped clock. */
export async function openCompanyScene() {
  const { issuer, begin, comeBack, setUp, close } = await openCompaniesScene()
  await setUp()
  return {
    issuer,
    /** The status of a complete sign-in; `meanwhile` runs while the browser is at the issuer. */
    signIn: async (meanwhile: () => void = () => undefined): Promise<number> => {
      const gone = await begin()
      meanwhile()
      return (await comeBack(gone)).status
    },
    close,
  }
}
