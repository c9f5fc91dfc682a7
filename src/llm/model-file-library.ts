// The part of node-llama-cpp that runs a model file in this process, and how it is loaded. Operators install the package themselves.
import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { appError } from '../base/errors/errors.ts'
import type { Log } from '../base/process/log.ts'

type FunctionCallItem = { type: 'functionCall'; name: string; params: unknown; result: unknown }
export type ChatItem =
  | { type: 'system' | 'user'; text: string }
  | { type: 'model'; response: (string | FunctionCallItem)[] }

export type ChatFunctions = Record<string, { description?: string; params?: object }>

export type GenerateOptions = {
  signal: AbortSignal
  /** Without the model's reasoning. */
  onTextChunk: (text: string) => void
  functions?: ChatFunctions
  maxParallelFunctionCalls?: number
  budgets?: { thoughtTokens: number }
} & Record<string, unknown>

export type Generated = {
  functionCalls?: readonly { functionName: string; params: unknown }[]
  metadata: { stopReason: string }
}

/** One sequence of tokens. What it has read stays in memory, so that a continued conversation is not read again. */
export type Chat = { generateResponse(history: ChatItem[], options: GenerateOptions): Promise<Generated> }

type Context = { getSequence(): object }
type Model = { createContext(options: object): Promise<Context> }
type Llama = { loadModel(options: { modelPath: string }): Promise<Model>; dispose(): Promise<void> }
type LlamaLibrary = {
  getLlama(options: object): Promise<Llama>
  LlamaChat: new (options: { contextSequence: object }) => Chat
}
export type LoadLibrary = () => Promise<object>

type LoadedModel = { chats: Chat[]; close(): Promise<void> }

/** Tokens per conversation; beyond it the oldest turns are dropped. The memory is reserved at start. */
const MAX_CONTEXT = 8192
/** Magic, version, and the counts of tensors and of properties. */
const HEAD_BYTES = 24
const MAX_COUNT = 1_000_000n

export const importLibrary: LoadLibrary = () => import('node-llama-cpp')

export type LoadParts = { path: string; model: string; sequences: number; load: LoadLibrary; log: Log }

/** Throws an AppError that names what is missing. */
export async function loadModelFile({ path, model, sequences, load, log }: LoadParts): Promise<LoadedModel> {
  const head = await headOf(path).catch((cause) => {
    throw appError('model_file_missing', { model }, { cause })
  })
  if (!isGguf(head)) throw appError('model_file_failed', { model }, { cause: new Error('not a GGUF file') })
  const { getLlama, LlamaChat } = await libraryFrom(load, model)
  try {
    const llama = await getLlama({
      // Compile and download nothing: the package includes binaries.
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      logLevel: 'warn',
      logger: (_level: string, detail: string) => log.debug({ detail }, 'message of the model library'),
      // Leave one core for media and speech.
      maxThreads: Math.max(1, availableParallelism() - 1),
    })
    try {
      const loaded = await llama.loadModel({ modelPath: path })
      const context = await loaded.createContext({ sequences, contextSize: { max: MAX_CONTEXT } })
      const chats = Array.from({ length: sequences }, () => new LlamaChat({ contextSequence: context.getSequence() }))
      return { chats, close: () => llama.dispose() }
    } catch (error) {
      await llama.dispose()
      throw error
    }
  } catch (cause) {
    throw appError('model_file_failed', { model }, { cause })
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    await file.read(head, 0, HEAD_BYTES, 0)
    return head
  } finally {
    await file.close()
  }
}

/** With nonsense counts in the file the library would read endlessly. */
function isGguf(head: Buffer): boolean {
  const counts = [head.readBigUInt64LE(8), head.readBigUInt64LE(16)]
  const version = head.readUInt32LE(4)
  return (
    head.toString('latin1', 0, 4) === 'GGUF' &&
    (version === 2 || version === 3) &&
    counts.every((count) => count > 0n && count <= MAX_COUNT)
  )
}

async function libraryFrom(load: LoadLibrary, model: string): Promise<LlamaLibrary> {
  try {
    return (await load()) as LlamaLibrary
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND'
    throw appError(isMissing ? 'model_package_missing' : 'model_file_failed', { model }, { cause })
  }
}
