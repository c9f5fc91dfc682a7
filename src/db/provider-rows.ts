// The row of a provider account; part of tables.ts.
import type { ProviderKind } from '../base/domain/provider-kinds.ts'

export type ProviderAccountRow = {
  id: string
  userId: string
  kind: ProviderKind
  vendor: string
  name: string
  baseUrl: string // including the version if the vendor has one; no trailing slash
  model: string // for agents that name none; empty: the vendor has no models
  models: string | null // JSON: further models that agents may name; null: any
  keySealed: string | null
  keyFor: string | null // the origin that the key was given for
  isDefault: 0 | 1 // at most one per user and kind
  sharedAt: string | null // set by an administrator; from then on for the whole platform
  prices: string | null // JSON, entered by hand
  createdAt: string
  updatedAt: string
}
