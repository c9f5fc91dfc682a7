// Shared by the tools that act on a call: their parameter schema, and E.164 parsing.
import { E164_PATTERN } from '../base/phone-number.ts'
import type { CallControl, Json, Outcome, ToolRecord } from './ports.ts'

const isE164 = new RegExp(E164_PATTERN)

/** The owner's own parameters, and ours, which win: the tool acts by them. */
export function parametersWith(tool: ToolRecord, properties: Json, required: readonly string[]): Json {
  const own = tool.parameters ?? {}
  const ownRequired = Array.isArray(own.required) ? (own.required as string[]) : []
  return {
    ...own,
    type: 'object',
    properties: { ...(own.properties as Json | undefined), ...properties },
    required: [...new Set([...ownRequired, ...required])],
  }
}

/** As it may be written, with spaces, dots, dashes or brackets; null when it is no whole number. */
export function numberOf(text: string): string | null {
  const bare = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return isE164.test(bare) ? bare : null
}

/** The one on the other end of the line; null when his number was withheld, or is not a whole one. */
export function callerOf(call: CallControl | null): string | null {
  const number = call?.direction === 'outbound' ? call.toNumber : call?.fromNumber
  return number ? numberOf(number) : null
}

export const refused = (error: string): Outcome => ({ ok: false, error })
export const onlyInCalls: Outcome = refused('This can only be done in a telephone call.')
