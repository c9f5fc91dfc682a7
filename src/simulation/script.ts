// The script of a rehearsal: the caller's steps, tool results and expectations. Types only; null is the same as absent.
import type { ChainKind } from '../base/domain/provider-kinds.ts'
import type { OutageName } from './outages.ts'
import type { JsonObject } from './outcome.ts'

/** Exactly one of says, waits, presses, noise, hangsUp, outage. */
export type ScriptStep = {
  says?: string | null
  /** Duration of the speech; derived from its length when absent. */
  ms?: number | null
  /** Audio at 8 kHz, in an audio rehearsal. */
  pcm?: Int16Array
  waits?: number | null
  presses?: string | null
  noise?: number | null
  hangsUp?: boolean | null
  /** From now on, vendors of this kind refuse connections and break off their streams. */
  outage?: OutageName | null
  /** This long after the caller's previous step, whatever the agent does. Absent: when the agent has answered and is silent. */
  afterMs?: number | null
  /** This long after the agent has started to speak. */
  interruptsAfterMs?: number | null
}

export type ScriptedTool = {
  result?: unknown
  error?: string | null
  delayMs?: number | null
  /** Hang up with this reason afterwards. */
  endsCall?: string | null
}

export type TextExpectation = {
  contains?: string | null
  matches?: string | null
  not?: string | null
  turn?: number | null
}

/** Exactly one of said, heard, toolRan, toolNotRan, turnUnderMs, interrupted, endReason, degraded; the others qualify it. */
export type Expectation = {
  said?: TextExpectation | null
  heard?: TextExpectation | null
  toolRan?: string | null
  args?: JsonObject | null
  times?: number | null
  toolNotRan?: string | null
  turnUnderMs?: number | null
  turn?: number | null
  interrupted?: number | null
  endReason?: string | null
  /** This chain used another link than its first; `none`: no chain did. */
  degraded?: ChainKind | 'none' | null
}

/** Fixed times of stages, instead of measured ones. */
export type Timing = { recognitionMs?: number | null; modelMs?: number | null; synthesisMs?: number | null }

export type Script = {
  steps: readonly ScriptStep[]
  tools?: Readonly<Record<string, ScriptedTool>> | null
  expect?: readonly Expectation[] | null
  timing?: Timing | null
  /** Background noise in an audio rehearsal, in dBFS. */
  noiseDb?: number | null
}
