// What a rehearsal is told to do, and what it is asked to prove. Types only; null is the same as absent.
import type { JsonObject } from './outcome.ts'

/** Exactly one of says, waits, presses, noise, hangsUp. */
export type Step = {
  says?: string | null
  /** How long it takes to say; by its letters when absent. */
  ms?: number | null
  /** Its sound at 8 kHz, in a rehearsal by sound. */
  pcm?: Int16Array
  waits?: number | null
  presses?: string | null
  noise?: number | null
  hangsUp?: boolean | null
  /** So long after the caller's step before, whatever the agent does. Absent: when the agent has answered and is silent. */
  afterMs?: number | null
  /** So long after the agent has begun to speak. */
  interruptsAfterMs?: number | null
}

export type ScriptedTool = {
  result?: unknown
  error?: string | null
  delayMs?: number | null
  /** The call is hung up with this reason after it. */
  endsCall?: string | null
}

export type Words = {
  contains?: string | null
  matches?: string | null
  not?: string | null
  turn?: number | null
}

/** Exactly one of said, heard, toolRan, toolNotRan, turnUnderMs, interrupted, endReason; the others qualify it. */
export type Expectation = {
  said?: Words | null
  heard?: Words | null
  toolRan?: string | null
  args?: JsonObject | null
  times?: number | null
  toolNotRan?: string | null
  turnUnderMs?: number | null
  turn?: number | null
  interrupted?: number | null
  endReason?: string | null
}

/** What stages are said to take, instead of what they took. */
export type Timing = { recognitionMs?: number | null; modelMs?: number | null; synthesisMs?: number | null }

export type Script = {
  steps: readonly Step[]
  tools?: Readonly<Record<string, ScriptedTool>> | null
  expect?: readonly Expectation[] | null
  timing?: Timing | null
  /** Background noise in a rehearsal by sound, in dB of full scale. */
  noiseDb?: number | null
}
