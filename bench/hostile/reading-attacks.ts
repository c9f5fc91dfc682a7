// Attacks on readers: provider responses, request bodies, uploads, column names and patterns.
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Attack, testTool, withServer } from './member.ts'
import type { Platform } from './platform.ts'

const MB = 1_048_576
const emptyLists = (bytes: number) => `{"voices":[${'[],{},'.repeat(bytes / 6)}[]]}`

const provider = (path: string, account: object, answer: RequestListener) => (platform: Platform) =>
  withServer(answer, async (baseUrl) => {
    const ask = () => platform.send('POST', `/api/providers/draft/${path}`, { apiKey: 'k', ...account, baseUrl })
    const [first] = await Promise.all([ask(), ask(), ask(), ask()])
    return `answered ${first.status}`
  })

/** Created on first use: each one takes a second. */
function packedOnce(head: string, bytes: number): () => Buffer {
  let packed: Buffer | undefined
  return () => {
    packed ??= gzipSync(Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'x')]))
    return packed
  }
}
const event = packedOnce('event: message_start\ndata: "', 400 * MB)

const model = (status: number) =>
  provider('test', { vendor: 'anthropic', model: 'm' }, (_, response) =>
    response.writeHead(status, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(event()),
  )

async function newList(platform: Platform): Promise<string> {
  const agent = await platform.send('POST', '/api/agents', { name: 'a', systemPrompt: 'P: preço? R: dez reais.' })
  const campaign = { name: 'c', agentId: JSON.parse(agent.text).id }
  const { id } = JSON.parse((await platform.send('POST', '/api/campaigns', campaign)).text)
  return `/api/campaigns/${id}/contacts`
}

async function contacts(platform: Platform, type: string, body: string): Promise<string> {
  const { status } = await platform.send('POST', await newList(platform), body, { 'content-type': type })
  return `answered ${status}`
}

const wrongValues = () => {
  const row = `{${Array.from({ length: 99 }, (_, i) => `"${i}":[]`).join()}}`
  return `{"rows":[${Array.from({ length: 1000 }, () => row).join()}]}`
}

async function strangers({ url }: Platform, path: string): Promise<string> {
  const part = `[${'[],'.repeat(998)}[]]`
  const body = `{"email":[${Array.from({ length: 300 }, () => part).join()}]}`
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const ask = async () => (await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => null))?.status
  const [status] = await Promise.all(Array.from({ length: 10 }, ask))
  return status === undefined ? 'cut off' : `answered ${status}`
}

/** Twenty files of 48 MB, each cut off before its last byte. */
async function uploads(platform: Platform): Promise<string> {
  const path = await newList(platform)
  const { hostname, port } = new URL(platform.url)
  const file = Buffer.alloc(48 * MB - 1, 'x')
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.resume()
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\nx-api-key: ${platform.key}\r\n`)
    socket.write(`content-type: text/csv\r\ncontent-length: ${48 * MB}\r\n\r\n`)
    socket.write(file)
    return socket
  })
  await sleep(8000)
  const open = sockets.filter(({ readyState }) => readyState === 'open').length
  for (const socket of sockets) socket.destroy()
  return `${open} of 20 still received after 8 s`
}

/** Normal use of the features that the attacks abuse, so that their code is loaded afterwards. */
export async function harmlessReading(platform: Platform): Promise<void> {
  await contacts(platform, 'application/json', '{"rows":[{"telefone":"(11) 98765-4321","nome":"Maria"}]}')
  await contacts(platform, 'application/json', '{"rows":[{"telefone":[]}]}')
  await contacts(platform, 'text/csv', 'telefone,nome\n(11) 98765-4321,Maria\n')
  const answer = '{"voices":[],"error":{"message":"no"}}'
  const refuse: RequestListener = (_, response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end(answer)
  await provider('voices', { kind: 'tts', vendor: 'elevenlabs' }, refuse)(platform)
  await provider('test', { vendor: 'anthropic', model: 'm' }, refuse)(platform)
  await fetch(`${platform.url}/auth/login`, { method: 'POST' })
}

const pattern = '[a-z]{0,1000}[a-y]{0,1000}[a-x]{0,1000}[a-w]{0,1000}[0-9]$'

export const readingAttacks: readonly Attack[] = [
  { name: 'model account: an event of 400 MB, packed, 4 at once', run: model(200) },
  { name: 'model account: an error of 400 MB, packed, 4 at once', run: model(400) },
  {
    name: 'voice account: a list of 15 MB of empty lists, 4 at once',
    run: provider('voices', { kind: 'tts', vendor: 'elevenlabs' }, (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(emptyLists(15 * MB)),
    ),
  },
  { name: 'contacts: 99,000 wrong values', run: (p) => contacts(p, 'application/json', wrongValues()) },
  {
    name: 'contacts: 60,000 columns',
    run: (p) => contacts(p, 'text/csv', `${Array.from({ length: 60_000 }, (_, i) => `0000000${i}`).join()}\n1\n`),
  },
  { name: 'sign-in: 300,000 empty lists, 10 at once', run: (p) => strangers(p, '/auth/login') },
  { name: 'offer: 300,000 empty lists, 10 at once', run: (p) => strangers(p, '/web-calls/webrtc') },
  { name: 'uploads: 20 of 48 MB without their last byte', run: uploads },
  {
    name: 'tool: a pattern of 4,000 states, 16,000 letters',
    run: (p) =>
      testTool(
        p,
        {
          type: 'custom',
          requestUrl: 'https://x.example',
          parameters: { type: 'object', properties: { a: { type: 'string', pattern } } },
        },
        { arguments: { a: 'a'.repeat(16_000) } },
      ),
  },
]
