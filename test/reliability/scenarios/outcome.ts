/** What a scenario of docs/reliability measured, and in which sentences its safety did not hold. */
export type Outcome = { figures: Record<string, number>; failures: string[] }
