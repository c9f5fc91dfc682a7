// Web-call benchmark: cost per call over WebSocket and WebRTC, and audible gaps when the main thread stalls.
//
// npm run bench:web-call -- [--calls 10] [--seconds 10] [--rounds 3] [--only WebSocket|Opus|PCMU] [--profile] [--short]
//
// The callers need as much CPU as the platform: if less than nearly all frames arrived, the machine was busy and the
// gaps are not the platform's.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { webCaller } from '../../test/web-caller.ts'
import { webPeer } from '../../test/web-peer.ts'
import { cpuSeconds, mainThreadSeconds, residentMb } from '../api/proc.ts'
import { ask as askHost, exited, nextMessage, own } from '../report/child.ts'
import { addThreads, nowUs, profileArgs, type Window } from '../report/cpu-profile.ts'
import { type Figure, ms, spread, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, note } from '../report/report.ts'
import type { HostIs, LoopDelay, ToHost } from './host.ts'

const { values } = parseArgs({
  options: {
    ...commonOptions,
    calls: { type: 'string' },
    seconds: { type: 'string' },
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
})
const calls = Number(values.calls ?? (values.short ? 3 : 10))
const seconds = Number(values.seconds ?? (values.short ? 3 : 10))
const rounds = Number(values.rounds ?? (values.short ? 1 : 3))
const STALLS_MS = [50, 150, 400]
/** JIT and buffer warm-up. */
const WARM_MS = 5000
/** By then the effects of a stall are over. */
const AFTER_STALL_MS = 2500

type Caller = { arrivals: number[]; leave(): Promise<void> }

const profileFolder = mkdtempSync(join(tmpdir(), 'web-call-profile-'))
process.once('exit', () => rmSync(profileFolder, { recursive: true, force: true }))
const execArgv = values.profile ? profileArgs(profileFolder) : []
const host = own(fork(join(import.meta.dirname, 'host.ts'), { execArgv }))
const tell = (order: ToHost) => void host.send(order)
const is = await nextMessage<HostIs>(host)
const pid = host.pid as number

async function ask(path: string, key: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json' }
  const answer = await fetch(is.address + path, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}
const order = async (): Promise<string> => (await ask('/api/web-calls', is.key, { agentId: is.agentId })).token

async function bySocket(): Promise<Caller> {
  const app = { listen: async () => is.address }
  const caller = await webCaller({ app: app as never }, await order())
  const arrivals: number[] = []
  caller.socket.on('message', (_, isBinary) => {
    if (isBinary) arrivals.push(performance.now())
  })
  return {
    arrivals,
    async leave() {
      caller.tell({ type: 'hangup' })
      await caller.closed
    },
  }
}

async function byPeer(codec: 'opus' | 'PCMU'): Promise<Caller> {
  const peer = await webPeer(codec, { hz: 1000 })
  const token = await order()
  await peer.accept((await ask('/web-calls/webrtc', token, { sdp: peer.offer })).sdp)
  await peer.until('started')
  return {
    arrivals: peer.arrivals,
    async leave() {
      peer.tell({ type: 'hangup' })
      await peer.until('ended').catch(() => {})
      await peer.close()
    },
  }
}

/** The longest gap between two frames, and the number of lost frames. */
function heard({ arrivals }: Caller, fromMs: number, toMs: number) {
  const times = arrivals.filter((at) => at >= fromMs && at < toMs)
  const gaps = [...times, toMs].map((at, i) => at - (times[i - 1] ?? fromMs))
  return { gapMs: Math.max(0, ...gaps), missing: Math.round((toMs - fromMs) / 20) - times.length }
}

type Round = {
  mainPercent: number
  loop: LoopDelay
  window: Window
  corePercent: number
  mb: number
  gapMs: number
  camePercent: number
  stalls: { gapMs: number; missingMs: number }[]
}

async function measure(open: () => Promise<Caller>): Promise<Round> {
  const before = residentMb(pid)
  const callers: Caller[] = []
  while (callers.length < calls) callers.push(await open()) // concurrent handshakes would distort the measurement
  await sleep(WARM_MS)
  tell({ do: 'watch' })
  const fromUs = nowUs()
  const [cpu, main, since] = [cpuSeconds(pid), mainThreadSeconds(pid), performance.now()]
  await sleep(seconds * 1000)
  const until = performance.now()
  const share = ((cpuSeconds(pid) - cpu) * 1000) / (until - since)
  const mainPercent = ((mainThreadSeconds(pid) - main) * 100_000) / (until - since)
  const window = { fromUs, untilUs: nowUs() }
  const loop = await askHost<LoopDelay>(host, { do: 'report' })
  const all = callers.map((caller) => heard(caller, since, until))
  const due = ((until - since) / 20) * calls
  const came = 100 - (all.reduce((sum, { missing }) => sum + missing, 0) * 100) / due
  const mb = (residentMb(pid) - before) / calls
  const stalls: Round['stalls'] = []
  for (const stallMs of STALLS_MS) {
    const at = performance.now()
    tell({ do: 'stall', ms: stallMs })
    await sleep(AFTER_STALL_MS)
    const after = callers.map((caller) => heard(caller, at, at + AFTER_STALL_MS))
    const missingMs = Math.max(0, ...after.map((one) => one.missing * 20))
    stalls.push({ gapMs: Math.max(...after.map((one) => one.gapMs)), missingMs })
  }
  await Promise.all(callers.map((caller) => caller.leave()))
  const gapMs = Math.max(...all.map((one) => one.gapMs))
  return { window, loop, mainPercent, corePercent: (share * 100) / calls, mb, gapMs, camePercent: came, stalls }
}

/** With fewer frames the callers were late, not the platform. */
const ENOUGH_PERCENT = 97

await benchmark({ name: 'web-call', title: 'Web-call benchmark' }, values, async (report) => {
  if (!(calls > 0) || !(seconds > 0) || !(rounds > 0)) throw new Error('--calls, --seconds and --rounds are above 0')
  report.text(
    `${calls} web calls at once, recorded, both sides sounding, ${seconds} s; median and range of ${rounds} rounds. Stalls of the main thread: the longest time ` +
      'without a frame, and the audio that never came.',
  )
  const stallHeads = STALLS_MS.map((stallMs) => `stall of ${stallMs} ms: gap, lost`)
  const table = report.table([
    '',
    'core a call',
    'main thread',
    'event loop late p99',
    'longest',
    'MB a call',
    'longest gap',
    'frames that came',
    ...stallHeads,
  ])
  const kinds: [name: string, open: () => Promise<Caller>][] = [
    ['WebSocket', bySocket],
    ['WebRTC, Opus', () => byPeer('opus')],
    ['WebRTC, PCMU', () => byPeer('PCMU')],
  ]
  const windows: { name: string; window: Window }[] = []
  for (const [name, open] of kinds.filter(([each]) => each.includes(values.only))) {
    const all: Round[] = []
    while (all.length < rounds) all.push(await measure(open))
    for (const { window } of all.slice(-1)) windows.push({ name, window })
    const of = (figure: (one: Round) => Figure, show: (n: Figure) => string) => spread(all.map(figure), show)
    const stalls = STALLS_MS.map(
      (_, i) =>
        `${of(({ stalls: s }) => s[i]?.gapMs ?? null, ms)}, ${of(({ stalls: s }) => s[i]?.missingMs ?? null, ms)}`,
    )
    table.row([
      ...[name, of((one) => one.corePercent, withUnit('%', 1)), of((one) => one.mainPercent, withUnit('%'))],
      ...[of((one) => one.loop.p99, ms), of((one) => one.loop.max, ms), of((one) => one.mb, withUnit('', 1))],
      ...[of((one) => one.gapMs, ms), of((one) => one.camePercent, withUnit('%', 1)), ...stalls],
    ])
    if (all.some(({ camePercent }) => camePercent < ENOUGH_PERCENT))
      note(`  ${name}: under ${ENOUGH_PERCENT} % of the frames came: the machine was too busy for these callers`)
  }
  if (!values.profile) return
  host.disconnect() // the profile is written only if the process exits by itself
  await exited(host)
  for (const { name, window } of windows)
    addThreads(report, { title: `${calls} calls, ${name}`, folder: profileFolder, window })
})
