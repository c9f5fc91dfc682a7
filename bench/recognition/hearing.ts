// Recognition of the set by one engine, and of what it understood how much.
import { monotonicMs } from '../../src/base/time/clock.ts'
import type { WhisperStt } from '../../src/speech/whisper/whisper.ts'
import { wordErrorRate } from '../../src/speech/word-errors.ts'
import { expectedWords } from '../../src/voice/expected-words.ts'
import { frames } from '../../test/sounds.ts'
import type { Clip } from './audio.ts'
import { errorsOf, isUnderstood } from './score.ts'
import { hintsOf, promptOf } from './set.ts'

export type Result = { clip: Clip; text: string; isUnclear: boolean; isRight: boolean; tookMs: number }

/** What the recognizer is told beside the audio. */
export type Told = { prompt: boolean; hints: boolean; words: boolean }

const never = new AbortController().signal

export async function hearAll(stt: WhisperStt, clips: readonly Clip[], told: Told): Promise<Result[]> {
  const results: Result[] = []
  for (const clip of clips) results.push(await hear(stt, clip, told))
  return results
}

async function hear(stt: WhisperStt, clip: Clip, told: Told): Promise<Result> {
  const { language, question, pcm, rateHz } = clip
  const asked = {
    language,
    ...(told.prompt ? { prompt: question } : {}),
    hints: told.hints ? (hintsOf[language] ?? []) : [],
    ...(told.words ? expectedBy(clip) : {}),
  }
  let text = ''
  let isUnclear = false
  const startedMs = monotonicMs()
  for await (const heard of stt.transcribe(frames(pcm, rateHz), asked, never)) {
    text = heard.text
    isUnclear = heard.isUnclear ?? false
  }
  return { clip, text, isUnclear, isRight: isUnderstood(clip, text), tookMs: monotonicMs() - startedMs }
}

function expectedBy({ language, question }: Clip) {
  const expected = expectedWords(promptOf[language] ?? '', [])
  expected.agentSaid(question, [])
  return expected.current()
}

export const understood = (results: readonly Result[]): string =>
  `${results.filter(({ isRight }) => isRight).length} of ${results.length}`

/** Null if there are none. */
export const errorShare = (results: readonly Result[]): number | null =>
  results.length === 0 ? null : wordErrorRate(results.map(({ clip, text }) => errorsOf(clip, text)))
