// Errors in a tool's configuration, reported when it is created or changed. Missing fields are no error: a tool may be
// completed later.
import { requestConfigError } from './api-request.ts'
import { calendarConfigError } from './calendar/calendar.ts'
import { destinationsConfigError } from './destinations.ts'
import { endCallConfigError } from './end-call.ts'
import { authorizationProblem } from './http/authorization.ts'
import type { ToolRecord } from './ports.ts'

const byType: Readonly<Record<string, (tool: ToolRecord) => string | null>> = {
  api_request: requestConfigError,
  custom: requestConfigError,
  calendar: calendarConfigError,
  end_call: endCallConfigError,
  transfer_call: ({ config }) => destinationsConfigError(config),
}

/** Null if there is no error. The message never contains a secret. */
export function configError(tool: ToolRecord): string | null {
  const inAuthorization = authorizationProblem(tool.authorization)
  if (inAuthorization !== null) return inAuthorization
  const inConfig = byType[tool.type]?.(tool) ?? null
  return inConfig && `config of a tool of type ${tool.type}: ${inConfig}`
}
