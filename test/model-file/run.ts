// Tests the LLM_MODEL_FILE driver with the real node-llama-cpp and small GGUF files that are written here: words,
// abort, two replies at once, tool calls, missing and broken files; time to first word, event-loop delay and memory.
//
// npm run test:model-file -- [--package FOLDER] [--file MODEL.gguf]
//
// Installs node-llama-cpp into a temporary folder, unless a folder that has it in node_modules is named. A model file
// of your own is measured too.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { createLog } from '../../src/base/process/log.ts'
import { monotonicMs } from '../../src/base/time/clock.ts'
import { type ModelFile, modelFile } from '../../src/llm/model-file.ts'
import type { Llm, LlmPart, Message, Tool } from '../../src/voice/ports.ts'
import { anAgent, startTestApp } from '../app.ts'
import { runEndings } from '../endings.ts'
import { callingSize, measuredSize, tinySize, writeTinyGguf } from './tiny-gguf.ts'

const VERSION = '3.22.1'
const { values } = parseArgs({ options: { package: { type: 'string' }, file: { type: 'string' } } })
const folder = mkdtempSync(join(tmpdir(), 'model-file-'))
const print = (text: string) => void process.stdout.write(`${text}\n`)
const log = createLog('fatal', process.stderr)
const libraryUrl = urlIn(values.package ? resolve(values.package) : install())
const load = (): Promise<object> => import(libraryUrl)
const memoryMb = () => Math.round(process.memoryUsage().rss / 1e6)

const prompt = 'Please write down the name. '.repeat(40)
const history: Message[] = [
  { role: 'system', content: prompt },
  { role: 'agent', content: 'good morning' },
  { role: 'user', content: 'is the doctor in on monday' },
]
const tool: Tool = {
  name: 'find_slot',
  description: 'Finds a free hour',
  parameters: { type: 'object', properties: { isUrgent: { type: 'boolean' } }, required: ['isUrgent'] },
  run: async () => ({ text: 'nine', failed: false }),
}

function install(): string {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const given = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `node-llama-cpp@${VERSION}`,
  ]
  execFileSync('npm', given, { cwd: folder, stdio: 'inherit' })
  return folder
}

/** The package exports an entry for import only, so its path must be given explicitly. */
function urlIn(place: string): string {
  const found = createRequire(join(place, 'x.js')).resolve.paths('node-llama-cpp')?.[0] ?? ''
  return pathToFileURL(join(found, 'node-llama-cpp', 'dist', 'index.js')).href
}

/** Generous timeouts, so that a busy machine does not fail the run. */
const patience = { interactiveMs: 120_000, backgroundMs: 120_000 }

type Said = { parts: LlmPart[]; firstMs: number; allMs: number }
type Ask = { settings?: Record<string, unknown>; tools?: Tool[]; signal?: AbortSignal; given?: readonly Message[] }

async function ask(llm: Llm, { settings, tools = [], signal, given = history }: Ask = {}): Promise<Said> {
  const beganMs = monotonicMs()
  const parts: LlmPart[] = []
  let firstMs = 0
  const options = { language: 'en', settings: { temperature: 0, maxTokens: 60, ...settings } }
  for await (const part of llm.reply(given, tools, options, signal ?? new AbortController().signal)) {
    firstMs ||= monotonicMs() - beganMs
    parts.push(part)
  }
  return { parts, firstMs, allMs: monotonicMs() - beganMs }
}

const textOf = ({ parts }: Said) => parts.map((part) => ('say' in part ? part.say : '')).join('')

async function withModel(path: string, work: (model: ModelFile) => Promise<void>): Promise<void> {
  const model = modelFile({ path, log, load, patience })
  try {
    await work(model)
  } finally {
    await model.close()
  }
}

async function words(path: string): Promise<void> {
  await withModel(path, async (model) => {
    const said = await ask(model.interactive)
    assert.ok(said.parts.length > 20, 'it streams')
    assert.match(textOf(said), /^\s?[a-zI ]+$/)
    assert.equal(textOf(await ask(model.interactive)), textOf(said), 'temperature 0: the same again')
    const hot = { temperature: 2, seed: 1, maxTokens: 5 }
    assert.ok((await ask(model.interactive, { settings: hot })).parts.length <= 6, 'maxTokens')
    print(`  says: ${textOf(said).trim().slice(0, 60)}`)
  })
}

