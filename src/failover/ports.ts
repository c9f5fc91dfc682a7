// What a chain of providers is made of: links in order, a circuit breaker for each account, and the events of a call. Types only.

import type { ChainKind, FailureReason, ProviderKind } from '../base/domain/provider-kinds.ts'

export type { FailureReason }

/** One provider in a chain, ready for use. */
export type ChainLink<Engine> = {
  /** An account's id, `environment…`, or `embedded`, which has no breaker and is never skipped. */
  readonly id: string
  /** Changes when the account does: a new key starts with a closed breaker. */
  readonly version: string
  /** Shown to the owner of the agent. */
  readonly name: string
  /** Model or voice; null: the provider's default. */
  readonly model: string | null
  readonly engine: Engine
  /** The engine without the count of what a user spends, where it has one: a trial is for everybody. */
  readonly uncounted?: Engine | undefined
}

/** A small request of its own; resolves with the time to the first token, word or sound. */
export type Trial = (signal: AbortSignal) => Promise<number>

/** Of one account and kind; shared by all calls of this process. */
export type Breaker = {
  /** Closed, or half open with no trial under way: the caller of this makes the attempt and reports its end. */
  admits(): boolean
  succeeded(firstMs: number): void
  /** With a `trial` the provider is tried again in the background, and no caller is admitted until it has succeeded. */
  failed(reason: FailureReason, trial?: Trial): void
  /** The attempt ended without telling anything, such as by barge-in. */
  abandoned(): void
}

export type ProviderHealth = {
  state: 'unused' | 'ok' | 'failing' | 'down'
  reason: FailureReason | null
  /** Since when it has been failing or down, as ISO 8601. */
  since: string | null
  /** Median of recent times to the first token, word or sound. */
  firstMs: number | null
}

/** What a breaker is of: an account of this kind, or an owner's answer hook. */
export type BreakerKind = ProviderKind | 'answer_hook'

export type Breakers = {
  of(kind: BreakerKind, link: Pick<ChainLink<unknown>, 'id' | 'version'>): Breaker
  /** Of the newest version of an account. */
  healthOf(kind: BreakerKind, id: string): ProviderHealth
}

/** Who served a turn. */
export type Served = { kind: ChainKind; providerId: string; name: string; model: string | null }

/** For the call's events, its turns and metrics. */
export type ChainEvent =
  | ({ type: 'served' } & Served)
  /** A call uses another link than its first one; told once for each change. */
  | { type: 'degraded'; kind: ChainKind; from: Served; to: Served; reason: FailureReason }
  /** The first link serves again. */
  | { type: 'recovered'; kind: ChainKind; to: Served }

export type ChainParts<Engine> = {
  /** At least one; in order. */
  links: readonly ChainLink<Engine>[]
  breakers: Breakers
  onEvent: (event: ChainEvent) => void
}
