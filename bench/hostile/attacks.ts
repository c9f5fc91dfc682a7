// The attacks: traffic from unknown peers to the SIP and HTTP ports, and what a malicious member stores and starts. The
// first one is harmless and serves as the baseline.
import { createSocket } from 'node:dgram'
import type { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Attack, testTool, withServer } from './member.ts'
import type { Platform } from './platform.ts'
import { harmlessReading, readingAttacks } from './reading-attacks.ts'

const LARGE = 60_000
const filled = (text: string, letters = LARGE) => text.repeat(Math.ceil(letters / text.length)).slice(0, letters)

const sipMessage = (first: string, more: string, from = '<sip:x@127.0.0.1>;tag=1') =>
  [
    first,
    'Via: SIP/2.0/UDP 127.0.0.1:9;branch=z9hG4bK1',
    `From: ${from}`,
    'To: <sip:y@127.0.0.1>',
    `Call-ID: ${Math.random()}`,
    `CSeq: 1 ${first.startsWith('SIP') ? 'INVITE' : (first.split(' ')[0] ?? '')}`,
    more,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')

const sipTexts: Record<string, () => string> = {
  'ACK, sip:a: without end': () => sipMessage('ACK sip:x@h SIP/2.0', `X-Note: ${filled('sip:a:')}`),
  'response, sip:a: without end': () => sipMessage('SIP/2.0 200 OK', `X-Note: ${filled('sip:a:')}`),
  'ACK, a=crypto without end': () => sipMessage('ACK sip:x@h SIP/2.0', `X-Note: ${filled('a=crypto')}`),
  'REGISTER, sip:sip: in From': () =>
    sipMessage('REGISTER sip:h SIP/2.0', 'X-Note: 1', `<${filled('sip:', LARGE - 300)}>;tag=1`),
  'INVITE, parameters without end': () => sipMessage('INVITE sip:x@h SIP/2.0', `Contact: <sip:a@h>${filled(';a="')}`),
  'OPTIONS, 5,000 headers': () => sipMessage('OPTIONS sip:x@h SIP/2.0', Array(5000).fill('X: y').join('\r\n')),
}

let strangers = 1
/** Each attack uses an address of its own: an earlier one may be blocked by now. */
const newAddress = () => `127.0.1.${++strangers}`

async function overUdp({ sipPort }: Platform, message: string, times: number): Promise<string> {
  const socket = createSocket('udp4')
  await new Promise<void>((bound) => socket.bind(0, newAddress(), bound))
  for (let i = 0; i < times; i++)
    await new Promise<void>((sent, failed) =>
      socket.send(message, sipPort, '127.0.0.1', (error) => (error ? failed(error) : sent())),
    )
  socket.close()
  await sleep(500) // until the last one is read
  return 'sent'
}

async function overTcp({ sipPort }: Platform, message: string, times: number): Promise<string> {
  const localAddress = newAddress()
  for (let i = 0; i < times; i++) {
    const socket = connect({ port: sipPort, host: '127.0.0.1', localAddress })
    socket.on('error', () => {})
    socket.end(message)
    await Promise.race([new Promise((closed) => socket.once('close', closed)), sleep(500)])
    socket.destroy()
  }
  return 'sent'
}

async function document(platform: Platform, content: string): Promise<string> {
  const base = JSON.parse((await platform.send('POST', '/api/knowledge-bases', { name: `base ${Math.random()}` })).text)
  const { status } = await platform.send('POST', `/api/knowledge-bases/${base.id}/documents`, { name: 'x', content })
  await sleep(1500) // until the document is ingested
  return `answered ${status}`
}

function wavOf(rateHz: number, samples = 200): string {
  const file = Buffer.alloc(44 + samples * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rateHz, 24)
  file.writeUInt32LE((rateHz * 2) >>> 0, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples * 2, 40)
  return file.toString('base64')
}

async function anAgent(platform: Platform): Promise<string> {
  const answer = await platform.send('POST', '/api/agents', { name: 'a', systemPrompt: 'P: preço? R: dez reais.' })
  return JSON.parse(answer.text).id
}

async function rehearsal(platform: Platform, audio: string): Promise<string> {
  const agentId = await anAgent(platform)
  const { status } = await platform.send('POST', '/api/rehearsals', {
    agentId,
    mode: 'audio',
    steps: [{ says: 'oi', audio }],
  })
  return `answered ${status}`
}

async function chat(platform: Platform, content: string): Promise<string> {
  const agentId = await anAgent(platform)
  const begun = JSON.parse((await platform.send('POST', '/api/conversations/start', { agentId })).text)
  const path = `/api/conversations/message/send/${begun.id}?reply=true`
  return `answered ${(await platform.send('POST', path, { type: 'user', content })).status}`
}

/** An MCP server that answers `initialize`, and everything else as configured. */
const mcpServer =
  (tools: (request: { id: number }) => string | null): Parameters<typeof createServer>[1] =>
  (request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part))
    request.on('end', () => {
      const asked = JSON.parse(text || '{}')
      const json = { 'content-type': 'application/json' }
      if (asked.method === 'initialize') {
        const result = {
          protocolVersion: asked.params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }
        response.writeHead(200, json).end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }))
      } else if (asked.method === 'tools/list') {
        const answer = tools(asked)
        if (answer !== null) response.writeHead(200, json).end(answer)
        else {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          const part = `data: ${'x'.repeat(65_536)}`
          const timer = setInterval(() => response.write(part), 1)
          response.once('close', () => clearInterval(timer))
        }
      } else response.writeHead(202).end()
    })
  }