async function aborts(path: string): Promise<void> {
  await withModel(path, async (model) => {
    await ask(model.interactive, { settings: { maxTokens: 1 } })
    const stop = new AbortController()
    let abortedMs = 0
    let after = 0
    const options = { language: 'en', settings: { maxTokens: 2000 } }
    for await (const _ of model.interactive.reply(history, [], options, stop.signal)) {
      if (abortedMs) after++
      else {
        abortedMs = monotonicMs()
        stop.abort()
      }
    }
    const endedMs = monotonicMs() - abortedMs
    assert.equal(after, 0)
    // Two replies at once need both sequences, so the aborted reply must have released its own.
    await Promise.all([ask(model.interactive), ask(model.interactive)])
    print(`  the reply ends ${endedMs.toFixed(1)} ms after the abort; its sequence is used again`)
  })
}

async function admission(path: string): Promise<void> {
  await withModel(path, async (model) => {
    const asked = Array.from({ length: 8 }, () => ask(model.interactive, { settings: { maxTokens: 20 } }))
    const ended = await Promise.allSettled(asked)
    const refused = ended
      .filter(({ status }) => status === 'rejected')
      .map((one) => (one as PromiseRejectedResult).reason)
    assert.deepEqual(
      refused.map(({ code }) => code),
      ['model_busy', 'model_busy'],
    )
    print('  of 8 at once: 2 run, 4 wait, 2 are refused')
  })
}

async function calls(path: string): Promise<void> {
  await withModel(path, async (model) => {
    const [part] = (await ask(model.interactive, { tools: [tool] })).parts
    assert.ok(part && 'call' in part, 'a call')
    assert.equal(part.call.name, 'find_slot')
    assert.equal(typeof (part.call.args as { isUrgent: unknown }).isUrgent, 'boolean')
    print(`  calls ${part.call.name}(${JSON.stringify(part.call.args)})`)
  })
}

/** A model that speaks understands the history of an ended call. */
async function goesOnAfterCall(path: string): Promise<void> {
  const call = { id: 'c1', name: 'find_slot', args: { isUrgent: true } }
  const given: Message[] = [
    ...history,
    { role: 'agent', content: 'please hold', calls: [call] },
    { role: 'tool', callId: 'c1', content: 'nine' },
  ]
  await withModel(path, async (model) => {
    const said = await ask(model.interactive, { tools: [tool], given })
    assert.ok(textOf(said).length > 0)
    print('  goes on after the result of a tool')
  })
}

async function failures(tiny: string): Promise<void> {
  const broken = join(folder, 'broken.gguf')
  writeFileSync(broken, 'GGUF and nothing else')
  const none = () => import('node-llama-cpp-that-nobody-has' as string)
  const cases = [
    { path: join(folder, 'nowhere.gguf'), load, code: 'model_file_missing' },
    { path: broken, load, code: 'model_file_failed' },
    { path: tiny, load: none, code: 'model_package_missing' },
  ]
  for (const { code, ...parts } of cases) {
    const model = modelFile({ ...parts, log })
    await assert.rejects(ask(model.interactive), { code })
    assert.ok(model.failedSince())
    await model.close()
    print(`  ${code}`)
  }
}

