// Trial of a language model that has failed: does it answer again, and quickly enough to be spoken?
import { appError } from '../base/errors/errors.ts'
import { spokenLetters } from '../base/text/spoken-letters.ts'
import type { Clock, Llm } from '../voice/ports.ts'
import type { Trial } from './ports.ts'

/** A slow voice needs this long for a letter: a model that takes longer cannot feed it. */
export const MS_PER_LETTER = 100
/** Contains no data of any caller. */
const TRIAL_QUESTION = 'Count from one to twenty in words.'
/** A whole sentence: a model that is too slow can still produce one word in time. */
const TRIAL_LETTERS = 40

/** Resolves with the time to the first token of an answer that comes quickly enough to be spoken. */
export function modelTrial(model: Llm, lagMs: number, clock: Clock): Trial {
  return async (signal) => {
    const startedAt = clock.now()
    const stop = new AbortController()
    const question = [{ role: 'user', content: TRIAL_QUESTION }] as const
    const answer = model.reply(question, [], { language: 'en' }, AbortSignal.any([signal, stop.signal]))
    let firstAt: number | null = null
    let letters = 0
    for await (const part of answer) {
      firstAt ??= clock.now()
      if ('say' in part) letters += spokenLetters(part.say)
      if (letters < TRIAL_LETTERS) continue
      stop.abort()
      break
    }
    signal.throwIfAborted()
    const now = clock.now()
    firstAt ??= now
    if (now - firstAt > letters * MS_PER_LETTER + lagMs) throw appError('service_silent', { service: model.name })
    return firstAt - startedAt
  }
}
