// Makes a rehearsal from a call: the caller's actions and the results of the tools.
import { appError } from '../../base/errors/errors.ts'
import { stepsOfTurns } from '../../simulation/replay.ts'
import { isSameName } from '../../simulation/scripted-tools.ts'
import type { Turn } from '../calls/schema.ts'
import type { CallStore } from '../calls/store.ts'
import type { ToolCallStore } from '../conversations/tool-call-store.ts'
import type { ToolStore } from '../tools/store.ts'
import { endings } from './prepared-run.ts'
import { MAX_STEPS, type Script } from './schema.ts'
import type { NewSavedScript } from './script-store.ts'

export type ScriptOfCallParts = {
  calls: Pick<CallStore, 'get'>
  turnsOf: (userId: string, callId: string) => Promise<Turn[]>
  toolCalls: Pick<ToolCallStore, 'page'>
  tools: Pick<ToolStore, 'runnableOf'>
}

const MAX_SAYS = 2000
const MAX_TOOL_CALLS = 100

export const scriptOfCall =
  ({ calls, turnsOf, toolCalls, tools }: ScriptOfCallParts) =>
  async (userId: string, callId: string): Promise<Omit<NewSavedScript, 'name'>> => {
    const { agentId, direction, variables } = await calls.get(userId, callId)
    if (agentId === null) throw appError('rehearsal_call_agentless')
    const steps = stepsOfTurns(await turnsOf(userId, callId)).slice(0, MAX_STEPS)
    if (steps.length === 0) throw appError('rehearsal_no_turns')
    const ran = await toolCalls.page('callId', userId, callId, { limit: MAX_TOOL_CALLS })
    const linked = await tools.runnableOf(userId, agentId)
    // A tool that ends the call needs no scripted result.
    const endsCall = (name: string) => linked.some((tool) => tool.type in endings && isSameName(tool.name, name))
    const done = ran.filter(({ name, status }) => status === 'done' && !endsCall(name))
    const results = new Map(done.toReversed().map(({ name, result }) => [name, { result: result ?? '' }]))
    const script: Script = {
      direction,
      steps: steps.map(({ pcm, ...step }) => ({
        ...step,
        ...(step.says ? { says: step.says.slice(0, MAX_SAYS) } : {}),
      })),
      ...(variables ? { variables: variables as Record<string, string> } : {}),
      ...(results.size > 0 ? { tools: Object.fromEntries(results) } : {}),
      expect: [...results.keys()].map((toolRan) => ({ toolRan })),
    }
    return { agentId, callId, script }
  }
