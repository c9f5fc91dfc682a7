// Compares received audio with the small voice's rendering of a text by loudness contour, without speech recognition.
import assert from 'node:assert/strict'
import { envelopeOf } from '../../src/audio/measure.ts'
import { joinPcm } from '../../src/audio/pcm.ts'
import { resample } from '../../src/audio/resample.ts'
import { openEspeakTts } from '../../src/speech/tts/espeak.ts'
import type { Sound } from '../phones/spectrum.ts'

/** The same words score 0.99, others below 0.82. */
export const SAME = 0.97
export const OTHER = 0.9

export async function smallVoice() {
  const tts = await openEspeakTts()
  /** The rendering of the voice, at the phone's rate. */
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

/** The best correlation of two loudness contours (1: identical), and the offset at which it occurs. */
export function alike(heard: Sound, wanted: Sound): { likeness: number; atMs: number } {
  const [long, short] = [envelopeOf(heard.pcm, heard.rateHz), envelopeOf(wanted.pcm, wanted.rateHz)]
  let best = { likeness: 0, atMs: 0 }
  for (let at = 0; at + short.length * 0.9 < long.length; at++) {
    const part = long.subarray(at, at + short.length)
    let [ab, aa, bb] = [0, 0, 0]
    for (const [i, b] of part.entries()) {
      const a = short[i] ?? 0
      ab += a * b
      aa += a * a
      bb += b * b
    }
    const likeness = ab / Math.sqrt(aa * bb + 1e-9)
    if (likeness > best.likeness) best = { likeness, atMs: at * 10 }
  }
  return best
}
