// How much of the recognition set is understood, by kind, voice and line, and what it costs:
// node bench/speech/recognition.ts --audio FOLDER [--model FOLDER] [--prompt] [--hints] [--words] [--only KIND] [--line LINE]
// [--show]
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareWhisper } from '../../src/speech/whisper/prepare.ts'
import { openWhisper } from '../../src/speech/whisper/whisper.ts'
import { wordErrorRate } from '../../src/speech/word-errors.ts'
import { expectedWords } from '../../src/voice/expected-words.ts'
import { frames } from '../../test/sounds.ts'
import { ms, percentile } from '../report/figures.ts'
import { type Clip, LINE_HZ, recognitionAudio } from './recognition-audio.ts'
import { errorsOf, isUnderstood } from './recognition-score.ts'
import { hintsOf, promptOf } from './recognition-set.ts'

const { values: options } = parseArgs({
  options: {
    audio: { type: 'string', default: join(tmpdir(), 'ramal-recognition') },
    model: { type: 'string' },
    folder: { type: 'string', default: join(tmpdir(), 'ramal-recognition-model') },
    prompt: { type: 'boolean' },
    hints: { type: 'boolean' },
    words: { type: 'boolean' },
    only: { type: 'string' },
    line: { type: 'string' },
    show: { type: 'boolean' },
  },
})
const never = new AbortController().signal
const clips = (await recognitionAudio(options.audio)).filter(
  ({ kind, line }) => (!options.only || kind === options.only) && (!options.line || line === options.line),
)
await prepareWhisper(options.folder, () => {}, never, options.model)
const whisper = await openWhisper({ folder: options.folder })

const print = (line: string) => process.stdout.write(`${line}\n`)

type Result = { clip: Clip; text: string; isUnclear: boolean; isRight: boolean; tookMs: number }

async function hear(clip: Clip): Promise<Result> {
  const { language, question } = clip
  const hints = options.hints ? (hintsOf[language] ?? []) : []
  const asked = {
    language,
    ...(options.prompt ? { prompt: question } : {}),
    hints,
    ...(options.words ? expectedBy(clip) : {}),
  }
  let text = ''
  let isUnclear = false
  for await (const heard of whisper.transcribe(frames(clip.pcm, LINE_HZ), asked, never)) {
    text = heard.text
    isUnclear = heard.isUnclear ?? false
  }
  return { clip, text, isUnclear, isRight: isUnderstood(clip, text), tookMs: whisper.lastMs }
}

function expectedBy({ language, question }: Clip) {
  const expected = expectedWords(promptOf[language] ?? '', [])
  expected.agentSaid(question, [])
  return expected.current()
}

const results: Result[] = []
for (const clip of clips) results.push(await hear(clip))
await whisper.close()

const groupOf = ({ clip }: Result) => {
  const whose = clip.voice === 'espeak' ? 'espeak' : clip.language === 'pt-BR' ? 'pt-BR' : 'en, es'
  return `${clip.kind} | ${whose} | ${clip.line}`
}
const groups = Object.entries(Object.groupBy(results, groupOf)).toSorted(([a], [b]) => (a < b ? -1 : 1))
print('| kind | voices | line | understood | word errors | p50 | p95 |\n|---|---|---|---|---|---|---|')
for (const [name, all = []] of groups) {
  const right = all.filter((one) => one.isRight).length
  const rate = wordErrorRate(all.map((one) => errorsOf(one.clip, one.text)))
  const [p50, p95] = [0.5, 0.95].map((share) => ms(percentile(all.map((one) => one.tookMs), share))) // biome-ignore format: one line
  print(`| ${name} | ${right}/${all.length} | ${(100 * rate).toFixed(1)} % | ${p50} | ${p95} |`)
}
const heard = results.filter(({ text }) => text !== '')
for (const isRight of [true, false]) {
  const all = heard.filter((one) => one.isRight === isRight)
  print(
    `${isRight ? 'right' : 'wrong'} and marked as unclear: ${all.filter((one) => one.isUnclear).length} of ${all.length}`,
  )
}
print(`not found by voice activity detection: ${clips.filter((clip) => !clip.isCut).length}`)
if (options.show)
  for (const { clip, text, isRight } of results)
    if (!isRight)
      print(`${clip.kind} ${clip.voice} ${clip.line}${clip.isCut ? '' : ' (uncut)'}: ${clip.text} → ${text}`)
