// The `config` schema of each tool type.
import { type TObject, Type } from 'typebox'
import { Choice, FreeObject, Maybe, Strict } from '../../http/schema.ts'
import type { ToolType } from './schema.ts'

const text = (maxLength = 255) => Maybe(Type.String({ maxLength }))
const whole = (minimum: number, maximum: number) => Maybe(Type.Integer({ minimum, maximum }))
const flag = Maybe(Type.Boolean())
const names = Maybe(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 200 }))
const timeoutMs = whole(100, 300_000)
const responseVariables = Maybe(
  Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', maxLength: 500 } }),
)
const retry = Maybe(
  Strict({ maxRetries: whole(0, 10), baseDelayMs: whole(0, 60_000), type: Maybe(Choice(['fixed', 'exponential'])) }),
)

const destination = Strict({
  type: Choice(['number', 'sip', 'agent']),
  number: text(32),
  sipUri: text(512),
  agentId: text(),
  description: text(2000),
  extension: text(32),
  callerId: text(32),
  mode: Maybe(Choice(['cold', 'warm'])),
  method: Maybe(Choice(['refer', 'bridge'])),
  message: text(2000),
  whisper: Maybe(Choice(['summary', 'static', 'none'])),
  ringTimeoutMs: whole(1000, 300_000),
  holdMusicUrl: text(2048),
  sipHeaders: Maybe(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: 32,
      propertyNames: { maxLength: 64 },
      additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 1024 },
    }),
  ),
  onFailure: Maybe(Choice(['return_to_agent', 'end'])),
})

/** The settings of each tool type, for `config`. */
export const configSchemas: Record<ToolType, TObject> = {
  custom: Strict({ async: flag, timeoutMs, retries: whole(0, 10), responseVariables, idempotent: flag }),
  api_request: Strict({
    timeoutMs,
    retry,
    responseFilter: names,
    responseVariables,
    maxResponseBytes: whole(1, 10_485_760),
    idempotent: flag,
  }),
  dtmf: Strict({
    mode: Maybe(Choice(['rfc4733', 'info', 'inband', 'auto'])),
    toneMs: whole(40, 2000),
    gapMs: whole(40, 2000),
    initialDelayMs: whole(0, 60_000),
  }),
  end_call: Strict({
    message: text(2000),
    waitForSpeech: flag,
    rejectIf: Maybe(Type.Array(FreeObject(), { maxItems: 20 })),
  }),
  transfer_call: Strict({ destinations: Maybe(Type.Array(destination, { maxItems: 100 })), allowAnyNumber: flag }),
  send_text: Strict({
    channel: Maybe(Choice(['sms', 'whatsapp'])),
    from: text(32),
    deviceId: text(),
    defaultTo: text(32),
    allowedNumbers: Maybe(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 100 })),
    template: text(2000),
  }),
  query: Strict({
    knowledgeBaseIds: names,
    topK: whole(1, 50),
    minScore: Maybe(Type.Number({ minimum: 0 })),
    maxTokens: whole(1, 32_000),
    autoInject: flag,
  }),
  calendar: Strict({
    provider: text(64),
    operation: Maybe(Choice(['check_availability', 'create_event', 'cancel_event', 'list_events'])),
    calendarId: text(1024),
    timeZone: text(64),
    durationMinutes: whole(1, 1440),
    slotMinutes: whole(5, 1440),
    bufferMinutes: whole(0, 1440),
    maxDaysAhead: whole(1, 730),
    workingHours: Maybe(
      Strict({
        days: Maybe(Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7 })),
        from: text(5),
        to: text(5),
      }),
    ),
    allowOverlap: flag,
    showDetails: flag,
  }),
  spreadsheet: Strict({
    provider: text(64),
    operation: Maybe(Choice(['append_row', 'find_row', 'update_row'])),
    spreadsheetId: text(1024),
    range: text(),
    columns: names,
    keyColumn: text(),
    searchColumns: names,
    maxResults: whole(1, 50),
    idColumn: text(),
  }),
  chat_workspace: Strict({ provider: text(64), channel: text(), allowMentions: flag }),
  mcp: Strict({
    transport: Maybe(Choice(['streamable_http', 'sse'])),
    allowTools: names,
    denyTools: names,
    toolMessages: Maybe(FreeObject()),
    timeoutMs,
    connectTimeoutMs: whole(100, 60_000),
  }),
}
