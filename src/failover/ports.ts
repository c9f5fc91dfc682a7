// What a chain of providers is made of: links in order, a circuit breaker for each account, and the events of a call. Types only.

import type { ChainKind, FailureReason, ProviderKind } from '../base/domain/provider-kinds.ts'
import type { Clock } from '../voice/ports.ts'

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
  /** The engine without a user's meter, if it has one: a trial serves all users. */
  readonly uncounted?: Engine | undefined
}

/** A small request to a provider; resolves with the time to the first token, word or sound. */
export type Trial = (signal: AbortSignal) => Promise<number>

/** Of one account and kind; shared by all calls of this process. */
export type Breaker = {
  /** Closed, or half open with no trial under way. Whoever is admitted makes the attempt and reports how it ended. */
  admits(): boolean
  succeeded(firstMs: number): void
  /** With a `trial`, an open breaker retries the provider in the background and admits nobody until a trial succeeds. */
  failed(reason: FailureReason, trial?: Trial): void
  /** The attempt ended with no information about the provider, for example by barge-in. */
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

/** What a breaker protects: an account of this kind, or an owner's answer hook. */
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
  /** A call is served by another link than its first one; sent once per change. */
  | { type: 'degraded'; kind: ChainKind; from: Served; to: Served; reason: FailureReason }
  /** The first link serves again. */
  | { type: 'recovered'; kind: ChainKind; to: Served }

export type ChainParts<Engine> = {
  /** At least one; in order. */
  links: readonly ChainLink<Engine>[]
  breakers: Breakers
  onEvent: (event: ChainEvent) => void
  /** By default the real one. */
  clock?: Clock
}
