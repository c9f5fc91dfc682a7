// One reply: the model's words as they come, with the tools it asks for run in between and their results given back to it.
import type { Clock, Llm, Message, ReplyOptions, Tool, ToolCall, Transport } from './ports.ts'

const MAX_STEPS = 5
/** A tool that takes longer is given up. */
const TOOL_MS = 15_000

export type ReplyParts = {
  llm: Llm
  tools: readonly Tool[]
  act: Transport['act']
  clock: Clock
  /** Tools are at work, or have finished. */
  onWork?: (on: boolean) => void
  onTool?: (call: ToolCall, result: { text: string; failed: boolean }) => void
}

const INTERRUPTED = 'Interrupted: the result is not known.'
const answerTo = (callId: string, content: string): Message => ({ role: 'tool', content, callId })

type ToolResult = { text: string; failed: boolean }

/** `added` takes what the model and the tools did, so that the next turn knows it; it is whole at every moment. */
export async function* replyWords(
  { llm, tools, act, clock, onWork, onTool }: ReplyParts,
  history: readonly Message[],
  options: ReplyOptions,
  added: Message[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  // As `added`, with what was said in between: the history has that as it was heard.
  const known: Message[] = []
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const calls: ToolCall[] = []
    let said = ''
    // In its last step it has to speak.
    const offered = steps === MAX_STEPS - 1 ? [] : tools
    for await (const part of llm.reply([...history, ...known], offered, options, signal)) {
      if (signal.aborted) return
      if ('say' in part) {
        said += part.say
        yield part.say
      } else calls.push(part.call)
    }
    if (signal.aborted || calls.length === 0 || offered.length === 0) return
    // What was said before a tool and what is said after it are two sentences.
    if (said.trim() !== '') yield '\n'
    const first = added.length + 1
    // Every call needs an answer, also when the caller interrupts.
    added.push({ role: 'agent', content: '', calls }, ...calls.map(({ id }) => answerTo(id, INTERRUPTED)))
    onWork?.(true)
    for (const [i, call] of calls.entries()) {
      const result = await runTool(call)
      if (signal.aborted) return
      onTool?.(call, result)
      added[first + i] = answerTo(call.id, result.text)
    }
    known.push({ role: 'agent', content: said.trim(), calls }, ...added.slice(first))
    onWork?.(false)
  }

  async function runTool(call: ToolCall): Promise<ToolResult> {
    const tool = tools.find(({ name }) => name === call.name)
    if (!tool) return { text: `There is no tool named ${call.name}`, failed: true }
    const done = new AbortController()
    try {
      const late = clock.sleep(TOOL_MS, AbortSignal.any([done.signal, signal])).then((): ToolResult => {
        return { text: 'The tool took too long.', failed: true }
      })
      const ran = Promise.try(() => tool.run(call.args, { act }, AbortSignal.any([done.signal, signal])))
      return await Promise.race([ran.then((text): ToolResult => ({ text, failed: false })), late])
    } catch (error) {
      return { text: `The tool failed: ${error instanceof Error ? error.message : 'unknown error'}`, failed: true }
    } finally {
      done.abort()
    }
  }
}
