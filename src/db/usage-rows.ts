// Rows that bound what is used: budgets by day, and tokens that are good once.

/** How much a user has used of something that the operator pays for. */
export type UsageRow = {
  userId: string
  day: string // of UTC, as 2026-01-31
  kind: 'texts' | 'calls' | 'ttsCharacters'
  amount: number
}

/** A token that was good once. Kept until it would have expired. */
export type SpentTokenRow = { id: string; expiresAt: string }
