// A language model in this process: a GGUF file of the operator's, run by node-llama-cpp, which computes in threads of its own.
import { basename } from 'node:path'
import { raceAbort } from '../base/concurrency/abort.ts'
import { Channel } from '../base/concurrency/channel.ts'
import { AppError, appError } from '../base/errors/errors.ts'
import type { Log } from '../base/process/log.ts'
import { nowMs } from '../base/time/clock.ts'
import type { Llm, LlmPart, Message, ReplyOptions, Tool } from '../voice/ports.ts'
import { wireNames } from './chat-messages.ts'
import { answerCheck } from './model-answer.ts'
import { callsOf, chatFunctions, chatItems, generateSettings } from './model-file-chat.ts'
import {
  type Chat,
  type Generated,
  type GenerateOptions,
  importLibrary,
  type LoadLibrary,
  loadModelFile,
} from './model-file-library.ts'
import { replySlots, type Slot } from './model-file-slots.ts'

export type ModelFileParts = { path: string; log: Log; load?: LoadLibrary; sequences?: number; patience?: Patience }

/** To the first word, waiting for a sequence included. */
export type Patience = { interactiveMs: number; backgroundMs: number }

export type ModelFile = {
  /** The file's name. */
  readonly name: string
  readonly interactive: Llm
  readonly background: Llm
  /** Since when it has been known that it cannot be used, as ISO 8601; null: it can, or it is still loading. */
  failedSince(): string | null
  /** In the background; else it is loaded for the first reply. */
  start(): void
  close(): Promise<void>
}

/** Replies at once; each has memory of its own, and they share the processor. */
const SEQUENCES = 2
const usualPatience: Patience = { interactiveMs: 15_000, backgroundMs: 90_000 }

export function modelFile(parts: ModelFileParts): ModelFile {
  const { path, log, load = importLibrary, sequences = SEQUENCES, patience = usualPatience } = parts
  const name = basename(path)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  let failedAtMs: number | null = null
  let callCount = 0

  async function open() {
    const beganMs = nowMs()
    try {
      const loaded = await loadModelFile({ path, model: name, sequences, load, log })
      log.info({ model: name, sequences, ms: nowMs() - beganMs }, 'model file loaded')
      return { ...loaded, slots: replySlots(loaded.chats, () => appError('model_busy', { model: name })) }
    } catch (err) {
      failedAtMs = nowMs()
      log.error({ err }, 'LLM_MODEL_FILE cannot be used; the platform runs without it')
      throw err
    }
  }

  let opening: ReturnType<typeof open> | undefined
  function opened(): ReturnType<typeof open> {
    opening ??= open()
    opening.catch(() => {})
    return opening
  }

  /** The sequence is given back when the library has really stopped. */
  function generate(slot: Slot<Chat>, request: Request, options: GenerateOptions): Promise<Generated> {
    const { items } = request
    const generated = slot.chat.generateResponse(items, options)
    running.add(generated)
    const ended = async () => {
      running.delete(generated)
      const { slots } = await opened()
      slots.release(slot)
    }
    generated.then(ended, ended)
    return generated
  }

  async function* reply(request: Request, signal: AbortSignal): AsyncGenerator<LlmPart> {
    const late = new AbortController()
    const left = new AbortController()
    const limitMs = request.isBackground ? patience.backgroundMs : patience.interactiveMs
    const timer = setTimeout(() => late.abort(), limitMs)
    const stop = AbortSignal.any([signal, late.signal, left.signal, closing.signal])
    const words = new Channel<string>(Number.POSITIVE_INFINITY)
    const check = answerCheck(name, request.maySayNothing)
    const leave = () => words.end()
    stop.addEventListener('abort', leave, { once: true })
    try {
      const model = await raceAbort(stop, opened(), () => undefined)
      const slot = await model?.slots.take({ text: request.text, isBackground: request.isBackground }, stop)
      if (slot) {
        const onTextChunk = (text: string) => {
          if (text.trim() !== '') clearTimeout(timer)
          void words.push(text)
        }
        const generated = generate(slot, request, { ...request.options, signal: stop, onTextChunk })
        generated.then(leave, leave)
        for await (const text of words) {
          if (stop.aborted) break
          yield* check.say(text)
        }
        if (!stop.aborted) yield* ending(await generated, request, check)
      }
      if (late.signal.aborted) throw appError('service_timeout', { service: name })
      if (closing.signal.aborted && !signal.aborted) throw appError('service_stopping')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof AppError) throw error
      // Only the sort of error: its text may repeat the conversation.
      log.error({ model: name, sort: (error as Error)?.name }, 'model file failed to reply')
      throw appError('model_file_failed', { model: name })
    } finally {
      clearTimeout(timer)
      stop.removeEventListener('abort', leave)
      left.abort()
    }
  }

  function* ending(generated: Generated, { names }: Request, check: ReturnType<typeof answerCheck>) {
    const calls = callsOf(generated, { newId: () => `call_${nowMs().toString(36)}_${++callCount}`, own: names.own })
    const isCut = generated.metadata.stopReason === 'maxTokens'
    yield* check.end(
      calls.map((call) => ({ ...call, isJson: true })),
      { isFinished: true, isCut },
    )
  }

  const llm = (isBackground: boolean): Llm => ({
    name,
    isModel: true,
    reply: (history, tools, options, signal) => reply(requestOf({ history, tools, options, isBackground }), signal),
  })

  return {
    name,
    interactive: llm(false),
    background: llm(true),
    failedSince: () => (failedAtMs === null ? null : new Date(failedAtMs).toISOString()),
    start: () => void opened(),
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      const model = await opening?.catch(() => undefined)
      await model?.close()
    },
  }
}

type Request = ReturnType<typeof requestOf>
type Given = { history: readonly Message[]; tools: readonly Tool[]; options: ReplyOptions; isBackground: boolean }

function requestOf({ history, tools, options, isBackground }: Given) {
  const names = wireNames(tools)
  const mayCall = tools.length > 0 && options.mayCallTools !== false
  const items = chatItems(history, names.wire)
  return {
    names,
    items,
    isBackground,
    text: JSON.stringify(items),
    // After a tool result a model may have nothing to add; otherwise silence is a failure.
    maySayNothing: history.at(-1)?.role === 'tool',
    options: {
      ...generateSettings(options.settings ?? {}),
      ...(mayCall ? { functions: chatFunctions(tools, names.wire), maxParallelFunctionCalls: 1 } : {}),
      // A caller would hear nothing while it thinks.
      budgets: { thoughtTokens: 0 },
    },
  }
}
