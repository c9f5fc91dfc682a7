// Gathers what a conversation tells into the turns that are kept with the call: what was said, and how long each stage took.
import type { Turn } from './api/calls/schema.ts'
import { now } from './base/clock.ts'
import type { SessionEvent } from './voice/session.ts'

const MAX_TURNS = 1000

export function turnRecord() {
  const turns: Turn[] = []
  let open: Turn | undefined
  const none = { endOfTurnMs: null, recognitionMs: null, modelMs: null, synthesisMs: null, totalMs: null }

  function begin(caller: string | null): Turn {
    const turn: Turn = { number: turns.length + 1, at: now(), caller, agent: null, isCut: false, latency: { ...none } }
    if (turns.length < MAX_TURNS) turns.push(turn)
    return turn
  }

  return {
    turns,
    add(event: SessionEvent): void {
      if (event.type === 'said' && event.who === 'caller') open = begin(event.text)
      else if (event.type === 'said') {
        const turn = open && open.agent === null ? open : begin(null)
        turn.agent = event.text
        turn.isCut = event.isCut
        open = turn
      } else if (event.type === 'turn' && open) {
        const { voiceEndedAt, recognisedAt, repliedAt, wordAt, soundAt } = event
        const span = (from: number, to: number) => Math.max(0, Math.round(to - from))
        open.latency = {
          // Recognition runs within the pause: what is left of the pause is the wait for the end of the turn.
          recognitionMs: span(voiceEndedAt, recognisedAt),
          endOfTurnMs: span(recognisedAt, repliedAt),
          modelMs: span(repliedAt, wordAt),
          synthesisMs: span(wordAt, soundAt),
          totalMs: span(voiceEndedAt, soundAt),
        }
      }
    },
  }
}
