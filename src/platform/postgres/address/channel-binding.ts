/** Whether a password is proven for the certificate of the server that asks for it alone (RFC 5929), so that nobody on the way can pass it on. */
export const channelBindings = ['disable', 'prefer', 'require'] as const
export type ChannelBinding = (typeof channelBindings)[number]

const mechanism = 'SCRAM-SHA-256-PLUS'

/** Whether the server offers it, by the ways of signing in that it names. */
export const offersBinding = (mechanisms: readonly string[]) => mechanisms.includes(mechanism)
