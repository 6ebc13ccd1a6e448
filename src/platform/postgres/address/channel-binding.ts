/** Whether the proof of a password is bound to the server's certificate (RFC 5929), so that nobody in between can relay it. */
export const channelBindings = ['disable', 'prefer', 'require'] as const
export type ChannelBinding = (typeof channelBindings)[number]

const mechanism = 'SCRAM-SHA-256-PLUS'

/** Whether the server offers it, by the ways of signing in that it names. */
export const offersBinding = (mechanisms: readonly string[]) => mechanisms.includes(mechanism)
