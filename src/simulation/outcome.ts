// What came of a rehearsal. Types only. Times are of its own clock, from the moment at which the call was answered.

export type JsonObject = Record<string, unknown>

export type SpokenLine = { who: 'caller' | 'agent'; text: string; fromMs: number; toMs: number; isCut: boolean }

export type ToolRun = {
  name: string
  args: unknown
  atMs: number
  result: string
  failed: boolean
  /** False: the script says nothing of it, and it got a neutral answer. */
  isScripted: boolean
}

/** As much of a turn's record as checks look at; numbered from 1. */
export type RehearsedTurn = {
  number: number
  caller: string | null
  agent: string | null
  isCut: boolean
  latency: { totalMs: number | null }
}

export type Outcome<T extends RehearsedTurn = RehearsedTurn> = {
  transcript: SpokenLine[]
  toolCalls: ToolRun[]
  turns: T[]
  /** When each of the turns began. */
  turnsAtMs: number[]
  endReason: string
  durationMs: number
  /** Of the script's steps; the rest had no time, or nobody to talk to. */
  stepsPlayed: number
}

export type Check = { text: string; passed: boolean; detail: string }
