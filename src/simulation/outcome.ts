// The outcome of a rehearsal. Types only. Times are on its virtual clock, since the call was answered.

import type { ChainKind, FailureReason } from '../base/domain/provider-kinds.ts'

export type JsonObject = Record<string, unknown>

export type SpokenLine = { who: 'caller' | 'agent'; text: string; fromMs: number; toMs: number; isCut: boolean }

export type SimulatedToolCall = {
  name: string
  args: unknown
  atMs: number
  result: string
  failed: boolean
  /** False: not in the script; it returned a neutral result. */
  isScripted: boolean
}

/** The part of a turn that checks use; numbered from 1. */
export type RehearsedTurn = {
  number: number
  caller: string | null
  agent: string | null
  isCut: boolean
  latency: { totalMs: number | null }
}

export type SimulationOutcome<T extends RehearsedTurn = RehearsedTurn> = {
  transcript: SpokenLine[]
  toolCalls: SimulatedToolCall[]
  turns: T[]
  /** When each turn started. */
  turnsAtMs: number[]
  endReason: string
  durationMs: number
  /** Steps of the script that were performed before the call ended. */
  stepsPlayed: number
  chainEvents: SimulatedChainEvent[]
}

/** `provider`: the one that serves from now on. */
export type SimulatedChainEvent = {
  atMs: number
  type: 'degraded' | 'recovered'
  kind: ChainKind
  provider: string
  reason: FailureReason | null
}

export type Check = { text: string; passed: boolean; detail: string }
