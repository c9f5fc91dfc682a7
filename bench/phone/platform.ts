// The whole platform under calls: database rows, an agent with the fallback voice, and recordings; and the time to
// first audio.

import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeUlaw } from '../../src/audio/g711.ts'
import { freeSipPort } from '../../test/phones/ports.ts'
import { until } from '../../test/until.ts'
import { residentMb } from '../api/proc.ts'
import { load, type SetUpRow } from './set-up.ts'

const KEY = 'bench-key-of-at-least-32-characters'
const NUMBER = '+551130000001'

export type Platform = { pid: number; sipPort: number; trunkPort: number; stop(): void }

export async function startPlatform(): Promise<Platform> {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-bench-'))
  const [sipPort, trunkPort] = [await freeSipPort(), await freeSipPort()]
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: '0',
    SIP_PORT: String(sipPort),
    EMBEDDED_VOICE: 'small',
    LOG_LEVEL: 'warn',
    MAX_CALLS: '2000',
    MAX_CALLS_PER_USER: '2000',
    MEMBER_CALLS_PER_DAY: 'unlimited',
    BOOTSTRAP_API_KEY: KEY,
  }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const stop = () => {
    child.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
  process.once('exit', stop)
  const port = await untilListening(child)
  const post = async (path: string, body: object) => {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const opening = 'Olá! Em que posso ajudar?'
  const agent = await post('/api/agents', { name: 'Ana', systemPrompt: 'x', initialSpeech: opening })
  const trunk = await post('/api/trunks', { name: 'bench', host: '127.0.0.1', port: trunkPort, optionsPing: false })
  const link = { trunkId: trunk.id, trunkType: 'inbound', phoneNumber: NUMBER }
  await post(`/api/agents/${agent.id}/link-trunk`, link)
  await sleep(1500)
  return { pid: child.pid ?? 0, sipPort, trunkPort, stop }
}

const START_MS = 60_000

/** Resolves with the platform's HTTP port. */
async function untilListening(child: ChildProcess): Promise<number> {
  let text = ''
  child.stdout?.on('data', (bytes) => (text += bytes))
  const found = () => /^Ramal listens on http:\/\/[^ ]*:(\d+)/m.exec(text)?.[1]
  return Number(await until('the platform listens', found, START_MS))
}

export const measurePlatform = (
  platform: Platform,
  perSecond: number,
  seconds: number,
  talkMs: number,
): Promise<SetUpRow> =>
  load('the platform (row, agent, recording)', platform.pid, platform.sipPort, {
    perSecond,
    seconds,
    service: NUMBER,
    talkMs,
  })

/** Memory per call: with this many concurrent calls minus with none; null unless all of them were connected. */
export async function memoryPerCall(platform: Platform, calls: number): Promise<number | null> {
  const before = residentMb(platform.pid)
  const perSecond = 25
  const talkMs = (calls / perSecond) * 1000 + 3000
  const running = measurePlatform(platform, perSecond, calls / perSecond, talkMs)
  await sleep((calls / perSecond) * 1000 + 1500)
  const during = residentMb(platform.pid)
  const { failed } = await running
  return failed > 0 ? null : (during - before) / calls
}

/** Milliseconds from the INVITE to the first packet that is not silence; null: none came within 5 s. */
export async function firstAudioMs(platform: Platform): Promise<number | null> {
  const [sip, rtp] = [createSocket('udp4'), createSocket('udp4')]
  sip.bind(0, '127.0.0.1')
  rtp.bind(0, '127.0.0.1')
  await Promise.all([once(sip, 'listening'), once(rtp, 'listening')])
  const own = `127.0.0.1:${sip.address().port}`
  const call = `bench-${performance.now()}`
  const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${rtp.address().port} RTP/AVP 0\r\n`
  const uri = `sip:${NUMBER}@127.0.0.1:${platform.sipPort}`
  const from = `From: <sip:+5511900000000@${own}>;tag=a`
  const via = (branch: string) => `Via: SIP/2.0/UDP ${own};branch=z9hG4bK${call}${branch};rport`
  const send = (lines: string[], body = '') =>
    sip.send(
      [...lines, 'Max-Forwards: 70', `Content-Length: ${body.length}`, '', body].join('\r\n'),
      platform.sipPort,
      '127.0.0.1',
    )
  const begin = performance.now()
  const heard = new Promise<number>((resolve) => {
    rtp.on('message', (packet) => {
      const loud = decodeUlaw(packet.subarray(12)).some((sample) => Math.abs(sample) > 500)
      if (loud) resolve(performance.now() - begin)
    })
  })
  let to = `To: <${uri}>`
  sip.on('message', (bytes) => {
    const text = bytes.toString()
    if (!text.startsWith('SIP/2.0 200') || !text.includes('CSeq: 1 INVITE')) return
    to = /^To: .*$/m.exec(text)?.[0] ?? to
    send([`ACK ${uri} SIP/2.0`, via('k'), from, to, `Call-ID: ${call}`, 'CSeq: 1 ACK'])
  })
  const contact = [`Contact: <sip:bench@${own}>`, 'Content-Type: application/sdp']
  send([`INVITE ${uri} SIP/2.0`, via('i'), from, to, `Call-ID: ${call}`, 'CSeq: 1 INVITE', ...contact], sdp)
  const ms = await Promise.race([heard, sleep(5000, null)])
  send([`BYE ${uri} SIP/2.0`, via('b'), from, to, `Call-ID: ${call}`, 'CSeq: 2 BYE'])
  await sleep(300)
  sip.close()
  rtp.close()
  return ms
}
