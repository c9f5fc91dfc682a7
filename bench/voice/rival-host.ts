// The process compared with the platform: sessions of @livekit/agents together with their callers; audio is passed in
// memory.
import { resample } from '../../src/audio/resample.ts'
import type { Figure } from '../report/figures.ts'
import { Caller, everyTick, type Script } from './caller.ts'
import { inFrames, LINE_HZ, readQuestions } from './questions.ts'
import { type AudioFrame, loadRival, type Session } from './rival-parts.ts'
import { addTally, noTally, residentMbAtRest, type Tally, type Usage, usageMeter } from './terms.ts'

export type ToRival =
  | { do: 'open'; calls: number; file: string; spreadMs: number }
  | { do: 'measure' | 'report' | 'close' }
export type RivalReport = Usage & Tally & { lateMs: Figure }

/** The sample rate of its VAD, so that no resampling is needed. */
const RIVAL_HZ = 16_000

const rival = await loadRival(process.argv[2] ?? '')
let callers: Caller<AudioFrame>[] = []
const sessions: Session[] = []
let ticks: ReturnType<typeof everyTick> | undefined
let meter = usageMeter()

async function open({ calls, file, spreadMs }: ToRival & { do: 'open' }): Promise<{ residentMb: number }> {
  const said = readQuestions(file)
  const frames = (pcm: Int16Array) =>
    inFrames(resample(pcm, LINE_HZ, RIVAL_HZ), (frame) => rival.frameOf(frame, RIVAL_HZ), RIVAL_HZ / 50)
  const script: Script<AudioFrame> = {
    questions: said.questions.map(frames),
    noise: frames(said.noise),
  }
  const residentMb = residentMbAtRest()
  const nowMs = performance.now()
  callers = Array.from({ length: calls }, (_, i) => new Caller(script, i, nowMs + 1500 + (i * spreadMs) / calls))
  const lines: Awaited<ReturnType<typeof rival.open>>[] = []
  for (const caller of callers) {
    const line = await rival.open(() => caller.hears(performance.now()))
    lines.push(line)
    sessions.push(line.session)
  }
  ticks = everyTick(calls, (i) => {
    const [caller, line] = [callers[i], lines[i]]
    if (!caller || !line) return
    const nowMs = performance.now()
    if (line.mouth.soundsUntilMs > nowMs) caller.hears(nowMs)
    line.ear.push(caller.next(nowMs))
  })
  return { residentMb }
}

async function obey(wish: ToRival): Promise<unknown> {
  if (wish.do === 'open') return open(wish)
  if (wish.do === 'measure') {
    for (const caller of callers) caller.measure()
    ticks?.lateMs()
    meter = usageMeter()
  }
  if (wish.do === 'report') {
    const tally = callers.map((caller) => caller.tally).reduce(addTally, noTally())
    return { ...meter(), ...tally, lateMs: ticks?.lateMs() ?? null } satisfies RivalReport
  }
  if (wish.do === 'close') ticks?.stop()
  return {}
}

process.on('message', (wish: ToRival) => void obey(wish).then((told) => process.send?.(told)))
process.send?.('ready')
