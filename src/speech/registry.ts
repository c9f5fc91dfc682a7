// Every engine and vendor on one page: which function makes which. A new one is its file and a line here.
import type { SpeechConfig, SttProvider, TtsProvider } from '../config.ts'
import type { Stt, Tts } from '../voice/ports.ts'
import { deepgram } from './stt/deepgram.ts'
import { openAiTranscription } from './stt/openai-transcription.ts'
import { azure } from './tts/azure.ts'
import { cartesia } from './tts/cartesia.ts'
import { elevenLabs } from './tts/elevenlabs.ts'
import { openAiSpeech } from './tts/openai-speech.ts'

export type Closing = { close?(): Promise<void> | void }

type Make<T> = (config: SpeechConfig, embedded: T) => T & Closing

const voices: Record<TtsProvider, Make<Tts>> = {
  embedded: (_config, embedded) => embedded,
  elevenlabs: ({ elevenLabs: settings }) => elevenLabs(settings),
  azure: ({ azure: settings }) => azure(settings),
  cartesia: ({ cartesia: settings }) => cartesia(settings),
  openai: ({ openAi: settings }) => openAiSpeech(settings),
}

const ears: Record<SttProvider, Make<Stt>> = {
  embedded: (_config, embedded) => embedded,
  openai: ({ openAi: settings }) => openAiTranscription(settings),
  deepgram: ({ deepgram: settings }) => deepgram(settings),
}

export const makeTts = (name: TtsProvider, config: SpeechConfig, embedded: Tts) => voices[name](config, embedded)
export const makeStt = (name: SttProvider, config: SpeechConfig, embedded: Stt) => ears[name](config, embedded)
