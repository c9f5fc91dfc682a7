// Voice UUIDs for provider_c: the vendor's own, or one derived from the voice's name.
import { notFound } from '../base/errors/errors.ts'
import type { Tts, Voice } from '../voice/ports.ts'
import { uuidOf } from './catalog.ts'

const isUuid = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
const byUuid = (voice: Voice): Voice => ({ ...voice, id: isUuid(voice.id) ? voice.id : uuidOf(voice.id) })

export function withUuids(tts: Tts): Tts {
  /** The vendor's id by the UUID in the API. */
  const ownIds = new Map<string, string>()
  const voices = async (signal: AbortSignal) => {
    const own = await tts.voices(signal)
    for (const { id } of own) ownIds.set(byId(id), id)
    return own.map(byUuid)
  }
  /** Without a list a vendor's own UUID is tried as it is: its list must not decide whether it can speak. */
  async function ownIdOf(asked: string, signal: AbortSignal): Promise<string> {
    if (!ownIds.has(asked)) {
      const error = await voices(signal).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (!error && !ownIds.has(asked)) throw notFound('Voice')
      if (error && (signal.aborted || !isUuid(asked))) throw error
    }
    return ownIds.get(asked) ?? asked
  }
  return {
    name: tts.name,
    voices,
    ...(tts.knows
      ? {
          knows: (text, options) =>
            tts.knows?.(text, { ...options, voiceId: ownIds.get(options.voiceId.toLowerCase()) ?? options.voiceId }) ??
            false,
        }
      : {}),
    async *speak(text, options, signal) {
      const voiceId = await ownIdOf(options.voiceId.toLowerCase(), signal)
      yield* tts.speak(text, { ...options, voiceId }, signal)
    },
  }
}

const byId = (id: string) => (isUuid(id) ? id.toLowerCase() : uuidOf(id))
