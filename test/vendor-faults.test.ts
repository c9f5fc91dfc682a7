// The proxy that cuts vendors off: a real client experiences each fault as named, for new requests and for those in
// progress.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { WebSocket } from 'ws'
import { until } from './until.ts'
import { startDeepgram } from './vendors/deepgram.ts'
import { type FaultProxy, type Outage, startFaults } from './vendors/faults.ts'
import { startLlm } from './vendors/llm.ts'
import { KEY } from './vendors/server.ts'

let llm: Awaited<ReturnType<typeof startLlm>>
/** Its last words come half a minute after its first. */
let slowLlm: typeof llm
let deepgram: Awaited<ReturnType<typeof startDeepgram>>
let http: FaultProxy
let slowHttp: FaultProxy
let live: FaultProxy
before(async () => {
  const answer = () => ({ say: 'one two three four five six seven eight nine ten' })
  llm = await startLlm({ wordMs: 20, answer })
  slowLlm = await startLlm({ wordMs: 4000, answer })
  deepgram = await startDeepgram()
  http = await startFaults(llm, { slowMs: 300 })
  slowHttp = await startFaults(slowLlm)
  live = await startFaults(deepgram)
})
after(async () => {
  await Promise.all([http.stop(), slowHttp.stop(), live.stop()])
  await Promise.all([llm.stop(), slowLlm.stop(), deepgram.stop()])
})

const chat = (signal?: AbortSignal, proxy = http) =>
  fetch(`${proxy.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
    signal: signal ?? AbortSignal.timeout(30_000),
  })

type End = { status: number; text: string; failure: string }

/** How a request ends: its status and text, or the code of its failure. `onText` gets the text so far. */
async function outcomeOf(reply: Promise<Response>, onText: (text: string) => unknown = () => {}): Promise<End> {
  let [status, text] = [0, '']
  try {
    const response = await reply
    status = response.status
    for await (const piece of response.body ?? []) {
      text += Buffer.from(piece).toString()
      await onText(text)
    }
    return { status, text, failure: '' }
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause
    return { status, text, failure: cause?.code ?? (error as Error).name }
  }
}

/** Cuts the connection once the first words have arrived; a client that then receives nothing more disconnects. */
async function cutInTheMiddle(kind: Outage, proxy: FaultProxy): Promise<End> {
  await proxy.set(null)
  const stop = new AbortController()
  let isCut = false
  return outcomeOf(chat(stop.signal, proxy), async (text) => {
    if (isCut || !text.includes('one')) return
    isCut = true
    await proxy.set(kind)
    if (kind === 'silence' || kind === 'stall') setTimeout(() => stop.abort(), 100)
  })
}

test('without a fault, and when it is slow, everything passes', async () => {
  await http.set(null)
  const { status, text } = await outcomeOf(chat())
  assert.equal(status, 200)
  assert.match(text, /nine.*\[DONE\]/s)
  await http.set('slow')
  const fromMs = performance.now()
  assert.match((await outcomeOf(chat())).text, /\[DONE\]/)
  assert.ok(performance.now() - fromMs >= 290)
})

test('new requests: each fault is what its name says', async () => {
  const found: Record<string, string> = {}
  for (const kind of ['refuse', '401', '429', 'garbage', 'reset'] as const) {
    await http.set(kind)
    if (kind === 'refuse') await outcomeOf(chat()) // the client's pool notices that its connection was reset
    const { status, text, failure } = await outcomeOf(chat())
    found[kind] = failure || `${status} ${/page|API key|Rate limit/.exec(text)?.[0]}`
    if (kind === 'reset') assert.match(text, /^data: /, 'it has begun')
  }
  assert.deepEqual(found, {
    refuse: 'ECONNREFUSED',
    '401': '401 API key',
    '429': '429 Rate limit',
    garbage: '200 page',
    reset: 'ECONNRESET',
  })
  await http.set('429')
  assert.equal((await chat()).headers.get('retry-after'), '20')
  for (const kind of ['silence', 'stall'] as const) {
    await http.set(kind)
    const stop = new AbortController()
    const leave = () => setTimeout(() => stop.abort(), 300)
    if (kind === 'silence') leave()
    const { status, text, failure } = await outcomeOf(chat(stop.signal), leave)
    assert.deepEqual(
      [kind, status, text !== '', failure],
      [kind, kind === 'stall' ? 200 : 0, kind === 'stall', 'AbortError'],
    )
  }
  await http.set(null)
  assert.match((await outcomeOf(chat())).text, /\[DONE\]/, 'it works again on the same port')
})

test('responses under way are cut, except by the status codes', async () => {
  for (const [kind, failure] of [
    ['refuse', 'ECONNRESET'],
    ['reset', 'ECONNRESET'],
    ['garbage', 'TypeError'],
    ['silence', 'AbortError'],
    ['stall', 'AbortError'],
  ] as const) {
    const end = await cutInTheMiddle(kind, slowHttp)
    assert.deepEqual([kind, end.failure], [kind, failure])
    assert.ok(end.text.includes('one') && !end.text.includes('nine'), `${kind}: ${end.text.length}`)
  }
  for (const kind of ['401', '429', 'slow'] as const)
    assert.match((await cutInTheMiddle(kind, http)).text, /\[DONE\]/, kind)
  await http.set(null)
  await slowHttp.set(null)
  await until('the vendors are left alone', () => llm.busy() === 0 && slowLlm.busy() === 0)
})

test('requests are counted with the fault that they met', async () => {
  await http.set('401')
  const before = http.requests.length
  await Promise.all([outcomeOf(chat()), outcomeOf(chat())])
  assert.deepEqual(
    http.requests.slice(before).map(({ outage }) => outage),
    ['401', '401'],
  )
  await http.set(null)
})

type Heard = { messages: string[]; end: string }
/**
 * Sends one second of audio, and ends the stream after the first message; `onFirst` may cut the connection before that.
 */
function listen(onFirst: (socket: WebSocket) => unknown = () => {}, withinMs = 30_000): Promise<Heard> {
  const query = 'encoding=linear16&sample_rate=8000&model=nova-3&interim_results=true'
  const socket = new WebSocket(`ws://127.0.0.1:${live.port}/v1/listen?${query}`, {
    headers: { authorization: `Token ${KEY}` },
  })
  const heard: Heard = { messages: [], end: 'nothing' }
  socket.on('open', () => {
    for (let i = 0; i < 4; i++) socket.send(Buffer.alloc(4000))
  })
  socket.on('message', async (data) => {
    if (heard.messages.push(data.toString()) > 1) return
    await onFirst(socket)
    if (socket.readyState === socket.OPEN) socket.send('{"type":"CloseStream"}')
  })
  socket.on('error', (error: Error & { code?: string }) => {
    heard.end = error.code ?? error.message
  })
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), withinMs)
    socket.once('close', (code) => {
      clearTimeout(timer)
      if (heard.end === 'nothing') heard.end = String(code)
      resolve(heard)
    })
  })
}

