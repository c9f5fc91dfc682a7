// One reply: the model's words as they come, with the tools it asks for run in between and their results given back to it.
import type { Llm, Message, ReplyOptions, Tool, ToolCall, Transport } from './ports.ts'

const MAX_STEPS = 5

export type ReplyParts = {
  llm: Llm
  tools: readonly Tool[]
  act: Transport['act']
  onTool?: (call: ToolCall, result: { text: string; failed: boolean }) => void
}

/** `added` takes what the model and the tools did, so that the next turn knows it. */
export async function* replyWords(
  { llm, tools, act, onTool }: ReplyParts,
  history: readonly Message[],
  options: ReplyOptions,
  added: Message[],
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (let steps = 0; steps < MAX_STEPS; steps++) {
    const calls: ToolCall[] = []
    // In its last step it has to speak.
    const offered = steps === MAX_STEPS - 1 ? [] : tools
    for await (const part of llm.reply([...history, ...added], offered, options, signal)) {
      if ('say' in part) yield part.say
      else calls.push(part.call)
    }
    if (calls.length === 0) return
    added.push({ role: 'agent', content: '', calls })
    for (const call of calls) {
      const result = await runTool(call)
      onTool?.(call, result)
      added.push({ role: 'tool', content: result.text, callId: call.id })
    }
  }

  async function runTool(call: ToolCall): Promise<{ text: string; failed: boolean }> {
    const tool = tools.find(({ name }) => name === call.name)
    if (!tool) return { text: `There is no tool named ${call.name}`, failed: true }
    try {
      return { text: await tool.run(call.args, { act }, signal), failed: false }
    } catch (error) {
      return { text: `The tool failed: ${error instanceof Error ? error.message : 'unknown error'}`, failed: true }
    }
  }
}
