// Providers benchmark: the cost of provider chains in normal operation. The same turn runs on the bare engines and
// through their chains, in alternating blocks of one run: recognize 3 s of speech, reply with 60 words, speak 3
// sentences. The fake engines respond instantly, so that nothing hides the cost.
//
// npm run bench:providers -- [--turns 200] [--blocks 40] [--short]
import { parseArgs } from 'node:util'
import { createBreakers } from '../../src/failover/breakers.ts'
import { llmChain } from '../../src/failover/llm-chain.ts'
import type { ChainLink } from '../../src/failover/ports.ts'
import { sttChain } from '../../src/failover/stt-chain.ts'
import { ttsChain } from '../../src/failover/tts-chain.ts'
import type { Audio, AudioFrame, Llm, Message, Say, Speaker, Stt, Tts } from '../../src/voice/ports.ts'
import { median, percentile, type Show, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'

const { values } = parseArgs({
  options: { ...commonOptions, turns: { type: 'string', default: '200' }, blocks: { type: 'string' } },
})
const [turns, blocks] = [Number(values.turns), Number(values.blocks ?? (values.short ? 20 : 40))]
const AIM_MS = 1

const frame: AudioFrame = { pcm: new Int16Array(320), rateHz: 16_000 }
const piece: AudioFrame = { pcm: new Int16Array(2400).fill(2000), rateHz: 24_000 }
const FRAMES = 150
const WORDS = 60
const PIECES = 30
const SENTENCES = ['Bom dia.', 'A clínica abre das oito ao meio-dia.', 'Posso ajudar em mais alguma coisa?']

const llm: Llm = {
  name: 'bare',
  isModel: true,
  async *reply() {
    for (let i = 0; i < WORDS; i++) yield { say: 'palavra ' }
  },
}
const stt: Stt = {
  name: 'bare',
  async *transcribe(audio) {
    for await (const _ of audio);
    yield { text: 'Que horas vocês abrem?', isFinal: true }
  },
}
const tts: Tts = {
  name: 'bare',
  voices: async () => [{ id: 'v', name: 'V', language: 'pt-BR', gender: null, description: null }],
  async *speak() {
    for (let i = 0; i < PIECES; i++) yield piece
  },
}
const speaker: Speaker = { tts, voiceId: 'v', language: 'pt-BR' }
async function* speech(): Audio {
  for (let i = 0; i < FRAMES; i++) yield frame
}
const history: Message[] = [
  { role: 'system', content: 'Você é a Ana.' },
  { role: 'user', content: 'Que horas vocês abrem?' },
]
const never = new AbortController().signal

type Engines = { llm: Llm; stt: Stt; say: Say }
/** Two vendors and the embedded engine; the first vendor serves every request. */
function chained(): Engines {
  const breakers = createBreakers()
  const onEvent = () => {}
  const links = <E>(engine: E): ChainLink<E>[] =>
    ['first', 'second', 'embedded'].map((id) => ({ id, version: '1', name: id, model: null, engine }))
  return {
    llm: llmChain({ links: links(llm), breakers, onEvent }),
    stt: sttChain({ links: links(stt), breakers, onEvent }),
    say: ttsChain({ links: links(speaker), breakers, onEvent }).say,
  }
}
const bare: Engines = { llm, stt, say: (text, signal) => tts.speak(text, { voiceId: 'v', language: 'pt-BR' }, signal) }

type Times = {
  stt: number
  llm: number
  tts: number
  firstToken: number
  firstSound: number
  /** CPU time of the process for all three together: on a busy machine it says more than wall-clock time. */
  cpu: number
}

async function turn(engines: Engines): Promise<Omit<Times, 'cpu'>> {
  const t0 = performance.now()
  for await (const _ of engines.stt.transcribe(speech(), { language: 'pt-BR' }, never));
  const t1 = performance.now()
  let firstToken = 0
  for await (const _ of engines.llm.reply(history, [], { language: 'pt-BR' }, never)) firstToken ||= performance.now()
  const t2 = performance.now()
  let firstSound = 0
  for (const text of SENTENCES) for await (const _ of engines.say(text, never)) firstSound ||= performance.now()
  return {
    stt: t1 - t0,
    llm: t2 - t1,
    tts: performance.now() - t2,
    firstToken: firstToken - t1,
    firstSound: firstSound - t2,
  }
}

/** The mean of a block of turns. */
async function block(engines: Engines): Promise<Times> {
  const sum: Times = { stt: 0, llm: 0, tts: 0, firstToken: 0, firstSound: 0, cpu: 0 }
  const before = process.cpuUsage()
  for (let i = 0; i < turns; i++) {
    const one = await turn(engines)
    for (const name of names) sum[name] += one[name] / turns
  }
  const { user, system } = process.cpuUsage(before)
  return { ...sum, cpu: (user + system) / 1000 / turns }
}
const names = ['stt', 'llm', 'tts', 'firstToken', 'firstSound'] as const
const titles = {
  stt: 'recognition',
  llm: 'language model',
  tts: 'voice',
  firstToken: 'to the first word',
  firstSound: 'to the first sound',
}

type Pair = { bare: Times; chain: Times }

async function pairs(): Promise<Pair[]> {
  await block(bare)
  await block(chained())
  const found: Pair[] = []
  for (let i = 0; i < blocks; i++) {
    // The first of each pair runs with a colder cache.
    const isBareFirst = i % 2 === 0
    const one = await block(isBareFirst ? bare : chained())
    const other = await block(isBareFirst ? chained() : bare)
    found.push(isBareFirst ? { bare: one, chain: other } : { bare: other, chain: one })
  }
  return found
}

const whole = ({ stt, llm, tts }: Times) => stt + llm + tts
const rows = [
  ...names.map((name) => ({ title: titles[name], of: (times: Times) => times[name] })),
  { title: 'a turn', of: whole },
  { title: '**a turn, CPU**', of: ({ cpu }: Times) => cpu },
]
const ms = withUnit('ms', 3)

async function measure(report: Report): Promise<void> {
  if (!(turns > 0) || !(blocks > 0)) throw new Error('--turns and --blocks must be numbers above 0')
  report.text(
    `A chain of two vendors and the embedded engine beside the bare engine: ${blocks} blocks of ${turns} turns each, alternating.`,
  )
  const found = await pairs()
  const table = report.table(['per turn', 'bare', 'chain', 'added p50 (p5 to p95)', 'ratio p50 (p5 to p95)'])
  for (const { title, of } of rows) {
    const added = found.map(({ bare, chain }) => of(chain) - of(bare))
    const ratio = found.map(({ bare, chain }) => of(chain) / of(bare))
    const middle = (times: Times[]) => ms(median(times.map(of)))
    const range = (all: number[], show: Show) =>
      `${show(percentile(all, 0.5))} (${show(percentile(all, 0.05))} to ${show(percentile(all, 0.95))})`
    const [bares, chains] = [found.map(({ bare }) => bare), found.map(({ chain }) => chain)]
    table.row([title, middle(bares), middle(chains), range(added, ms), range(ratio, withUnit('', 1))])
  }
  const addedMs = median(found.map(({ bare, chain }) => chain.cpu - bare.cpu))
  report.under(`a chain costs under ${AIM_MS} ms of CPU a turn`, addedMs, AIM_MS, ms)
}

await benchmark({ name: 'providers', title: 'Providers benchmark' }, values, measure)
