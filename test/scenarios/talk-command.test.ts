// `ramal talk` as a person or a script runs it: a process of its own, against a platform in another.
// @run sqlite
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { ownUrl } from '../../src/cli/platform-api.ts'
import { type TalkRequest, talk } from '../../src/cli/talk.ts'
import { readConfig } from '../../src/config/load.ts'
import { anAgent, atEnd, newPostgresDatabase, usesPostgres } from '../app.ts'
import { ask, newDataDir, startService } from '../service.ts'
import { onLoopback, startCounterpart } from '../tools/counterpart.ts'
import { until } from '../until.ts'
import { type ChatAnswer, type ChatRequest, lastSaid, startLlm } from '../vendors/llm.ts'
import { KEY } from '../vendors/server.ts'

const apiKey = 'a-key-of-this-test-with-32-characters'

type Platform = Awaited<ReturnType<typeof startPlatform>>

let started: Promise<Platform> | undefined
/** One platform for all tests that need no model. */
function platform(): Promise<Platform> {
  started ??= startPlatform()
  return started
}

async function startPlatform(env: Record<string, string> = {}) {
  const dataDir = newDataDir()
  const database: Record<string, string> = usesPostgres ? { DATABASE_URL: await newPostgresDatabase() } : {}
  const { url } = await startService(dataDir, { BOOTSTRAP_API_KEY: apiKey, ...database, ...env })
  const post = async (path: string, body: unknown) =>
    JSON.parse((await ask(`${url}${path}`, apiKey, 'POST', body)).text)
  const get = async (path: string) => JSON.parse((await ask(`${url}${path}`, apiKey, 'GET')).text)
  const agent = await post('/api/agents', { ...anAgent, initialSpeech: 'Olá, aqui é a Ana.' })
  return { url, dataDir, post, get, agent }
}

/** Runs the command and types this input into it. */
function ramal({ dataDir, url }: Pick<Platform, 'dataDir' | 'url'>, words: string[], typed = '') {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, RAMAL_API_KEY: apiKey }
  const child = spawn(process.execPath, ['src/cli/main.ts', 'talk', '--url', `${url}/`, ...words], { env })
  atEnd(async () => child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stdout.on('data', (text: Buffer) => (out += text))
  child.stderr.on('data', (text: Buffer) => (err += text))
  child.stdin.end(typed)
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, out, err }))
  })
  return { child, ended, out: () => out }
}

test('scripted messages are answered in order, and the conversation is ended and stored', async () => {
  const at = await platform()
  const { code, out, err } = await ramal(at, ['ana', '--say', 'Are you kind?', '--say', 'And now?']).ended
  assert.equal(code, 0, err)
  assert.match(out, /^Talking with Ana \(cnv_\w+\)\.\n\nAna: Olá, aqui é a Ana\.\nYou: Are you kind\?\nAna: \S/)
  assert.match(out, /\nYou: And now\?\nAna: \S/)
  assert.match(out, /the built-in rules answered: no language model is configured/)
  const [conversation] = await at.get('/api/conversations')
  assert.deepEqual([conversation.agentId, conversation.status], [at.agent.id, 'ended'])
  const messages = await at.get(`/api/conversations/messages/${conversation.id}`)
  assert.deepEqual(
    messages.map((message: { type: string }) => message.type),
    ['agent', 'user', 'agent', 'user', 'agent'],
  )
})

test('piped input is sent line by line, until /quit', async () => {
  const at = await platform()
  const { code, out, err } = await ramal(at, [], 'Hello\n\n  Are you kind?  \n/quit\nnever said\n').ended
  assert.equal(code, 0, err)
  assert.match(out, /You: Hello\nAna: \S[\s\S]*You: Are you kind\?\nAna: \S/)
  assert.doesNotMatch(out, /never said/)
})

