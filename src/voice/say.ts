// Says a text on a transport in an agent's voice; a voice that the provider does not know gives way to its default one for the language.
import type { SpeakOptions, Transport, Tts } from './ports.ts'

export type Speaker = {
  tts: Tts
  /** Null: the provider's default for the language. */
  voiceId: string | null
  language: string
  speed?: number
  pronunciation?: SpeakOptions['pronunciation']
  vendor?: SpeakOptions['vendor']
}

export type Said = { heardMs: number; usedDefaultVoice: boolean }

export async function say(text: string, speaker: Speaker, transport: Transport, signal: AbortSignal): Promise<Said> {
  const { tts, voiceId, language, ...rest } = speaker
  const known = await tts.voices(signal)
  const chosen = known.find((voice) => voice.id === voiceId)
  const voice = chosen ?? defaultVoice(known, language)
  if (!voice) throw new Error(`${tts.name} has no voice`)
  const options: SpeakOptions = { voiceId: voice.id, language, ...rest }
  const { heardMs } = await transport.play(tts.speak(text, options, signal), signal)
  return { heardMs, usedDefaultVoice: voiceId !== null && !chosen }
}

function defaultVoice<V extends { language: string }>(voices: readonly V[], language: string): V | undefined {
  const main = (tag: string) => tag.split('-')[0]?.toLowerCase()
  return (
    voices.find((voice) => voice.language.toLowerCase() === language.toLowerCase()) ??
    voices.find((voice) => main(voice.language) === main(language)) ??
    voices[0]
  )
}
