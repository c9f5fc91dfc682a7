// What is wrong with a tool as its owner wrote it: told when it is made or changed. What is only missing is not: a tool may be finished later.
import { requestMistake } from './api-request.ts'
import { calendarMistake } from './calendar/calendar.ts'
import { destinationsMistake } from './destinations.ts'
import { endCallMistake } from './end-call.ts'
import { authorizationProblem } from './http/authorization.ts'
import type { ToolRecord } from './ports.ts'

const byType: Readonly<Record<string, (tool: ToolRecord) => string | null>> = {
  api_request: requestMistake,
  custom: requestMistake,
  calendar: calendarMistake,
  end_call: endCallMistake,
  transfer_call: ({ config }) => destinationsMistake(config),
}

/** Null when there is nothing to complain about. It never names a secret. */
export function mistakeIn(tool: ToolRecord): string | null {
  const inAuthorization = authorizationProblem(tool.authorization)
  if (inAuthorization !== null) return inAuthorization
  const inConfig = byType[tool.type]?.(tool) ?? null
  return inConfig && `config of a tool of type ${tool.type}: ${inConfig}`
}
