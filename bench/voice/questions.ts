// The callers' audio: synthesized questions at telephone sample rate, each ending with its last voiced frame; and line
// noise.
import { readFileSync, writeFileSync } from 'node:fs'
import { joinPcm } from '../../src/audio/pcm.ts'
import { robotSpeech, sounds } from '../../test/sounds.ts'

export const LINE_HZ = 8000
export const FRAME = LINE_HZ / 50
/** A frame this much quieter than the loudest one is unvoiced. */
const VOICED_DB = -25
const NOISE_SECONDS = 4

const texts = ['Que horas abrem amanhã?', 'Onde fica a clínica?', 'Quanto custa a consulta?', 'Posso pagar com cartão?']

export type Questions = { questions: Int16Array[]; noise: Int16Array }

const energy = (frame: Int16Array) => frame.reduce((sum, sample) => sum + sample * sample, 0)

function cutAtLastVoice(pcm: Int16Array): Int16Array {
  const frames = Array.from({ length: Math.floor(pcm.length / FRAME) }, (_, i) =>
    energy(pcm.subarray(i * FRAME, (i + 1) * FRAME)),
  )
  const least = Math.max(...frames) * 10 ** (VOICED_DB / 10)
  const isVoiced = (level: number) => level >= least
  const first = frames.findIndex(isVoiced)
  return pcm.slice(first * FRAME, (frames.findLastIndex(isVoiced) + 1) * FRAME)
}

/** Synthesizes the questions once, in a process that is not measured. */
export async function sayQuestions(file: string): Promise<void> {
  const noise = sounds['line noise']?.(LINE_HZ, NOISE_SECONDS) ?? new Int16Array(0)
  const said: Int16Array[] = []
  for (const text of texts) said.push(cutAtLastVoice(await robotSpeech(text, 'pt-br', LINE_HZ)))
  for (const pcm of said) for (let i = 0; i < pcm.length; i++) pcm[i] = (pcm[i] ?? 0) + (noise[i % noise.length] ?? 0)
  const head = Int32Array.from([said.length, ...said.map(({ length }) => length), noise.length])
  writeFileSync(file, Buffer.concat([Buffer.from(head.buffer), Buffer.from(joinPcm([...said, noise]).buffer)]))
}

export function readQuestions(file: string): Questions {
  const { buffer } = new Uint8Array(readFileSync(file))
  const [count = 0] = new Int32Array(buffer, 0, 1)
  const lengths = [...new Int32Array(buffer, 4, count + 1)]
  let at = 4 * (count + 2)
  const parts = lengths.map((length) => {
    const pcm = new Int16Array(buffer, at, length)
    at += 2 * length
    return pcm
  })
  return { questions: parts.slice(0, -1), noise: parts.at(-1) ?? new Int16Array(0) }
}

/** Splits audio into 20 ms frames, each encoded for the line. */
export const inFrames = <F>(pcm: Int16Array, make: (frame: Int16Array) => F, size = FRAME): F[] =>
  Array.from({ length: Math.floor(pcm.length / size) }, (_, i) => make(pcm.slice(i * size, (i + 1) * size)))
