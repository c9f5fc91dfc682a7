// Web-call benchmark: cost per call over WebSocket and WebRTC, and audible gaps when the main thread stalls.
//
//   npm run bench:web-call -- [--calls 10] [--seconds 10]
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
import { cpuSeconds, residentMb } from '../api/proc.ts'
import type { HostIs } from './host.ts'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '10' }, seconds: { type: 'string', default: '10' } },
})
const [calls, seconds] = [Number(values.calls), Number(values.seconds)]
const STALLS_MS = [50, 150, 400]
/** JIT and buffer warm-up. */
const WARM_MS = 5000
/** The effect of a stall is over by then. */
const AFTER_STALL_MS = 2500

type Caller = { arrivals: number[]; leave(): Promise<void> }
const say = (text: string) => void process.stdout.write(`${text}\n`)

const host = fork(join(import.meta.dirname, 'host.ts'))
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
  const [cpu, since] = [cpuSeconds(pid), performance.now()]
  await sleep(seconds * 1000)
  const until = performance.now()
  const share = ((cpuSeconds(pid) - cpu) * 1000) / (until - since)
  const all = callers.map((caller) => heard(caller, since, until))
  const due = ((until - since) / 20) * calls
  const came = 100 - (all.reduce((sum, { missing }) => sum + missing, 0) * 100) / due
  const memory = (residentMb(pid) - before) / calls
  say(
    `  ${name.padEnd(16)} ${((share * 100) / calls).toFixed(1)} % of a core each, ${memory.toFixed(1)} MB each, ` +
      `longest gap ${Math.max(...all.map(({ gapMs }) => gapMs)).toFixed(0)} ms, ${came.toFixed(1)} % of the frames came`,
  )
  for (const stallMs of STALLS_MS) {
    const at = performance.now()
    host.send({ stallMs })
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
  await measure('WebSocket', bySocket)
  await measure('WebRTC, Opus', () => byPeer('opus'))
  await measure('WebRTC, PCMU', () => byPeer('PCMU'))
} finally {
  host.kill()
}
process.exit(0)
