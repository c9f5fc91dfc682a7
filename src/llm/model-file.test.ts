// A model file in this process, with a fake of the library: words, abort, admission, and missing parts. The real
// library is tested by npm run test:model-file.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pino from 'pino'
import { isProviderFault, reasonOf } from '../failover/failure-reason.ts'
import type { LlmPart, Message, Tool } from '../voice/ports.ts'
import { modelFile } from './model-file.ts'
import type { ChatItem, Generated, GenerateOptions } from './model-file-library.ts'

const folder = mkdtempSync(join(tmpdir(), 'model-file-'))
after(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, head: { magic?: string; version?: number } = {}): string {
  const bytes = Buffer.alloc(24, 0)
  bytes.write(head.magic ?? 'GGUF', 'latin1')
  bytes.writeUInt32LE(head.version ?? 3, 4)
  bytes.writeBigUInt64LE(1n, 8)
  bytes.writeBigUInt64LE(1n, 16)
  writeFileSync(join(folder, name), bytes)
  return join(folder, name)
}

type Generate = (items: ChatItem[], options: GenerateOptions) => Promise<Generated>
const ended = { metadata: { stopReason: 'eogToken' } }

/** The part of the library that is used; its model is a function. */
function fakeLibrary(generate: Generate) {
  const seen = { loads: 0, disposed: 0, options: {} as object, sequences: 0 }
  class LlamaChat {
    generateResponse(items: ChatItem[], options: GenerateOptions) {
      return generate(items, options)
    }
  }
  const context = { getSequence: () => ({ number: ++seen.sequences }) }
  const llama = {
    async loadModel() {
      seen.loads++
      return { createContext: async () => context }
    },
    async dispose() {
      seen.disposed++
    },
  }
  const getLlama = async (options: object) => {
    seen.options = options
    return llama
  }
  return { seen, load: async () => ({ getLlama, LlamaChat }) }
}

function opened(generate: Generate, path = fileOf('small.gguf')) {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { seen, load } = fakeLibrary(generate)
  return { model: modelFile({ path, log, load, patience: { interactiveMs: 5000, backgroundMs: 50 } }), seen, lines }
}

const never = new AbortController().signal
const history: Message[] = [{ role: 'user', content: 'Is the doctor in?' }]
const options = { language: 'en', settings: { temperature: 0.1, maxTokens: 50 } }
const tool: Tool = {
  name: 'Find an hour',
  description: '',
  parameters: {},
  run: async () => ({ text: '', failed: false }),
}

test('words are streamed, with the settings of the agent; nothing is built or downloaded', async () => {
  let given: GenerateOptions | undefined
  const { model, seen } = opened(async (_, options) => {
    given = options
    for (const word of ['Yes', ', he', ' is']) {
      options.onTextChunk(word)
      await null
    }
    return ended
  })
  const said = await Array.fromAsync(model.interactive.reply(history, [], options, never))
  assert.deepEqual(said, [{ say: 'Yes' }, { say: ', he' }, { say: ' is' }])
  assert.deepEqual([given?.temperature, given?.maxTokens, given?.functions], [0.1, 50, undefined])
  assert.deepEqual(
    { ...seen.options, logger: 0, maxThreads: 0 },
    {
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'warn',
      logger: 0,
      maxThreads: 0,
    },
  )
  await Array.fromAsync(model.background.reply(history, [], options, never))
  assert.deepEqual(
    [model.name, model.interactive.name, seen.loads, model.failedSince()],
    ['small.gguf', 'small.gguf', 1, null],
  )
  await model.close()
  assert.equal(seen.disposed, 1)
})

