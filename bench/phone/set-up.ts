// Call setup rate with sipp (INVITE, 180, 200, ACK, BYE, 200): failures, retransmissions and the server's CPU time per
// call.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freeSipPort, isListening } from '../../test/phones/ports.ts'
import { startSipp } from '../../test/phones/sipp.ts'
import { until } from '../../test/until.ts'
import { cpuSeconds } from '../api/proc.ts'
import { nextMessage, own } from '../report/child.ts'
import { note } from '../report/report.ts'

export type SetUpRow = {
  name: string
  perSecond: number
  calls: number
  failed: number
  repeats: number
  cpuMsPerCall: number
}

const caller = `<?xml version="1.0" encoding="ISO-8859-1"?><scenario name="caller">
<send retrans="500"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: <sip:+5511900000000@[local_ip]:[local_port]>;tag=[pid]b[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: sip:bench@[local_ip]:[local_port]
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=bench 1 1 IN IP4 [local_ip]
s=-
c=IN IP4 [media_ip]
t=0 0
m=audio [media_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000
]]></send>
<recv response="100" optional="true"/><recv response="180" optional="true"/><recv response="183" optional="true"/>
<recv response="200" rtd="true" rrs="true"/>
<send><![CDATA[
ACK [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
[last_From:]
[last_To:]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
<pause/>
<send retrans="500"><![CDATA[
BYE [next_url] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
[last_From:]
[last_To:]
Call-ID: [call_id]
CSeq: 2 BYE
Max-Forwards: 70
Content-Length: 0

]]></send>
<recv response="200"/></scenario>`

export type Load = { perSecond: number; seconds: number; service?: string; talkMs?: number; from?: number }

/** Puts load on a server that is already listening. */
export async function load(name: string, pid: number, port: number, wish: Load): Promise<SetUpRow> {
  const { perSecond, seconds, service = 'bench', talkMs = 0, from } = wish
  const calls = perSecond * seconds
  const before = cpuSeconds(pid)
  const sipp = await startSipp({
    scenario: caller,
    to: `127.0.0.1:${port}`,
    service,
    calls,
    rate: perSecond,
    atOnce: calls,
    args: ['-d', String(talkMs)],
    withinMs: seconds * 1000 + talkMs + 40_000,
    ...(from ? { port: from } : {}),
  })
  try {
    const { statistics, code, errors } = await sipp.finished()
    if (code === null) throw new Error(`sipp did not finish ${calls} calls to ${name} in time`)
    const count = (column: string) => {
      const value = Number(statistics.get(column) || Number.NaN)
      if (Number.isNaN(value)) throw new Error(`sipp reported no ${column} for ${name}: ${errors.slice(0, 300)}`)
      return value
    }
    const done = count('SuccessfulCall(C)') + count('FailedCall(C)')
    const responses = [...errors.matchAll(/^SIP\/2\.0 (\d{3} [^\r\n]{0,60})/gm)].map(([, status]) => status ?? '')
    if (responses.length > 0) note(`  ${name}: unexpected responses: ${[...new Set(responses)].join(', ')}`)
    if (done !== calls) throw new Error(`sipp made ${done} of ${calls} calls to ${name}`)
    return {
      name,
      perSecond,
      calls,
      failed: count('FailedCall(C)'),
      repeats: count('Retransmissions(C)'),
      cpuMsPerCall: ((cpuSeconds(pid) - before) * 1000) / calls,
    }
  } finally {
    await sipp.stop()
  }
}

async function withChild(child: ChildProcess, run: (pid: number) => Promise<SetUpRow>): Promise<SetUpRow> {
  try {
    return await run(child.pid ?? 0)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Runs one of the two answering programs in this folder. */
export async function measureProgram(name: string, file: string, wish: Load): Promise<SetUpRow> {
  const port = await freeSipPort()
  const child = own(fork(join(import.meta.dirname, file), [String(port)]))
  return withChild(child, async (pid) => {
    await nextMessage(child)
    return load(name, pid, port, wish)
  })
}

/** sipp's own UAS scenario, written in C++. */
export async function measureSipp(wish: Load): Promise<SetUpRow> {
  const port = await freeSipPort()
  const args = ['-sn', 'uas', '-i', '127.0.0.1', '-p', String(port), '-nostdin']
  const child = own(spawn('sipp', args, { stdio: ['ignore', 'ignore', 'ignore'] }))
  child.on('error', () => {}) // if the process fails to start, isListening below stays false and reports it
  return withChild(child, async (pid) => {
    await until('the server of sipp listens', () => isListening(port, 'udp'))
    return load("sipp's own server (C++)", pid, port, wish)
  })
}
