import {
  isNobody,
  isTelling,
  keyOfName,
  keyOfVendorAndName,
  vendorWords,
  withoutVendor,
  wordsOf,
} from './words.ts'

/** A path in a registry names a package, not a product: `golang.org/x/net/html`, `https://github.com/acme/pump`. */
const isPath = /:\/\/|^[\w-]+(?:\.[\w-]+)+\//

/**
 * The package key under which components meet the product that a record calls by these words. The name alone is enough where it says the vendor as
 * well: the product is its own project (`curl` of `The curl project`), or begins with its vendor (`Apache Tomcat` of the `Apache Software
 * Foundation`). Every other product is identified by vendor and name together (`acme:pump`). undefined: the words name nobody,
 * or many products.
 */
export function nameOfProduct(vendor: string, product: string): string | undefined {
  const [maker, name] = [vendorWords(vendor), wordsOf(product)]
  if (isNobody(maker) || !isTelling(name) || isPath.test(vendor) || isPath.test(product)) return undefined
  const rest = withoutVendor(name, maker)
  // `mlflow/mlflow`, as some write the repository
  if (rest.length === 0 || rest.join(' ') === maker.join(' ')) return keyOfName(maker)
  return rest.length < name.length ? keyOfName(name) : keyOfVendorAndName(maker, name)
}