test('tool calls are reported as they run, answers cannot control the terminal, and an interrupt exits at once', async () => {
  const long = Array.from({ length: 200 }, (_, i) => `word${i}`).join(' ')
  const think = (request: ChatRequest): ChatAnswer => {
    if (request.messages.at(-1)?.role === 'tool') return { say: `Done:\u001b[2J ${lastSaid(request, 'tool')}` }
    return lastSaid(request) === 'Count' ? { say: long } : { calls: [{ name: 'book', args: { day: 4 } }] }
  }
  const llm = await startLlm({ answer: think, wordMs: 100 })
  atEnd(() => llm.stop())
  const counterpart = await startCounterpart(() => ({ afterMs: 600 }))
  const model = { LLM_BASE_URL: `${llm.url}/v1`, LLM_API_KEY: KEY, LLM_MODEL: 'small' }
  const at = await startPlatform({ ...model, ...onLoopback })
  const { agent } = at
  const parameters = { type: 'object', properties: { day: { type: 'integer' } } }
  const tool = await at.post('/api/tools', { name: 'book', type: 'custom', parameters, requestUrl: counterpart.url })
  await at.post(`/api/tools/${tool.id}/agents/${agent.id}`, undefined)
  const { child, ended, out } = ramal(at, [agent.id, '--say', 'Book the 4th', '--say', 'Count', '--say', 'More'])
  await until('the first words came as they were made', () => /Ana: word0 word1/.test(out()), 60_000)
  child.kill('SIGINT')
  const { code, err } = await ended
  assert.equal(code, 0, err)
  assert.match(out(), / {2}· book runs\n[\s\S]*· book: done in \d+ ms\n/)
  assert.match(out(), /Done:\[2J(\n {2}· book: .*\nAna:)? booked/) // the notice may arrive in the middle of a line
  assert.ok(!out().includes('\u001b'))
  assert.doesNotMatch(out(), /word199|More/)
  await until('the conversation has ended', async () => (await at.get('/api/conversations'))[0].status === 'ended')
})

test('failures are reported in one sentence, with an exit code', async () => {
  const at = await platform()
  const { code, err } = await ramal(at, ['Zoe', '--say', 'x']).ended
  assert.equal(code, 1)
  assert.match(err, /^ramal: there is no agent Zoe\n {2}agt_\w+ {2}Ana/)
})

test('an agent is found by its id or unique name; the key and the platform are required', async () => {
  const at = await platform()
  const config = { ...readConfig({ DATA_DIR: at.dataDir }) }
  const printed = new PassThrough()
  const talkWith = (request: Partial<TalkRequest>) => {
    const streams = { input: new PassThrough() as never, output: printed as never, leave: new AbortController() }
    const all = { agent: undefined, say: ['one', 'two'], url: at.url, apiKey, ...request }
    return talk({ config, ...streams }, all)
  }
  const { id } = await at.post('/api/agents', { ...anAgent, name: 'Rui' })
  assert.equal(await talkWith({ agent: id }), true)
  await at.post('/api/agents', { ...anAgent, name: 'RUI' })
  await assert.rejects(talkWith({ agent: 'rui' }), /several are named rui/)
  await assert.rejects(talkWith({}), /which agent\?/)
  await assert.rejects(talkWith({ apiKey: 'a-wrong-key' }), /key/i)
  await assert.rejects(talkWith({ apiKey: undefined }), /no API key: set RAMAL_API_KEY/)
  await assert.rejects(talkWith({ url: 'http://127.0.0.1:9' }), /no platform answers at http:\/\/127\.0\.0\.1:9/)
  await ask(`${at.url}/api/agents/${id}`, apiKey, 'PATCH', { isActive: false })
  printed.read()
  const isAnswered = await talkWith({ agent: id }).catch((error: Error) => error.message)
  assert.match(`${isAnswered} ${printed.read()}`, /not active/)
  assert.notEqual(isAnswered, true)
})

test('the platform address follows from the settings', () => {
  const url = (env: Record<string, string>) => ownUrl(readConfig(env))
  const tls = { TLS_CERT: 'c', TLS_KEY: 'k' }
  assert.equal(url({}), 'http://127.0.0.1:3000')
  assert.equal(url({ HOST: '0.0.0.0', PORT: '80' }), 'http://127.0.0.1:80')
  assert.equal(url({ HOST: '::' }), 'http://[::1]:3000')
  assert.equal(url({ ...tls, HOST: '10.0.0.1' }), 'https://10.0.0.1:3000')
  assert.equal(url({ ...tls, PUBLIC_URL: 'https://voice.example.com/' }), 'https://voice.example.com')
  assert.equal(url({ PUBLIC_URL: 'https://voice.example.com/' }), 'http://127.0.0.1:3000')
})
