/** An address that is shown to whoever reports a vulnerability and is no e-mail address, and whose settings it is in. */
export type UnusableContact = { setting: 'company' | 'disclosure'; address: string }
