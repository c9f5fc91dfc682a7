// Web-call benchmark: cost per call over WebSocket and WebRTC, and audible gaps when the main thread stalls.
//
//   npm run bench:web-call -- [--calls 10] [--seconds 10] [--only WebSocket|Opus|PCMU] [--profile DIR]
//
// The callers need as much of a core as the platform: if not nearly all frames arrived, the machine was busy, and the
// gaps are not ours.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { webCaller } from '../../test/web-caller.ts'
import { webPeer } from '../../test/web-peer.ts'
import { cpuSeconds, mainThreadSeconds, residentMb } from '../api/proc.ts'
import type { HostIs, LoopDelay, ToHost } from './host.ts'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
})
const [calls, seconds] = [Number(values.calls), Number(values.seconds)]
const STALLS_MS = [50, 150, 400]
/** JIT and buffer warm-up. */
const WARM_MS = 5000
/** The effect of a stall is over by then. */
const AFTER_STALL_MS = 2500

type Caller = { arrivals: number[]; leave(): Promise<void> }
const say = (text: string) => void process.stdout.write(`${text}\n`)

const execArgv = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
const host = fork(join(import.meta.dirname, 'host.ts'), { execArgv })
const tell = (order: ToHost) => void host.send(order)
const [is] = (await once(host, 'message')) as [HostIs]
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

async function measure(name: string, open: () => Promise<Caller>): Promise<void> {
  const before = residentMb(pid)
  const callers: Caller[] = []
  while (callers.length < calls) callers.push(await open()) // concurrent handshakes would be measured too
  await sleep(WARM_MS)
  tell({ do: 'watch' })
  const [cpu, main, since] = [cpuSeconds(pid), mainThreadSeconds(pid), performance.now()]
  await sleep(seconds * 1000)
  const until = performance.now()
  const share = ((cpuSeconds(pid) - cpu) * 1000) / (until - since)
  const mainShare = ((mainThreadSeconds(pid) - main) * 1000) / (until - since)
  tell({ do: 'report' })
  const [delay] = (await once(host, 'message')) as [LoopDelay]
  const all = callers.map((caller) => heard(caller, since, until))
  const due = ((until - since) / 20) * calls
  const came = 100 - (all.reduce((sum, { missing }) => sum + missing, 0) * 100) / due
  const memory = (residentMb(pid) - before) / calls
  say(
    `  ${name.padEnd(16)} ${((share * 100) / calls).toFixed(1)} % of a core each, ${memory.toFixed(1)} MB each, ` +
      `longest gap ${Math.max(...all.map(({ gapMs }) => gapMs)).toFixed(0)} ms, ${came.toFixed(1)} % of the frames came`,
  )
  say(
    `    main thread ${(mainShare * 100).toFixed(0)} % of a core, its event loop late by ${delay.p50.toFixed(1)} ms (median), ` +
      `${delay.p99.toFixed(1)} ms (p99), ${delay.max.toFixed(0)} ms (most)`,
  )
  for (const stallMs of STALLS_MS) {
    const at = performance.now()
    tell({ do: 'stall', ms: stallMs })
    await sleep(AFTER_STALL_MS)
    const all = callers.map((caller) => heard(caller, at, at + AFTER_STALL_MS))
    const gapMs = Math.max(...all.map((one) => one.gapMs))
    const missingMs = Math.max(0, ...all.map((one) => one.missing * 20))
    say(`    a stall of ${stallMs} ms: ${gapMs.toFixed(0)} ms without a frame, ${missingMs} ms never came`)
  }
  await Promise.all(callers.map((caller) => caller.leave()))
}

say(`${calls} web calls at once, recorded, both sides sounding, ${seconds} s`)
try {
  const kinds: [string, () => Promise<Caller>][] = [
    ['WebSocket', bySocket],
    ['WebRTC, Opus', () => byPeer('opus')],
    ['WebRTC, PCMU', () => byPeer('PCMU')],
  ]
  for (const [name, open] of kinds) if (name.includes(values.only ?? '')) await measure(name, open)
} finally {
  // With a profile: it is written when the process ends by itself.
  if (values.profile) host.disconnect()
  else host.kill()
}
if (values.profile) await once(host, 'exit')
process.exit(0)
