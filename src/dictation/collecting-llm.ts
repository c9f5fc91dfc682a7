// Wraps an LLM so that it can collect values: meanwhile the dialogue's rules reply instead of the model.
import type { Llm } from '../voice/ports.ts'
import { collectView } from './collect-history.ts'
import { promptFor } from './collect-speech.ts'

/** Returns the model itself if it is a rule agent, which cannot call `collect`. */
export function collectingLlm(llm: Llm): Llm {
  if (!llm.isModel) return llm
  return {
    ...llm,
    async *reply(history, tools, options, signal) {
      const { active, isFresh, introduction, messages } = collectView(history)
      const isCallersTurn = history.at(-1)?.role === 'user'
      if (active && (isFresh || isCallersTurn)) {
        // The model often asks the question itself before it calls the tool.
        const isAsked = isFresh && active.prompt === 'ask' && introduction.trimEnd().endsWith('?')
        if (!isAsked) yield { say: promptFor(active) }
        return
      }
      yield* llm.reply(messages, tools, options, signal)
    },
  }
}
