// The built-in `collect` function of an agent in a call, as configured in its settings.
import { nowMs } from '../../base/time/clock.ts'
import { localDate } from '../../base/time/zone.ts'
import { COLLECT, collectTool } from '../../dictation/collect-tool.ts'
import { zoneOf } from '../../llm/prompt.ts'
import type { Llm, Tool } from '../../voice/ports.ts'
import type { Variables } from './session-options.ts'
import type { AgentSettings } from './settings-schema.ts'

/** The maximum that providers accept. */
const MAX_TOOLS = 128

type CollectingAgent = {
  agent: { language: string; settings: Readonly<Record<string, unknown>> | null }
  session: { llm: Pick<Llm, 'isModel'> }
  variables: Variables
}

/** Null if switched off, or if there is no model to call it. */
export function collectFor({ agent, session, variables }: CollectingAgent): Tool | null {
  const { enabled, kinds } = ((agent.settings ?? {}) as AgentSettings).collect ?? {}
  if (enabled === false || kinds?.length === 0 || !session.llm.isModel) return null
  const { language } = agent
  const timeZone = zoneOf(language, variables.timeZone)
  const today = () => localDate(timeZone, nowMs())
  return collectTool({ language, today, ...(kinds ? { kinds } : {}) })
}

/** An agent's own tool of the same name takes precedence. */
export function withCollect<T extends { name: string }>(
  tools: readonly T[],
  collect: Tool | null,
): readonly (T | Tool)[] {
  if (!collect || tools.length >= MAX_TOOLS) return tools
  const isTaken = tools.some(({ name }) => name === COLLECT)
  return [...tools, isTaken ? { ...collect, name: `${COLLECT}_value` } : collect]
}