const oneTool = ({ id }: { id: number }) =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [{ name: 'hello', inputSchema: { type: 'object' } }] } })

const manySchemas = ({ id }: { id: number }) => {
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'string', maxLength: i + 1 }]),
  )
  const tools = Array.from({ length: 2000 }, (_, i) => ({ name: `t${i}`, inputSchema: { type: 'object', properties } }))
  return JSON.stringify({ jsonrpc: '2.0', id, result: { tools } })
}

const calendar = (body: object) => (platform: Platform) =>
  withServer(
    (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}'),
    (requestUrl) =>
      testTool(
        platform,
        { type: 'calendar', requestUrl, config: { provider: 'google' }, body },
        { function: undefined },
      ),
  )

async function connections({ sipPort }: Platform): Promise<string> {
  const addresses = Array.from({ length: 3 }, newAddress)
  const sockets = Array.from({ length: 3000 }, (_, i) => {
    const socket = connect({ port: sipPort, host: '127.0.0.1', localAddress: addresses[i % 3] })
    socket.on('error', () => {})
    socket.write('\r\n\r\n')
    return socket
  })
  await sleep(4000)
  const open = sockets.filter(({ readyState }) => readyState === 'open').length
  for (const socket of sockets) socket.destroy()
  return `${open} of 3000 still open after 4 s`
}

async function hooks({ url }: Platform): Promise<string> {
  const codes = new Map<number, number>()
  for (let round = 0; round < 200; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/hooks/x`)))
    for (const answer of answers) {
      await answer.arrayBuffer()
      codes.set(answer.status, (codes.get(answer.status) ?? 0) + 1)
    }
  }
  return [...codes].map(([status, count]) => `${status}: ${count}`).join(', ')
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

export const attacks: readonly Attack[] = [
  {
    name: 'harmless: documents, tools, chats, rehearsals, SIP',
    isControl: true,
    async run(platform) {
      await document(platform, filled('Um texto inocente, com frases.\n', 120_000))
      await chat(platform, 'Qual é o preço?')
      await rehearsal(platform, wavOf(16_000))
      await calendar({})(platform)
      await overUdp(platform, sipMessage('OPTIONS sip:x@h SIP/2.0', 'X-Note: 1'), 50)
      await hooks(platform)
      await withServer(mcpServer(oneTool), (requestUrl) => testTool(platform, { type: 'mcp', requestUrl }))
      await harmlessReading(platform)
      return 'done'
    },
  },
  ...Object.entries(sipTexts).flatMap(([name, text]): Attack[] => [
    { name: `SIP/UDP ${name}, 20 times`, run: (p) => overUdp(p, text(), 20) },
    { name: `SIP/TCP ${name}, 20 times`, run: (p) => overTcp(p, text(), 20) },
  ]),
  { name: 'SIP/TCP 3,000 connections with a line each', run: connections },
  { name: 'HTTP 4,000 requests to /hooks', run: hooks },
  { name: 'document: heading, 24,000 spaces', run: (p) => document(p, `# a${' '.repeat(24_000)}b`) },
  { name: 'document: heading, 900,000 spaces', run: (p) => document(p, `# a${' '.repeat(900_000)}b`) },
  { name: 'document: table rule of 16,000 dashes', run: (p) => document(p, `|a|\n|${'-'.repeat(16_000)}x|`) },
  { name: 'rehearsal: WAV of 399,999 Hz', run: (p) => rehearsal(p, wavOf(399_999)) },
  { name: 'rehearsal: WAV of 799,999 Hz', run: (p) => rehearsal(p, wavOf(799_999)) },
  { name: 'rehearsal: WAV of 1 Hz, 300,000 samples', run: (p) => rehearsal(p, wavOf(1, 300_000)) },
  {
    name: 'MCP: 2,000 schemas in one page',
    run: (p) => withServer(mcpServer(manySchemas), (requestUrl) => testTool(p, { type: 'mcp', requestUrl })),
  },
  {
    name: 'MCP: an event without end',
    run: (p) =>
      withServer(
        mcpServer(() => null),
        (requestUrl) => testTool(p, { type: 'mcp', requestUrl }),
      ),
  },
  { name: 'chat: 30,000 digits', run: (p) => chat(p, filled('0', 30_000)) },
  { name: 'chat: 30,000 a-a-a', run: (p) => chat(p, filled('a-', 30_000)) },
  { name: 'chat: se and 30,000 spaces', run: (p) => chat(p, `se${' '.repeat(30_000)}x`) },
  {
    name: 'speech: 5,000 hostile letters',
    run: async (p) =>
      `answered ${(await p.send('POST', '/api/tts/provider_b/stream', { voiceId: 'pf_dora', text: filled('[ ](   |  -> ', 5000) })).status}`,
  },
  {
    name: 'JSON: 400,000 brackets',
    run: async (p) =>
      `answered ${(await p.send('POST', '/api/agents', nested(200_000), { 'content-type': 'application/json' })).status}`,
  },
  ...readingAttacks,
  { name: 'calendar: slotMinutes 0', run: calendar({ slotMinutes: 0 }) },
  { name: 'calendar: slotMinutes -5', run: calendar({ slotMinutes: -5 }) },
]
