// Tool type send_text: a text message to the caller or to an allowed number, by a gateway device or an HTTP provider.
import { AppError } from '../base/errors/errors.ts'
import type { DialPolicy } from '../phone/dial-policy.ts'
import { callerOf, numberOf, parametersWith, refused } from './call-tool-schema.ts'
import type { Json, Outcome, Run, ToolContext, ToolRecord, ToolType } from './ports.ts'
import { type SmsProvider, sendByHttp } from './sms-http.ts'
import { fillJson, namesIn, valuesOf } from './template.ts'

type TextConfig = {
  channel?: 'sms' | 'whatsapp' | null
  from?: string | null
  deviceId?: string | null
  /** `caller`, or a number. */
  defaultTo?: string | null
  allowedNumbers?: readonly string[] | null
  template?: string | null
}

type Sent = { ok: boolean; detail: string; isDoubtful?: boolean; overBudget?: AppError }

export type TextParts = {
  dialPolicy: DialPolicy
  /** Null: the operator has not configured one. */
  sms: SmsProvider | null
  /** Of a request to the provider. */
  smsTimeoutMs?: number
  /** Counts a message sent through the operator's provider; throws an AppError above the budget. */
  spendText(userId: string): Promise<void>
  /** Through a gateway device of this user, whatever its network. Each key is sent once. */
  sendMessage(text: {
    userId: string
    /** Null: the user's device for that channel. */
    deviceId: string | null
    channel: 'sms' | 'whatsapp' | null
    text: string
    from: string | null
    /** Null: the device's own phone, if this is its call. */
    to: string | null
    callId: string | null
    key: string
  }): Promise<Sent>
}

const MAX_TEXT = 1000
/** A message with four bytes per character is sent in four parts, which take 10 s each. */
const TIMEOUT_MS = 50_000

export function sendText(parts: TextParts): ToolType {
  const problem = ({ config }: ToolRecord): string | null => {
    const { channel, deviceId } = config as TextConfig
    return channel !== 'whatsapp' && !deviceId && !parts.sms
      ? 'there is no way to send it: give it a deviceId, or set SMS_URL'
      : null
  }
  return {
    problem,
    functions(tool) {
      if (problem(tool) !== null) return []
      return [
        {
          name: tool.name,
          description: tool.description ?? 'Sends a short written message to the telephone of the one you speak with.',
          parameters: schemaOf(tool),
          hasEffect: true,
          isRepeatable: false,
          timeoutMs: TIMEOUT_MS,
          run: (run, signal) => send(parts, tool, run, signal),
        },
      ]
    },
  }
}

function schemaOf(tool: ToolRecord): Json {
  const { template, allowedNumbers } = tool.config as TextConfig
  const text = { type: 'string', minLength: 1, maxLength: MAX_TEXT, description: 'What is written' }
  const to = { type: 'string', description: 'The number it goes to; left out: the one you speak with' }
  const asksText = !template || namesIn(template).includes('text')
  return parametersWith(
    tool,
    { ...(asksText ? { text } : {}), ...(allowedNumbers?.length ? { to } : {}) },
    asksText ? ['text'] : [],
  )
}

/**
 * The other party or a number the owner allows: a caller must not make the agent write to strangers. Null: a phone
 * without a number.
 */
function targetOf({ args, context }: Run, config: TextConfig, dialPolicy: DialPolicy): string | null | Outcome {
  const caller = callerOf(context.call)
  const fixed = config.defaultTo && config.defaultTo !== 'caller' ? numberOf(config.defaultTo) : caller
  const number = args.to === undefined || args.to === 'caller' ? fixed : numberOf(String(args.to))
  const isOwnPhone = args.to === undefined && context.call !== null && config.deviceId && !config.defaultTo
  if (number === null && isOwnPhone) return null
  if (number === null)
    return refused(
      args.to === undefined
        ? 'It is not known to which number: the number of the one in the conversation is not known.'
        : 'The number is not a whole one: write it as +5511987654321.',
    )
  const allowed = [caller, fixed, ...(config.allowedNumbers ?? []).map(numberOf)]
  if (!allowed.includes(number)) return refused('Messages may only be sent to the one in the call.')
  if (!dialPolicy.allows(number)) return refused('This number may not be written to.')
  return number
}

async function send(parts: TextParts, tool: ToolRecord, run: Run, signal: AbortSignal): Promise<Outcome> {
  const config = tool.config as TextConfig
  const to = targetOf(run, config, parts.dialPolicy)
  if (to !== null && typeof to !== 'string') return to
  const text = String(
    config.template ? fillJson(config.template, valuesOf(run, tool, schemaOf(tool))) : (run.args.text ?? ''),
  ).trim()
  if (text === '') return refused('There is no text to send.')
  if (text.length > MAX_TEXT) return refused(`The text has ${text.length} letters; ${MAX_TEXT} at most can be sent.`)
  const sent = await deliver(parts, config, run, { to, text }, signal)
  if (sent.ok) return { ok: true, text: 'The message was sent.' }
  return {
    ok: false,
    error: `The message was not sent: ${sent.detail}`,
    ...(sent.isDoubtful ? { isDoubtful: true } : {}),
    ...(sent.overBudget ? { overBudget: sent.overBudget } : {}),
  }
}

async function deliver(
  { sms, smsTimeoutMs, spendText, sendMessage }: TextParts,
  config: TextConfig,
  { id: key, context }: { id: string; context: ToolContext },
  { to, text }: { to: string | null; text: string },
  signal: AbortSignal,
): Promise<Sent> {
  const from = config.from ?? null
  const { channel = null, deviceId = null } = config
  if (deviceId !== null || channel === 'whatsapp')
    return sendMessage({
      userId: context.userId,
      deviceId,
      channel,
      text,
      from,
      to,
      callId: context.call?.id ?? null,
      key,
    })
  if (!sms || to === null) return { ok: false, detail: 'there is no provider' }
  try {
    await spendText(context.userId)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ok: false, detail: error.message, overBudget: error }
  }
  return sendByHttp(sms, { to, text, from, key }, signal, smsTimeoutMs)
}
