// Compares received audio with the small voice's rendering of a text by loudness contour, without speech recognition.
import assert from 'node:assert/strict'
import { joinPcm } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { openEspeakTts } from '../../src/speech/tts/espeak.ts'
import type { Sound } from '../phones/spectrum.ts'
import { envelopeOf } from '../sound-measures.ts'

/** The same words score 0.99, different ones below 0.82. */
export const SAME = 0.97
export const OTHER = 0.9

export async function smallVoice() {
  const tts = await openEspeakTts()
  /** The voice's rendering, at the phone's sample rate. */
  async function spoken(text: string): Promise<Sound> {
    const never = new AbortController().signal
    const voice = (await tts.voices(never)).find(({ language }) => language === 'pt-BR')
    assert.ok(voice)
    const frames: Int16Array[] = []
    let rateHz = 8000
    for await (const frame of tts.speak(text, { voiceId: voice.id, language: 'pt-BR' }, never)) {
      frames.push(frame.pcm)
      rateHz = frame.rateHz
    }
    return { pcm: resample(joinPcm(frames), rateHz, 8000), rateHz: 8000 }
  }
  return { spoken, close: () => tts.close?.() }
}

/** Peak levels of silence and of the quietest speech. */
const SILENT = 0.002
const QUIET = 0.01

/**
 * The best correlation of two loudness contours (1: identical), and the part of `heard` where it occurs. A silence in
 * place of speech is skipped: there a busy machine was late with the next piece, and no word is missing.
 */
export function alike(heard: Sound, wanted: Sound): { likeness: number; atMs: number; toMs: number } {
  const [long, short] = [envelopeOf(heard.pcm, heard.rateHz), envelopeOf(wanted.pcm, wanted.rateHz)]
  let best = { likeness: 0, atMs: 0, toMs: 0 }
  for (let at = 0; at + short.length * 0.9 < long.length; at++) {
    let [ab, aa, bb, i, to] = [0, 0, 0, 0, at]
    for (; to < long.length && i < short.length; to++) {
      const [a, b] = [short[i] as number, long[to] as number]
      if (b < SILENT && a >= QUIET) continue
      ab += a * b
      aa += a * a
      bb += b * b
      i++
    }
    const likeness = i < short.length * 0.9 ? 0 : ab / Math.sqrt(aa * bb + 1e-9)
    if (likeness > best.likeness) best = { likeness, atMs: at * 10, toMs: to * 10 }
  }
  return best
}