async function measured(path: string): Promise<void> {
  const beforeMb = memoryMb()
  await withModel(path, async (model) => {
    const beganMs = monotonicMs()
    const given: Message[] = [{ role: 'user', content: 'yes' }]
    const loading = await loopDelay(() => ask(model.interactive, { settings: { maxTokens: 1 }, given }))
    print(`  loaded and warm after ${(monotonicMs() - beganMs).toFixed(0)} ms; event loop meanwhile: ${loading}`)
    const idle = await loopDelay(() => sleep(2000))
    const next: Message[] = [...history, { role: 'agent', content: 'yes' }, { role: 'user', content: 'thank you' }]
    const answers: Said[] = []
    const busy = await loopDelay(async () => {
      answers.push(await ask(model.interactive, { settings: { maxTokens: 200 } }))
      answers.push(await ask(model.interactive, { given: next }))
      answers.push(...(await Promise.all([ask(model.interactive), ask(model.interactive, { given: next })])))
    })
    const [cold, warm, ...both] = answers as [Said, Said, ...Said[]]
    const perSecond = (cold.parts.length / (cold.allMs - cold.firstMs)) * 1000
    const firsts = both.map(({ firstMs }) => firstMs.toFixed(0)).join(' and ')
    print(
      `  first word ${cold.firstMs.toFixed(0)} ms; in the next turn of the conversation ${warm.firstMs.toFixed(0)} ms`,
    )
    print(`  ${perSecond.toFixed(0)} tokens a second; two at once: first words after ${firsts} ms`)
    print(`  event loop while idle: ${idle}`)
    print(`  event loop while generating: ${busy}`)
    print(`  memory ${beforeMb} MB before, ${memoryMb()} MB with the model`)
  })
  print(`  memory ${memoryMb()} MB after it was closed`)
}

/** Event-loop lateness for whatever reason, and the longest time this thread computed without a break. */
async function loopDelay(work: () => Promise<unknown>): Promise<string> {
  let [at, usedMs] = [monotonicMs(), threadMs()]
  let [lateMs, heldMs] = [0, 0]
  const timer = setInterval(() => {
    const [now, used] = [monotonicMs(), threadMs()]
    lateMs = Math.max(lateMs, now - at - 1)
    heldMs = Math.max(heldMs, used - usedMs)
    ;[at, usedMs] = [now, used]
  }, 1)
  await work()
  clearInterval(timer)
  return `${lateMs.toFixed(0)} ms late at most, held by its own work for ${heldMs.toFixed(0)} ms at most`
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs the whole platform with the file: its account, and a text that the model replies to. */
async function platform(path: string): Promise<void> {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node-llama-cpp' ? { url: libraryUrl, shortCircuit: true } : next(specifier, context),
  })
  const { newUser } = await startTestApp({ LLM_MODEL_FILE: path })
  const client = await newUser('root', 'admin')
  const id = 'environment-model-file'
  const tested = (await client.post(`/api/providers/${id}/test`)).json
  assert.equal(tested.isOk, true, JSON.stringify(tested))
  const agent = (await client.post('/api/agents', { ...anAgent, llmConfig: { maxTokens: 10, temperature: 0 } })).json
  const conversation = (await client.post('/api/conversations/start', { agentId: agent.id })).json
  const sent = { type: 'user', content: 'good morning' }
  await client.post(`/api/conversations/message/send/${conversation.id}?reply=true`, sent)
  const messages = (await client.get(`/api/conversations/messages/${conversation.id}`)).json as { content: string }[]
  const [account] = (await client.get('/api/providers')).json
  assert.equal(account.health.state, 'ok', JSON.stringify(account.health))
  print(`  the account's test: first word after ${tested.firstMs} ms; the reply to a text: ${messages.at(-1)?.content}`)
}

try {
  const [tiny, calling, large] = [join(folder, 'tiny.gguf'), join(folder, 'calling.gguf'), join(folder, 'large.gguf')]
  await writeTinyGguf(tiny, tinySize)
  await writeTinyGguf(calling, callingSize)
  await writeTinyGguf(large, measuredSize)
  const steps: [string, () => Promise<void>][] = [
    ['what goes wrong', () => failures(tiny)],
    ['words', () => words(tiny)],
    ['abort', () => aborts(large)],
    ['admission', () => admission(tiny)],
    ['tool calls', () => calls(calling)],
    ['after a tool call', () => goesOnAfterCall(tiny)],
    ['the platform', () => platform(tiny)],
    ['measured: 27 million random weights', () => measured(large)],
    ...(values.file
      ? [[`measured: ${values.file}`, () => measured(resolve(values.file ?? ''))] as [string, () => Promise<void>]]
      : []),
  ]
  for (const [title, step] of steps) {
    print(title)
    await step()
  }
} finally {
  await runEndings()
  rmSync(folder, { recursive: true, force: true })
}
