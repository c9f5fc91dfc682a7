// Shared by the tools that act on a call: their parameter schema, and E.164 parsing.
import { E164_PATTERN } from '../base/phone-numbers/phone-number.ts'
import type { CallControl, Json, Outcome, ToolRecord } from './ports.ts'

const isE164 = new RegExp(E164_PATTERN)

/** The owner's parameters merged with the tool's own, which take precedence. */
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

/** Accepts spaces, dots, dashes and brackets; null if it is not a full number. */
export function numberOf(text: string): string | null {
  const bare = text.replace(/[\s().-]/g, '').replace(/^00/, '+')
  return isE164.test(bare) ? bare : null
}

/** The other party's number; null if it is withheld or not a full number. */
export function callerOf(call: CallControl | null): string | null {
  const number = call?.direction === 'outbound' ? call.toNumber : call?.fromNumber
  return number ? numberOf(number) : null
}

export const refused = (error: string): Outcome => ({ ok: false, error })
export const onlyInCalls: Outcome = refused('This can only be done in a telephone call.')
