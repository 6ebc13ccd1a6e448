import { describe, expect, it } from 'vitest'
import { nameOfProduct } from './name-of-product.ts'

const nameOf = (vendor: string, product: string) => nameOfProduct(vendor, product)?.split('\u001f')[1]

describe('the name of a product that a record calls by words', () => {
  it.each<[vendor: string, product: string, expected: string]>([
    ['OpenSSL', 'OpenSSL', 'openssl'],
    ['The curl project', 'curl', 'curl'],
    ['OpenSSL Software Foundation', 'OpenSSL', 'openssl'],
    ['The Libreswan Project (www.libreswan.org)', 'libreswan', 'libreswan'],
    ['alist-org', 'alist', 'alist'],
    ['PostgreSQL Global Development Group', 'PostgreSQL', 'postgresql'],
    ['Node.js', 'Node.js', 'nodejs'],
    ['net-snmp', 'net_snmp', 'net snmp'],
    ['mlflow', 'mlflow/mlflow', 'mlflow'],
    ['Notepad++', 'Notepad++', 'notepad++'],
    ['Ｂluez', 'BlueZ™', 'bluez'],
  ])('of a project of its own, %s: %s is %s', (vendor, product, expected) => {
    expect(nameOf(vendor, product)).toBe(expected)
  })

  it.each<[vendor: string, product: string, expected: string]>([
    ['Apache Software Foundation', 'Apache Tomcat', 'apache tomcat'],
    ['MongoDB Inc.', 'MongoDB Server', 'mongodb server'],
    ['pypa', 'pypa/setuptools', 'pypa setuptools'],
    ['Acme', 'Acme Agent', 'acme agent'],
  ])('that says its vendor, %s: %s is %s', (vendor, product, expected) => {
    expect(nameOf(vendor, product)).toBe(expected)
  })

  it.each<[vendor: string, product: string, expected: string]>([
    ['Acme Co., Ltd.', 'Pump  Control', 'acme:pump control'],
    ['ACME, Inc.', 'pump-control', 'acme:pump control'],
    ['Acme S.p.A.', 'Pump', 'acme:pump'],
    ['Acme Pumps GmbH & Co. KG', 'Pump', 'acme pumps:pump'],
    ['SAP_SE', 'Commerce Hana', 'sap:commerce hana'],
    ['The GNU C Library', 'glibc', 'gnu c library:glibc'],
    ['ISC', 'BIND 9', 'isc:bind 9'],
    ['haxx', 'curl', 'haxx:curl'],
    ['Inc', 'Pump', 'inc:pump'],
  ])('of a vendor, %s: %s is %s', (vendor, product, expected) => {
    expect(nameOf(vendor, product)).toBe(expected)
  })

  it.each<[rule: string, vendor: string, product: string]>([
    ['no vendor', 'n/a', 'Pump'],
    ['an unknown vendor', 'Unknown', 'Pump'],
    ['a vendor without words', '…', 'Pump'],
    ['no product', 'Acme', ''],
    ['a word of the trade', 'Acme', 'Agent'],
    ['a project called by one', 'core', 'Core'],
    ['several of them', 'Acme', 'Web Server API'],
    ['two letters', 'Go', 'go'],
    ['a number', 'Acme', '9000'],
    ['the kernel', 'Linux', 'Linux'],
    ['the kernel in two words', 'Linux', 'Linux Kernel'],
    ['a system', 'Microsoft', 'Windows 11'],
    ['a distribution', 'Fedora', 'Fedora 38'],
    ['another one', 'Oracle Corporation', 'Oracle Linux'],
    ['a module of Go', 'golang.org/x/net', 'golang.org/x/net/html'],
    ['an address', 'Google', 'https://github.com/google/nftables'],
    ['a sentence', 'Acme', 'the pump that is in every one of our tanks since 2019'],
    ['a text of any length', 'Acme', 'pump'.repeat(100)],
  ])('is nobody’s where it is %s', (_rule, vendor, product) => {
    expect(nameOf(vendor, product)).toBeUndefined()
  })
})
