// A language model in this process: the operator's GGUF file, run by node-llama-cpp in its own threads.
import { basename } from 'node:path'
import { raceAbort } from '../base/concurrency/abort.ts'
import { Channel } from '../base/concurrency/channel.ts'
import { AppError, appError } from '../base/errors/errors.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/process/log.ts'
import { nowMs } from '../base/time/clock.ts'
import type { Llm, LlmPart, Message, ReplyOptions, Tool } from '../voice/ports.ts'
import { wireNames } from './chat-messages.ts'
import { answerCheck, isAfterToolResult } from './model-answer.ts'
import { callsOf, chatFunctions, chatItems, generateSettings } from './model-file-chat.ts'
import {
  type Chat,
  type Generated,
  type GenerateOptions,
  importLibrary,
  type LoadLibrary,
  type LoadParts,
  loadModelFile,
} from './model-file-library.ts'
import { replySlots, type Slot } from './model-file-slots.ts'

type ModelFileParts = { path: string; log: Log; load?: LoadLibrary; sequences?: number; patience?: Patience }

/** Time limit to the first word, including the wait for a sequence. */
export type Patience = { interactiveMs: number; backgroundMs: number }

export type ModelFile = {
  /** The file's name. */
  readonly name: string
  readonly interactive: Llm
  readonly background: Llm
  /** When loading failed, as ISO 8601; null if it has not failed. */
  failedSince(): string | null
  /** Loads it in the background; otherwise the first reply does. */
  start(): void
  close(): Promise<void>
}

/** Parallel replies; each has its own memory, and they share the CPU. */
const SEQUENCES = 2
const usualPatience: Patience = { interactiveMs: 15_000, backgroundMs: 90_000 }

export function modelFile(parts: ModelFileParts): ModelFile {
  const { path, log, load = importLibrary, sequences = SEQUENCES, patience = usualPatience } = parts
  const name = basename(path)
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const loading = lazyModel({ path, model: name, sequences, load, log })

  /** Returns the sequence once the library has really stopped. */
  function generate(slot: Slot<Chat>, request: Request, options: GenerateOptions): Promise<Generated> {
    const generated = slot.chat.generateResponse(request.items, options)
    running.add(generated)
    const ended = async () => {
      running.delete(generated)
      const { slots } = await loading.model()
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
      const model = await raceAbort(stop, loading.model(), () => undefined)
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
        if (!stop.aborted) yield* ending(await generated, request.names.own, check)
      }
      if (late.signal.aborted) throw appError('service_timeout', { service: name })
      if (closing.signal.aborted && !signal.aborted) throw appError('service_stopping')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof AppError) throw error
      // Only the error's name: its text may repeat the conversation.
      log.error({ model: name, sort: (error as Error)?.name }, 'model file failed to reply')
      throw appError('model_file_failed', { model: name })
    } finally {
      clearTimeout(timer)
      stop.removeEventListener('abort', leave)
      left.abort()
    }
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
    failedSince: loading.failedSince,
    start: () => void loading.model(),
    async close() {
      closing.abort()
      await Promise.allSettled(running)
      await loading.close()
    },
  }
}

/** Loads the file once, when the model is first needed. */
function lazyModel(parts: LoadParts) {
  const { model, sequences, log } = parts
  let failedAtMs: number | null = null
  let opening: ReturnType<typeof open> | undefined

  async function open() {
    const beganMs = nowMs()
    try {
      const loaded = await loadModelFile(parts)
      log.info({ model, sequences, ms: nowMs() - beganMs }, 'model file loaded')
      return { ...loaded, slots: replySlots(loaded.chats, () => appError('model_busy', { model })) }
    } catch (err) {
      failedAtMs = nowMs()
      log.error({ err }, 'LLM_MODEL_FILE cannot be used; the platform runs without it')
      throw err
    }
  }

  return {
    model(): ReturnType<typeof open> {
      opening ??= open()
      opening.catch(() => {})
      return opening
    },
    failedSince: () => (failedAtMs === null ? null : new Date(failedAtMs).toISOString()),
    async close(): Promise<void> {
      const loaded = await opening?.catch(() => undefined)
      await loaded?.close()
    },
  }
}

function* ending(
  generated: Generated,
  own: (wireName: string) => string,
  check: ReturnType<typeof answerCheck>,
): Generator<LlmPart> {
  const calls = callsOf(generated, { newId: () => newId('call'), own }).map((call) => ({ ...call, isJson: true }))
  yield* check.end(calls, { isFinished: true, isCut: generated.metadata.stopReason === 'maxTokens' })
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
    maySayNothing: isAfterToolResult(history),
    options: {
      ...generateSettings(options.settings ?? {}),
      ...(mayCall ? { functions: chatFunctions(tools, names.wire), maxParallelFunctionCalls: 1 } : {}),
      // The caller would hear silence while the model thinks.
      budgets: { thoughtTokens: 0 },
    },
  }
}
