// Tries a vendor of speech: one sentence spoken, or a spoken sample recognized; measures the time to the first sound or word.
import { readFile } from 'node:fs/promises'
import { readWav } from '../audio/wav.ts'
import { type AttemptResult, type TestResult, testProvider } from '../base/domain/provider-test.ts'
import { appError } from '../base/errors/errors.ts'
import { monotonicMs } from '../base/time/clock.ts'
import type { Audio, Stt, Tts, Voice } from '../voice/ports.ts'
import { languageOf, previewText } from './catalog.ts'
import { accountStt, accountTts, type SpeechAccount } from './registry.ts'
import { wordErrors } from './word-errors.ts'

export type SpeechTestOptions = { title: string; timeoutMs?: number; voiceId?: string | null }

/** What is said in sample/bom-dia.wav, which the embedded voice has spoken. */
const SAMPLE = 'Bom dia, eu queria marcar uma consulta.'
const SAMPLE_LANGUAGE = 'pt-BR'
const sampleFile = new URL('./sample/bom-dia.wav', import.meta.url)
const FRAMES_PER_SECOND = 50
/** A vendor that gets more than half of the words wrong cannot serve calls. */
const MAX_ERRORS = 0.5
/** Noise of an empty stream stays below this. */
const AUDIBLE = 64

export function testTts(account: SpeechAccount, { title, timeoutMs, voiceId }: SpeechTestOptions): Promise<TestResult> {
  const { model, apiKey } = account
  return testProvider({ kind: 'tts', title, model, apiKey, timeoutMs }, async ({ signal, onRefusal }) => {
    const tts = accountTts({ ...account, connections: { ...account.connections, onRefusal } })
    if (!tts) throw appError('service_not_configured', { service: title })
    const voice = voiceId ? null : await firstVoice(tts, title, signal)
    const chosen = voiceId ?? voice?.id ?? ''
    const result = await timeToSound(tts, chosen, voice?.language ?? 'en', signal)
    if (result) return result
    return silent(title, signal)
  })
}

function silent(title: string, signal: AbortSignal): AttemptResult {
  signal.throwIfAborted()
  return { firstMs: 0, wrong: { problem: 'no_sound', message: `${title} returned audio without a sound` } }
}

async function firstVoice(tts: Tts, title: string, signal: AbortSignal): Promise<Voice> {
  const [voice] = await tts.voices(signal)
  if (!voice) throw appError('service_no_voices', { service: title })
  return voice
}

async function timeToSound(tts: Tts, voiceId: string, language: string, signal: AbortSignal) {
  const text = previewText[languageOf(language)] ?? (previewText.en as string)
  const beganMs = monotonicMs()
  let firstMs: number | undefined
  for await (const { pcm } of tts.speak(text, { voiceId }, signal)) {
    firstMs ??= Math.round(monotonicMs() - beganMs)
    if (pcm.some((sample) => Math.abs(sample) > AUDIBLE)) return { firstMs }
  }
  return undefined
}

export function testStt(account: SpeechAccount, { title, timeoutMs }: SpeechTestOptions): Promise<TestResult> {
  const { model, apiKey } = account
  return testProvider({ kind: 'stt', title, model, apiKey, timeoutMs }, async ({ signal, onRefusal }) => {
    const stt = accountStt({ ...account, connections: { ...account.connections, onRefusal } })
    if (!stt) throw appError('service_not_configured', { service: title })
    const { heard, firstMs } = await recognize(stt, signal)
    signal.throwIfAborted()
    if (heard === '') {
      const message = `${title} recognised no words in a spoken sample`
      return { firstMs, heard, wrong: { problem: 'nothing_heard', message } }
    }
    const { errors, words } = wordErrors(SAMPLE, heard, SAMPLE_LANGUAGE)
    if (errors / words <= MAX_ERRORS) return { firstMs, heard }
    const message = `${title} recognised other words than the spoken sample has: “${SAMPLE}”`
    return { firstMs, heard, wrong: { problem: 'misheard', message } }
  })
}

async function recognize(stt: Stt, signal: AbortSignal): Promise<{ heard: string; firstMs: number }> {
  const { pcm, rateHz } = readWav(await readFile(sampleFile))
  const beganMs = monotonicMs()
  let heard = ''
  let firstMs: number | undefined
  for await (const { text, isFinal } of stt.transcribe(framesOf(pcm, rateHz), { language: SAMPLE_LANGUAGE }, signal)) {
    if (text !== '') firstMs ??= Math.round(monotonicMs() - beganMs)
    if (isFinal) heard = text.slice(0, 300)
  }
  return { heard, firstMs: firstMs ?? Math.round(monotonicMs() - beganMs) }
}

async function* framesOf(pcm: Int16Array, rateHz: number): Audio {
  const size = Math.max(1, Math.floor(rateHz / FRAMES_PER_SECOND))
  for (let at = 0; at < pcm.length; at += size) yield { pcm: pcm.subarray(at, at + size), rateHz }
}
