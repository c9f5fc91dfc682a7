// Kokoro's inputs: symbol ids, the voice row for their count, and the speed.
import { join } from 'node:path'
import type { Runtime } from '../onnx/runtime.ts'
import type { Espeak } from '../tts/espeak-engine.ts'
import { espeakLanguage } from '../tts/espeak-voices.ts'
import { readFloats } from './files.ts'
import { STYLE_SIZE } from './graph.ts'
import { MAX_SYMBOLS, numbersOf, phonemesOf, symbolNumbers } from './phonemes.ts'

/** A voice file: 510 rows of 256 floats. */
export const readVoice = (folder: string, id: string): Promise<Float32Array> => readFloats(join(folder, `${id}.bin`))

export function symbolsOf(espeak: Espeak, text: string, language: string): number[] {
  const name = espeakLanguage(language)
  return numbersOf(phonemesOf(text, name, (piece) => espeak.phonemes(piece, name))).slice(0, MAX_SYMBOLS)
}

const SPACE = symbolNumbers.get(' ')

/** The frame in which each word starts, from the frames per symbol; the first and last symbols are silence. */
export function wordStarts(symbols: readonly number[], frames: readonly number[]): number[] {
  const starts: number[] = []
  let at = 0
  for (const [i, symbol] of symbols.entries()) {
    const isFirst = i === 1 || (i > 1 && symbols[i - 1] === SPACE)
    if (isFirst && i < symbols.length - 1 && symbol !== SPACE) starts.push(at)
    at += frames[i] ?? 0
  }
  return starts
}

export function kokoroInput(runtime: Runtime, symbols: readonly number[], voice: Float32Array, speed: number) {
  const ids = BigInt64Array.from([0, ...symbols, 0], BigInt)
  const row = symbols.length * STYLE_SIZE
  return {
    input_ids: new runtime.Tensor('int64', ids, [1, ids.length]),
    style: new runtime.Tensor('float32', voice.slice(row, row + STYLE_SIZE), [1, STYLE_SIZE]),
    speed: new runtime.Tensor('float32', Float32Array.of(speed), [1]),
  }
}