test('a tool call comes back under the name of the tool; tools that must not be called are not offered', async () => {
  const offered: unknown[] = []
  const { model } = opened(async (_, { functions, onTextChunk }) => {
    offered.push(Object.keys(functions ?? {}))
    if (!functions) onTextChunk('No.')
    return functions ? { ...ended, functionCalls: [{ functionName: 'Find_an_hour', params: { x: 1 } }] } : ended
  })
  const [part] = await Array.fromAsync(model.interactive.reply(history, [tool], options, never))
  assert.ok(part && 'call' in part)
  assert.deepEqual([part.call.name, part.call.args], ['Find an hour', { x: 1 }])
  await Array.fromAsync(model.interactive.reply(history, [tool], { ...options, mayCallTools: false }, never))
  assert.deepEqual(offered, [['Find_an_hour'], []])
  await model.close()
})

test('an abort, and a reader who leaves, stop the library; their sequences are used again', async () => {
  let stopped = 0
  const { model } = opened(
    (_, { signal, onTextChunk }) =>
      new Promise((_, reject) => {
        onTextChunk('Well')
        signal.addEventListener('abort', () => {
          stopped++
          reject(signal.reason)
        })
      }),
  )
  for (let time = 1; time <= 6; time++) {
    const stop = new AbortController()
    const parts: LlmPart[] = []
    for await (const part of model.interactive.reply(history, [], options, stop.signal)) {
      parts.push(part)
      if (time % 2) break
      stop.abort()
    }
    assert.deepEqual([parts, stopped], [[{ say: 'Well' }], time])
  }
  await model.close()
})

test('two reply, four wait, and the next is refused as limited, which is no fault of the model', async () => {
  const release = Promise.withResolvers<void>()
  const { model } = opened(async (_, { onTextChunk }) => {
    await release.promise
    onTextChunk('Yes')
    return ended
  })
  const ask = () => Array.fromAsync(model.interactive.reply(history, [], options, never))
  const asked = [1, 2, 3, 4, 5, 6].map(ask)
  const refused = await ask().catch((error: unknown) => error)
  assert.deepEqual([reasonOf(refused), isProviderFault(refused)], ['limited', false])
  await assert.rejects(Array.fromAsync(model.background.reply(history, [], options, never)), {
    code: 'service_timeout',
  })
  release.resolve()
  assert.equal((await Promise.all(asked)).length, 6)
  await model.close()
})

test('a failure of the library says nothing of the conversation; an empty reply is one', async () => {
  let isEmpty = false
  const { model, lines } = opened(async () => {
    if (isEmpty) return ended
    throw new Error('cannot go on after "Is the doctor in?"')
  })
  const ask = () => Array.fromAsync(model.interactive.reply(history, [], options, never))
  const error = await ask().catch((error: unknown) => error)
  assert.deepEqual([reasonOf(error), isProviderFault(error)], ['unreachable', true])
  assert.ok(!lines.join().includes('doctor'))
  isEmpty = true
  await assert.rejects(ask(), { code: 'service_no_answer' })
  await model.close()
  await assert.rejects(ask(), { code: 'service_stopping' })
})

test('a file or package that is missing, and a file that is no GGUF, are told once in the log and in every reply', async () => {
  const noPackage = async (): Promise<object> => {
    throw Object.assign(new Error('gone'), { code: 'ERR_MODULE_NOT_FOUND' })
  }
  const cases = [
    { path: join(folder, 'nowhere.gguf'), code: 'model_file_missing' },
    { path: fileOf('page.gguf', { magic: '<htm' }), code: 'model_file_failed' },
    { path: fileOf('old.gguf', { version: 1 }), code: 'model_file_failed' },
    { path: fileOf('good.gguf'), code: 'model_package_missing' },
  ]
  for (const { path, code } of cases) {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const model = modelFile({ path, log, load: noPackage })
    model.start()
    for (let time = 0; time < 2; time++)
      await assert.rejects(Array.fromAsync(model.interactive.reply(history, [], options, never)), { code })
    assert.equal(lines.filter((line) => line.includes('LLM_MODEL_FILE cannot be used')).length, 1, lines.join())
    assert.match(model.failedSince() ?? '', /^20\d\d-/)
    await model.close()
  }
})
