// Runs one call of the benchmark, from its INVITE to the record of its turns.

import { follow, type Spoken, type Trace } from './caller.ts'
import type { CallerTurn, Dialogue } from './dialogue.ts'
import { type Background, openLine } from './line.ts'
import type { Model } from './model.ts'
import type { Telephone } from './phone.ts'
import type { Platform } from './platform.ts'
import type { ReplySound } from './scene-audio.ts'

export type Lane = {
  readonly number: number
  readonly telephone: Telephone
  readonly model: Model
  readonly platform: Platform
}

export type SceneAudio = {
  spoken: Spoken
  background: Background
  replySounds: ReadonlyMap<CallerTurn, ReplySound>
}

let calls = 0

export async function placeCall(
  { number: lane, telephone, model, platform }: Lane,
  { dialogue, spoken, background, replySounds }: SceneAudio & { dialogue: Dialogue },
): Promise<Trace> {
  const from = `+5511${910_000_000 + ++calls}`
  const line = await openLine(background)
  try {
    const asked = model.begin(lane, dialogue)
    const wallMs = Date.now() - performance.now()
    const to = platform.numberOf(dialogue.language, lane)
    const call = await telephone.dial(line, { sipPort: platform.sipPort, to, from })
    const turns = await follow({ dialogue, spoken, line, call, model: asked })
    const endedByAgentMs = call.endedAtMs()
    const endedAtMs = endedByAgentMs ?? performance.now()
    const hasHungUp = await call.hangUp()
    const record = await platform.recordOf(from)
    return {
      dialogue,
      wallMs,
      answeredAtMs: call.answeredAtMs,
      endedAtMs,
      turns,
      heard: line.heard,
      sent: line.sent,
      requests: asked.requests,
      record,
      replySounds,
      hasHungUp,
      isEndedByAgent: endedByAgentMs !== null,
      lateMs: line.lateMs,
    }
  } finally {
    line.close()
  }
}
