// The row of an account at a provider; part of tables.ts.
import type { ProviderKind } from '../base/domain/provider-kinds.ts'

export type ProviderAccountRow = {
  id: string
  userId: string
  kind: ProviderKind
  vendor: string
  name: string
  baseUrl: string // with its version where the vendor has one, without a slash at its end
  model: string // of agents that name none; empty: the vendor has no models
  models: string | null // JSON: further models that agents may name; null: any
  keySealed: string | null
  keyFor: string | null // the origin that the key was given for
  isDefault: 0 | 1 // at most one of a user and kind
  sharedAt: string | null // set by an administrator: for the whole platform since then
  prices: string | null // JSON, entered by hand
  createdAt: string
  updatedAt: string
}