test('WebSockets: refused at the upgrade, or cut in the middle', async () => {
  await live.set(null)
  const whole = await listen()
  assert.equal(whole.end, '1000')
  assert.ok(whole.messages.length >= 3)
  const found: Record<string, string> = {}
  for (const kind of ['refuse', '401', '429', 'garbage'] as const) {
    await live.set(kind)
    found[kind] = (await listen()).end
  }
  assert.deepEqual(found, {
    refuse: 'ECONNREFUSED',
    '401': 'Unexpected server response: 401',
    '429': 'Unexpected server response: 429',
    garbage: 'Unexpected server response: 200',
  })
  await live.set('silence')
  assert.match((await listen(undefined, 300)).end, /closed before/)
  for (const [kind, end] of [
    ['reset', /ECONNRESET|1006/],
    ['refuse', /ECONNRESET|1006/],
    ['garbage', /WS_ERR/],
    ['silence', /1006/],
    ['stall', /1006/],
  ] as const) {
    await live.set(null)
    const cut = await listen(async (socket) => {
      await live.set(kind)
      if (kind === 'silence' || kind === 'stall') setTimeout(() => socket.terminate(), 100)
    })
    assert.match(cut.end, end, kind)
    assert.ok(cut.messages.length < whole.messages.length, kind)
  }
  await live.set('reset')
  assert.match((await listen()).end, /ECONNRESET|1006/)
  await live.set(null)
  assert.equal((await listen()).end, '1000')
})

test('a paced proxy sends no faster than it was told', async () => {
  const paced = await startFaults(llm, { bytesPerSecond: 20_000 })
  try {
    const fromMs = performance.now()
    const response = await fetch(`${paced.url}/v1/models`, { headers: { authorization: `Bearer ${KEY}` } })
    const bytes = (await response.arrayBuffer()).byteLength
    assert.ok(performance.now() - fromMs >= ((bytes - 400) / 20_000) * 1000 * 0.9)
  } finally {
    await paced.stop()
  }
})
