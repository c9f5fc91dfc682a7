// The `config` fields of each tool type. A dot in a name means nesting.
import type { configTexts } from './config-texts.ts'
import { isObject } from './parameter-fields.ts'
import type { ToolType } from './tool-types.ts'

type Json = Record<string, unknown>

export type ConfigField = {
  /** Label and hint are in config-texts.ts. */
  name: keyof (typeof configTexts)['pt']['fields']
  kind:
    | 'text'
    | 'long'
    | 'number'
    | 'flag'
    | 'choice'
    | 'list'
    | 'pairs'
    | 'json'
    | 'device'
    | 'knowledge'
    | 'spreadsheet'
    | 'days'
    | 'destinations'
  /** The default, shown as the placeholder. */
  standard?: string
  /** For a flag: the default value. */
  isOn?: boolean
  choices?: readonly string[]
  isAdvanced?: boolean
  /** Shown before the URL: it decides whether there is one. */
  isBeforeAddress?: boolean
  /** The field is shown only if this returns true. */
  when?: (config: Json) => boolean
}

const timeoutMs: ConfigField = { name: 'timeoutMs', kind: 'number', standard: '15000', isAdvanced: true }
const idempotent: ConfigField = { name: 'idempotent', kind: 'flag', isAdvanced: true }
const responseVariables: ConfigField = { name: 'responseVariables', kind: 'pairs', isAdvanced: true }
const isGoogle = ({ provider }: Json) => provider === 'google'
const isOwn = (config: Json) => !isGoogle(config)

export const configFields: Readonly<Record<ToolType, readonly ConfigField[]>> = {
  custom: [
    { name: 'async', kind: 'flag' },
    timeoutMs,
    { name: 'retries', kind: 'number', standard: '0', isAdvanced: true },
    idempotent,
    responseVariables,
  ],
  api_request: [
    { name: 'responseFilter', kind: 'list' },
    responseVariables,
    timeoutMs,
    { name: 'retry.maxRetries', kind: 'number', standard: '0', isAdvanced: true },
    { name: 'retry.baseDelayMs', kind: 'number', standard: '500', isAdvanced: true },
    { name: 'retry.type', kind: 'choice', choices: ['exponential', 'fixed'], isAdvanced: true },
    idempotent,
    { name: 'maxResponseBytes', kind: 'number', standard: '1000000', isAdvanced: true },
  ],
  dtmf: [
    { name: 'mode', kind: 'choice', choices: ['auto', 'rfc4733', 'info', 'inband'] },
    { name: 'initialDelayMs', kind: 'number', standard: '0' },
    { name: 'toneMs', kind: 'number', standard: '160', isAdvanced: true },
    { name: 'gapMs', kind: 'number', standard: '100', isAdvanced: true },
  ],
  end_call: [
    { name: 'message', kind: 'long' },
    { name: 'waitForSpeech', kind: 'flag', isOn: true },
    { name: 'rejectIf', kind: 'json', isAdvanced: true },
  ],
  transfer_call: [
    { name: 'destinations', kind: 'destinations' },
    { name: 'allowAnyNumber', kind: 'flag' },
  ],
  send_text: [
    { name: 'channel', kind: 'choice', choices: ['sms', 'whatsapp'] },
    { name: 'deviceId', kind: 'device' },
    { name: 'template', kind: 'text', standard: '{text}' },
    { name: 'from', kind: 'text' },
    { name: 'defaultTo', kind: 'text', standard: 'caller' },
    { name: 'allowedNumbers', kind: 'list' },
  ],
  query: [
    { name: 'knowledgeBaseIds', kind: 'knowledge' },
    { name: 'autoInject', kind: 'flag' },
    { name: 'topK', kind: 'number', standard: '5', isAdvanced: true },
    { name: 'minScore', kind: 'number', standard: '0.33', isAdvanced: true },
    { name: 'maxTokens', kind: 'number', standard: '800', isAdvanced: true },
  ],
  calendar: [
    { name: 'provider', kind: 'choice', choices: ['caldav', 'google'], isBeforeAddress: true },
    { name: 'calendarId', kind: 'text' },
    {
      name: 'operation',
      kind: 'choice',
      choices: ['check_availability', 'create_event', 'cancel_event', 'list_events'],
    },
    { name: 'durationMinutes', kind: 'number', standard: '30' },
    { name: 'workingHours.days', kind: 'days' },
    { name: 'workingHours.from', kind: 'text', standard: '08:00' },
    { name: 'workingHours.to', kind: 'text', standard: '18:00' },
    { name: 'timeZone', kind: 'text', isAdvanced: true },
    { name: 'slotMinutes', kind: 'number', isAdvanced: true },
    { name: 'bufferMinutes', kind: 'number', standard: '0', isAdvanced: true },
    { name: 'maxDaysAhead', kind: 'number', standard: '60', isAdvanced: true },
    { name: 'allowOverlap', kind: 'flag', isAdvanced: true },
    { name: 'showDetails', kind: 'flag', isAdvanced: true },
  ],
  spreadsheet: [
    { name: 'provider', kind: 'choice', choices: ['ramal', 'google'] },
    { name: 'spreadsheetId', kind: 'spreadsheet', when: isOwn },
    { name: 'spreadsheetId', kind: 'text', when: isGoogle },
    { name: 'range', kind: 'text', when: isGoogle },
    { name: 'operation', kind: 'choice', choices: ['append_row', 'find_row', 'update_row'] },
    { name: 'columns', kind: 'list' },
    { name: 'keyColumn', kind: 'text', isAdvanced: true },
    { name: 'searchColumns', kind: 'list', isAdvanced: true },
    { name: 'maxResults', kind: 'number', standard: '5', isAdvanced: true },
    { name: 'idColumn', kind: 'text', isAdvanced: true, when: isGoogle },
  ],
  chat_workspace: [
    { name: 'channel', kind: 'text', standard: '#geral' },
    { name: 'allowMentions', kind: 'flag' },
  ],
  mcp: [
    { name: 'transport', kind: 'choice', choices: ['streamable_http', 'sse'] },
    { name: 'allowTools', kind: 'list' },
    { name: 'denyTools', kind: 'list' },
    timeoutMs,
    { name: 'connectTimeoutMs', kind: 'number', standard: '3000', isAdvanced: true },
    { name: 'toolMessages', kind: 'json', isAdvanced: true },
  ],
}

export function valueAt(config: Json, name: string): unknown {
  const [first = '', second] = name.split('.', 2)
  if (second === undefined) return config[first]
  const inner = config[first]
  return isObject(inner) ? inner[second] : undefined
}

/** Returns a copy with one value changed; undefined removes it. */
export function withValue(config: Json, name: string, value: unknown): Json {
  const [first = '', second] = name.split('.', 2)
  if (second === undefined) return { ...config, [first]: value }
  const inner = config[first]
  return { ...config, [first]: { ...(isObject(inner) ? inner : {}), [second]: value } }
}

/** The selected days. The server's default is Monday to Friday. */
export const workingDays = (value: unknown): number[] =>
  Array.isArray(value) && value.length > 0 ? value.map(Number) : [1, 2, 3, 4, 5]
