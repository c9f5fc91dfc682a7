// The settings a tool runs with, and their validation. A client that knows only the spec's fields sends them in `body`.
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { openAjv } from '../../base/domain/json-schema.ts'
import { AppError } from '../../base/errors/errors.ts'
import { validationError } from '../../base/errors/validation-error.ts'
import type { Json } from '../../tool-types/ports.ts'
import { configSchemas } from './config-schema.ts'
import type { ToolType } from './schema.ts'

let ajv: Ajv2020 | undefined
const checks = new Map<string, ValidateFunction>()

/** For these types `body` is a request template and holds no settings. */
const sendsBody: ReadonlySet<string> = new Set(['custom', 'api_request'])

/** The settings a tool runs with: `config`, with defaults from the fields of its type in `body`. */
export function settingsIn(type: string, body: Json | null, config: Json | null): Json {
  const fields = configSchemas[type as ToolType].properties
  const beneath = sendsBody.has(type) ? [] : Object.entries(body ?? {}).filter(([name]) => Object.hasOwn(fields, name))
  return { ...Object.fromEntries(beneath), ...config }
}

/** Why a tool's settings are invalid; null if they are valid. */
export function configProblem(type: string, settings: Json): AppError | null {
  let check = checks.get(type)
  if (!check) {
    ajv ??= openAjv({ allErrors: true })
    check = ajv.compile(configSchemas[type as ToolType])
    checks.set(type, check)
  }
  if (check(settings)) return null
  const { message, problems } = validationError(check.errors ?? [], 'config')
  return new AppError('invalid', `config of a tool of type ${type}: ${message}`, { problems })
}
