// V8 CPU profiles (node --cpu-prof): the most expensive functions of each thread within a time window.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Report } from './report.ts'

const root = resolve(import.meta.dirname, '../..')

type CallFrame = { functionName: string; url: string; lineNumber: number }
export type CpuProfile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}
/** In microseconds of the clock that V8 uses. */
export type Window = { fromUs: number; untilUs: number }
export type FunctionTime = { name: string; us: number }
export type ThreadTimes = {
  thread: string
  /** Everything but (idle): the time in which the thread had work. */
  busyUs: number
  self: FunctionTime[]
  /** Self time plus that of all callees. */
  total: FunctionTime[]
}

/** V8's clock, shared by all processes of the machine. */
export const nowUs = (): number => Number(process.hrtime.bigint() / 1000n)

/** Node flags that profile all threads of the process. */
export const profileArgs = (folder: string, intervalUs = 500): string[] => [
  ...['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${intervalUs}`],
  ...['--import', new URL('./profile-workers.ts', import.meta.url).href],
]

/** A thread is named after the worker file that it runs. */
const threads: readonly (readonly [file: string, name: string])[] = [
  ['src/rtp/worker.ts', 'media'],
  ['src/speech/vad/silero-worker.ts', 'VAD'],
  ['src/speech/whisper/worker.ts', 'recognition'],
  ['src/speech/kokoro/worker.ts', 'natural voice'],
  ['src/speech/tts/espeak-worker.ts', 'small voice'],
  ['src/speech/turn-model/turn-worker.ts', 'end of turn'],
]

/** Reads the profiles of one process, one file per thread. */
export function readProfiles(folder: string): CpuProfile[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as CpuProfile)
}

function nameOf(frame: CallFrame | undefined): string {
  if (!frame) return '?'
  const file = frame.url.startsWith('file:') ? relative(root, fileURLToPath(frame.url)) : frame.url
  return `${frame.functionName || '(anonymous)'}${file ? ` ${file}:${frame.lineNumber + 1}` : ''}`
}

export function threadTimes(profile: CpuProfile, { fromUs, untilUs }: Window): ThreadTimes {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]))
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const [self, total] = [new Map<string, number>(), new Map<string, number>()]
  const add = (to: Map<string, number>, name: string, us: number) => to.set(name, (to.get(name) ?? 0) + us)
  let busyUs = 0
  let at = profile.startTime
  for (const [i, id] of profile.samples.entries()) {
    at += profile.timeDeltas[i] ?? 0
    const us = profile.timeDeltas[i + 1] ?? 0 // a sample lasts until the next one
    const name = names.get(id) ?? '?'
    if (at < fromUs || at > untilUs || name === '(idle)') continue
    busyUs += us
    add(self, name, us)
    const seen = new Set<string>()
    for (let node: number | undefined = id; node !== undefined; node = parents.get(node))
      seen.add(names.get(node) ?? '?')
    for (const each of seen) add(total, each, us)
  }
  const sorted = (of: Map<string, number>) =>
    [...of].map(([name, us]) => ({ name, us })).sort((a, b) => b.us - a.us || a.name.localeCompare(b.name))
  return { thread: threadOf(profile), busyUs, self: sorted(self), total: sorted(total) }
}

/** The main thread knows the workers' modules by URL only and never runs their code. */
function threadOf({ nodes }: CpuProfile): string {
  const files = new Set(
    nodes.map(({ callFrame: { url } }) => (url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url)),
  )
  return threads.find(([file]) => files.has(file))?.[1] ?? 'main'
}

const TOP = 10

/** Adds a table per thread: its most expensive functions, as a share of the window. */
export function addThreads(
  report: Pick<Report, 'heading' | 'table'>,
  { title, folder, window }: { title: string; folder: string; window: Window },
): void {
  const wallUs = window.untilUs - window.fromUs
  const threads = readProfiles(folder).map((profile) => threadTimes(profile, window))
  if (threads.every(({ busyUs }) => busyUs === 0)) throw new Error(`${title}: no CPU profile covers the measured time`)
  const percent = (us: number) => `${((us / wallUs) * 100).toFixed(1)} %`
  for (const { thread, busyUs, self } of threads.sort((a, b) => b.busyUs - a.busyUs)) {
    if (busyUs === 0) continue
    report.heading(`${title}, ${thread} thread: ${percent(busyUs)} of the time at work`)
    const table = report.table(['function', 'of wall time', 'of the work'])
    for (const { name, us } of self.slice(0, TOP))
      table.row([name, percent(us), `${((us / busyUs) * 100).toFixed(1)} %`])
  }
}
