// Digits in SIP INFO: application/dtmf-relay ("Signal=5", "Duration=160") and application/dtmf (the digit alone).
import { withoutParams } from '../message/values.ts'

export type InfoDigit = { digit: string; durationMs: number }

const DEFAULT_DIGIT_MS = 160
const MIN_DIGIT_MS = 40
const MAX_DIGIT_MS = 8000
/** Some gateways send the event number of RFC 4733. */
const byNumber = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#', 'A', 'B', 'C', 'D']

export const digitTypes = ['application/dtmf-relay', 'application/dtmf']

const digitOf = (text: string): string | undefined => {
  const sign = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toUpperCase()
  if (/^[0-9*#A-D]$/.test(sign)) return sign
  return /^1[0-5]$/.test(sign) ? byNumber[Number(sign)] : undefined
}

const durationOf = (text: string | undefined): number => {
  const ms = Number.parseInt(text ?? '', 10)
  return Number.isFinite(ms) ? Math.min(Math.max(ms, MIN_DIGIT_MS), MAX_DIGIT_MS) : DEFAULT_DIGIT_MS
}

/** Null when the body is not a digit. */
export function readInfoDigit(contentType: string, body: string): InfoDigit | null {
  const type = withoutParams(contentType)
  if (type === 'application/dtmf') {
    const digit = digitOf(body)
    return digit === undefined ? null : { digit, durationMs: DEFAULT_DIGIT_MS }
  }
  if (type !== 'application/dtmf-relay') return null
  const signal = /^[ \t]*signal[ \t]*=([^\r\n]*)/im.exec(body)?.[1]
  const digit = signal === undefined ? undefined : digitOf(signal)
  if (digit === undefined) return null
  return { digit, durationMs: durationOf(/^[ \t]*duration[ \t]*=([^\r\n]*)/im.exec(body)?.[1]) }
}

export const writeInfoDigit = (digit: string, durationMs: number) => ({
  type: 'application/dtmf-relay',
  content: `Signal=${digit}\r\nDuration=${Math.round(durationMs)}\r\n`,
})
