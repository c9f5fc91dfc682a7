// Chooses an agent's voice: an unknown one is replaced by the provider's default for the language.

import type { Say, Speaker, SpeakOptions } from '../ports.ts'

export async function chooseVoice(speaker: Speaker, signal: AbortSignal): Promise<{ say: Say; isDefault: boolean }> {
  const { tts, voiceId, language, ...rest } = speaker
  const known = await tts.voices(signal)
  const chosen = known.find((voice) => voice.id === voiceId)
  const voice = chosen ?? defaultVoice(known, language)
  if (!voice) throw new Error(`${tts.name} has no voice`)
  const options: SpeakOptions = { voiceId: voice.id, language, ...rest }
  return {
    say: (text, stop) => tts.speak(text, options, stop),
    isDefault: voiceId !== null && !chosen,
  }
}

function defaultVoice<V extends { language: string }>(voices: readonly V[], language: string): V | undefined {
  const main = (tag: string) => tag.split('-')[0]?.toLowerCase()
  return (
    voices.find((voice) => voice.language.toLowerCase() === language.toLowerCase()) ??
    voices.find((voice) => main(voice.language) === main(language)) ??
    voices[0]
  )
}
