// Settings of speech synthesis and recognition.
import { embeddedVoices, type SpeechConfig, sttProviders, ttsProviders, type VendorConfig } from './config.ts'
import type { EnvReader } from './env-reader.ts'

export const readSpeech = (env: EnvReader, modelsDir: string): SpeechConfig => ({
  slots: {
    provider_a: env.oneOf('TTS_PROVIDER_A', ttsProviders, 'embedded'),
    provider_b: env.oneOf('TTS_PROVIDER_B', ttsProviders, 'embedded'),
    provider_c: env.oneOf('TTS_PROVIDER_C', ttsProviders, 'embedded'),
  },
  stt: env.oneOf('STT_PROVIDER', sttProviders, 'embedded'),
  elevenLabs: vendor(env.text('ELEVENLABS_API_KEY'), env.baseUrl('ELEVENLABS_BASE_URL')),
  azure: {
    ...vendor(env.text('AZURE_SPEECH_KEY'), env.baseUrl('AZURE_SPEECH_BASE_URL')),
    region: env.text('AZURE_SPEECH_REGION'),
  },
  cartesia: vendor(env.text('CARTESIA_API_KEY'), env.baseUrl('CARTESIA_BASE_URL')),
  openAi: vendor(env.text('OPENAI_API_KEY'), env.baseUrl('OPENAI_BASE_URL')),
  deepgram: vendor(env.text('DEEPGRAM_API_KEY'), env.baseUrl('DEEPGRAM_BASE_URL')),
  embedded: env.oneOf('EMBEDDED_VOICE', embeddedVoices, 'natural'),
  modelsDir,
  ownModels: env.text('SPEECH_MODELS'),
  turnModel: env.text('TURN_MODEL'),
  cacheBytes: env.number('SPEECH_CACHE_MB', 64, { min: 0, max: 65_536 }) * 1_048_576,
})

const vendor = (apiKey: string | null, baseUrl: string | null): VendorConfig =>
  baseUrl === null ? { apiKey } : { apiKey, baseUrl }
