// Judges a call in which vendors were cut off: was it lost, and did the caller hear the words of the transcript exactly
// once. The length of the silence is only reported here: the long run and the benchmark compare it with the target.
import { spelling } from '../vendors/spelled-tone.ts'
import type { CutResult } from './cuts.ts'

/** Target for the longest silence when a vendor dies. */
export const AIM_MS = 2000
/** A word at the seam may be heard twice, and a letter may be misread. */
const SEAM_LETTERS = 16
/** A busy machine loses packets: these shares may be misread or missing. */
const MISREAD = 0.1
const MISSING = 0.35
/** The slowest pace of the embedded voices, in milliseconds per letter. */
const SLOWEST_LETTER_MS = 110
const SPARE_MS = 1500

const lettersOf = (text: string) => spelling(text).replaceAll(' ', '')

export type Verdict = {
  problems: string[]
  /** The silence exceeded the target. */
  isSlow: boolean
  /** The words of the vendors' voices after the question, as heard by the phone. */
  heard: string
  /** How long another voice spoke. */
  otherMs: number
  transcript: string
}

export function judge(result: CutResult): Verdict {
  const { silenceMs, isLost, endReason, heard, messages, askedAtMs } = result
  const sounds = heard.filter(({ fromMs }) => fromMs > askedAtMs)
  const spelled = sounds.map(({ text }) => text ?? '').join('')
  const otherMs = sounds.reduce((ms, { fromMs, toMs, text }) => (text === null ? ms + toMs - fromMs : ms), 0)
  const replies = messages.filter(({ type }) => type === 'agent').slice(1)
  const transcript = replies.map(({ content }) => content).join(' ')
  const problems: string[] = []
  if (isLost) problems.push(`the call ended: ${endReason}`)
  if (silenceMs === null) problems.push('no sound came')
  const [told, wanted] = [lettersOf(spelled), lettersOf(transcript)]
  const inOrder = commonLetters(told, wanted)
  if (transcript === '') problems.push('the transcript has no reply')
  else if (told.length - inOrder > SEAM_LETTERS + MISREAD * told.length)
    problems.push(`heard "${spelled}", stored "${transcript}"`)
  else if (otherMs < SPARE_MS && wanted.length - inOrder > SEAM_LETTERS + MISSING * wanted.length)
    problems.push(`heard only "${spelled}" of "${transcript}"`)
  const restMs = Math.max(0, wanted.length - told.length) * SLOWEST_LETTER_MS
  if (otherMs > restMs + SPARE_MS) problems.push(`the other voice speaks for ${otherMs} ms: more than the rest`)
  return { problems, isSlow: silenceMs !== null && silenceMs > AIM_MS, heard: spelled, otherMs, transcript }
}

/** Length of the longest common subsequence: how many letters of one text occur in the other in the same order. */
export function commonLetters(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const letter of a) {
    const next = [0]
    for (let j = 1; j <= b.length; j++)
      next.push(letter === b[j - 1] ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0))
    row = next
  }
  return row[b.length] ?? 0
}
