// Voice UUIDs for provider_c: the vendor's own, or one derived from the voice's name.
import { AppError } from '../base/errors.ts'
import type { Tts, Voice } from '../voice/ports.ts'
import { uuidOf } from './catalogue.ts'

const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
const byUuid = (voice: Voice): Voice => ({ ...voice, id: isUuid(voice.id) ? voice.id : uuidOf(voice.id) })

export function withUuids(tts: Tts): Tts {
  const ownIds = new Map<string, string>()
  const voices = async (signal: AbortSignal) => {
    const own = await tts.voices(signal)
    for (const { id } of own) if (!isUuid(id)) ownIds.set(uuidOf(id), id)
    return own.map(byUuid)
  }
  return {
    name: tts.name,
    voices,
    async *speak(text, options, signal) {
      const asked = options.voiceId.toLowerCase()
      if (!ownIds.has(asked) && !(await voices(signal)).some((voice) => voice.id.toLowerCase() === asked))
        throw new AppError('not_found', 'Voice not found')
      yield* tts.speak(text, { ...options, voiceId: ownIds.get(asked) ?? asked }, signal)
    },
  }
}
